/* SPDX-License-Identifier: Apache-2.0 */
/* A progress bar on stderr for scans that take more than a second. */
#ifndef CT_POSTPROC_CMDLINE_PROGRESS_H
#define CT_POSTPROC_CMDLINE_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

struct ctpost_progress {
	const char *what;
	uint64_t started_ns;
	uint64_t drawn_ns;
	int enabled; /* stderr is a terminal */
	int visible;
};

void ctpost_progress_start(struct ctpost_progress *progress, const char *what);

/* Draws when due. Returns 0, as a scan's callback that goes on, which ctpost_progress_draw is:
 * with a struct ctpost_progress as its user. */
int ctpost_progress_update(struct ctpost_progress *progress, uint64_t done, uint64_t total);
int ctpost_progress_draw(void *progress, uint64_t done, uint64_t total);

/* "[####......]  42 % 0:13 left": the time that is left if it goes on as it went. */
void ctpost_progress_text(char *buffer, size_t bytes, double part, double elapsed_s);

/* Erases the bar. */
void ctpost_progress_stop(struct ctpost_progress *progress);

#endif
