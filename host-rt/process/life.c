/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel tells the start in ticks; our constructor runs before the program's, exactly known. */
#include "host-rt/process/life.h"
#include "base/clock.h"
#include "host-rt/events/events.h"
#include <cudatrace/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STAT_BYTES 1024u
#define STATE_TO_START 19 /* fields of /proc/self/stat behind the command: state is the third */

static uint64_t loaded_ns, ended_ns;

__attribute__((constructor)) static void remember_load(void)
{
	loaded_ns = ct_clock_real_ns();
}

/* In ticks since the system was booted; 0 if it is not known. */
static unsigned long long start_ticks(void)
{
	FILE *file = fopen("/proc/self/stat", "re");
	char text[STAT_BYTES], *at, *rest = NULL;
	size_t bytes = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	if (file)
		fclose(file);
	text[bytes] = 0;
	at = strrchr(text, ')'); /* the command may have anything in it */
	at = at ? strtok_r(at + 1, " ", &rest) : NULL;
	for (int i = 0; at && i < STATE_TO_START; i++)
		at = strtok_r(NULL, " ", &rest);
	return at ? strtoull(at, NULL, 10) : 0;
}

/* A library that the driver loads, or that a forked child has from its parent, was not loaded when
 * the process began. */
static uint64_t begin_ns(void)
{
	long ticks = sysconf(_SC_CLK_TCK);
	uint64_t tick_ns = ticks > 0 ? 1000000000u / (uint64_t)ticks : 0;
	uint64_t started = start_ticks() * tick_ns, now = ct_clock_real_ns();
	uint64_t booted = now - ct_clock_ns(CLOCK_BOOTTIME);
	uint64_t apart;

	if (!started || booted + started > now)
		return loaded_ns;
	started += booted;
	apart = started < loaded_ns ? loaded_ns - started : started - loaded_ns;
	return apart > tick_ns ? started : loaded_ns;
}

void ct_life_end(void)
{
	if (!ended_ns)
		ended_ns = ct_clock_real_ns();
}

void ct_life_write(void)
{
	struct ct_event_ran event = {.begin_ns = begin_ns(), .end_ns = ended_ns};

	if (ended_ns)
		ct_events_write(ct_event_ran_header(&event));
}
