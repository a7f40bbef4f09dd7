/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sink: an analysis that takes the trace while the program runs, beside the
 * files or instead of them (--trace-file=off). It is a shared library that
 * defines
 *
 *   const struct ct_sink ct_sink_v1 = {.name = "...", .open = ..., ...};
 *
 * and is named by ctrun --sink=LIBRARY. It lives in the traced process: it must
 * not end it, and calls of CUDA in it deadlock.
 *
 * What it gets is what the files would hold, so docs/trace-format.md says what
 * it means: units before the launches that name them, strings before the events
 * that name them, a LAUNCH event before the records of the launch.
 *
 * Threads: records is called by the consumers of each device's ring, several at a
 * time; one consumer's tickets ascend, and each ticket of a device comes once.
 * All others come one at a time, but beside records. The first call is open, the
 * last one close, when all records have been handed over. As long as records runs
 * its chunk stays in the ring: a slow sink makes kernels wait.
 */
#ifndef CUDATRACE_SINK_H
#define CUDATRACE_SINK_H

#include <cudatrace/format.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Functions that are NULL are not wanted; open must be there. */
struct ct_sink {
	const char *name; /* for messages */
	/* directory: of the trace; part: of this process. NULL: it cannot begin, and has said why
	 * on stderr; the program then runs untraced. */
	void *(*open)(const char *directory, uint32_t part);
	void (*unit)(void *sink, const void *blob, size_t bytes); /* unit.h; aligned to 8 bytes */
	void (*string)(void *sink, uint32_t id, const char *string); /* ids from 1, in order */
	void (*event)(void *sink, const struct ct_event_header *event);
	/* One ring chunk: it begins with a segment header (record.h); valid during the call. */
	void (*records)(void *sink, uint32_t device, uint64_t ticket, const void *records,
			size_t bytes);
	void (*close)(void *sink);
};

extern const struct ct_sink ct_sink_v1;

#ifdef __cplusplus
}
#endif

#endif
