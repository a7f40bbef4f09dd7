/* SPDX-License-Identifier: Apache-2.0 */
/* A progress bar on stderr for scans that take more than a second. */
#include "progress.h"
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH 30
#define SHOW_AFTER_NS 1000000000ull
#define REDRAW_NS 100000000ull

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void ctpost_progress_start(struct ctpost_progress *progress, const char *what)
{
	progress->what = what;
	progress->started_ns = now_ns();
	progress->drawn_ns = 0;
	progress->enabled = isatty(STDERR_FILENO);
	progress->visible = 0;
}

int ctpost_progress_update(struct ctpost_progress *progress, uint64_t done, uint64_t total)
{
	uint64_t now;
	double part;

	if (!progress->enabled || !total)
		return 0;
	now = now_ns();
	if (now - progress->started_ns < SHOW_AFTER_NS || now - progress->drawn_ns < REDRAW_NS)
		return 0;
	part = done >= total ? 1 : (double)done / (double)total;
	fprintf(stderr, "\r%s [", progress->what);
	for (int i = 0; i < BAR_WIDTH; i++)
		fputc(i < (int)(part * BAR_WIDTH) ? '#' : '.', stderr);
	fprintf(stderr, "] %3d %%", (int)(part * 100));
	fflush(stderr);
	progress->drawn_ns = now;
	progress->visible = 1;
	return 0;
}

void ctpost_progress_stop(struct ctpost_progress *progress)
{
	if (progress->visible)
		fputs("\r\033[K", stderr);
	progress->visible = 0;
}
