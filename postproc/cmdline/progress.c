/* SPDX-License-Identifier: Apache-2.0 */
/* A progress bar on stderr for scans that take more than a second. */
#include "postproc/cmdline/progress.h"
#include "base/clock.h"
#include <stdio.h>
#include <unistd.h>

#define BAR_WIDTH 30
#define SHOW_AFTER_NS 1000000000ull
#define REDRAW_NS 100000000ull
#define LEFT_PART_MIN 0.01 /* below that it cannot be known how long it takes */

void ctpost_progress_start(struct ctpost_progress *progress, const char *what)
{
	progress->what = what;
	progress->started_ns = ct_clock_monotonic_ns();
	progress->drawn_ns = 0;
	progress->enabled = isatty(STDERR_FILENO);
	progress->visible = 0;
}

/* " 0:13 left" */
static void append_left(char *buffer, size_t bytes, double seconds)
{
	unsigned long long left = (unsigned long long)(seconds + 0.5);

	if (left >= 3600)
		snprintf(buffer, bytes, " %llu:%02llu:%02llu left", left / 3600, left / 60 % 60,
			 left % 60);
	else
		snprintf(buffer, bytes, " %llu:%02llu left", left / 60, left % 60);
}

void ctpost_progress_text(char *buffer, size_t bytes, double part, double elapsed_s)
{
	char bar[BAR_WIDTH + 1], left[64] = "";

	for (int i = 0; i < BAR_WIDTH; i++)
		bar[i] = i < (int)(part * BAR_WIDTH) ? '#' : '.';
	bar[BAR_WIDTH] = '\0';
	if (part >= LEFT_PART_MIN)
		append_left(left, sizeof(left), elapsed_s / part * (1 - part));
	snprintf(buffer, bytes, "[%s] %3d %%%s", bar, (int)(part * 100), left);
}

int ctpost_progress_update(struct ctpost_progress *progress, uint64_t done, uint64_t total)
{
	char text[128];
	uint64_t now;

	if (!progress->enabled || !total)
		return 0;
	now = ct_clock_monotonic_ns();
	if (now - progress->started_ns < SHOW_AFTER_NS || now - progress->drawn_ns < REDRAW_NS)
		return 0;
	ctpost_progress_text(text, sizeof(text), done >= total ? 1 : (double)done / (double)total,
			     (double)(now - progress->started_ns) * 1e-9);
	fprintf(stderr, "\r%s %s\033[K", progress->what, text);
	fflush(stderr);
	progress->drawn_ns = now;
	progress->visible = 1;
	return 0;
}

int ctpost_progress_draw(void *progress, uint64_t done, uint64_t total)
{
	return ctpost_progress_update(progress, done, total);
}

void ctpost_progress_stop(struct ctpost_progress *progress)
{
	if (progress->visible)
		fputs("\r\033[K", stderr);
	progress->visible = 0;
}
