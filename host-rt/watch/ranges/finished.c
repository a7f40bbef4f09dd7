/* SPDX-License-Identifier: Apache-2.0 */
/* Two circles of rows. */
#include "host-rt/watch/ranges/finished.h"
#include "host-rt/calls/log.h"
#include <errno.h>
#include <sys/mman.h>

#define ROOM (1u << 18)

static struct ct_watch_use *uses;
static struct ct_row_wait *waits;
static uint64_t uses_in, uses_out, waits_in, waits_out;
static uint64_t lost;

void *ct_finished_memory(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

int ct_finished_init(void)
{
	uses = ct_finished_memory(ROOM * sizeof(*uses));
	waits = ct_finished_memory(ROOM * sizeof(*waits));
	return uses && waits ? 0 : -ENOMEM;
}

void ct_finished_lose(void)
{
	lost++;
}

void ct_finished_use(const struct ct_watch_use *use)
{
	if (uses_in - uses_out == ROOM)
		lost++;
	else
		uses[uses_in++ % ROOM] = *use;
}

void ct_finished_wait(const struct ct_row_wait *wait)
{
	if (waits_in - waits_out == ROOM)
		lost++;
	else
		waits[waits_in++ % ROOM] = *wait;
}

size_t ct_finished_take_uses(struct ct_watch_use *out, size_t room)
{
	size_t count = 0;

	while (count < room && uses_out < uses_in)
		out[count++] = uses[uses_out++ % ROOM];
	return count;
}

size_t ct_finished_take_waits(struct ct_row_wait *out, size_t room)
{
	size_t count = 0;

	while (count < room && waits_out < waits_in)
		out[count++] = waits[waits_out++ % ROOM];
	return count;
}

uint64_t ct_finished_lost(void)
{
	return lost;
}
