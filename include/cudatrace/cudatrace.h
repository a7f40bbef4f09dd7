/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For programs: which part of a run is traced. C and C++, host code.
 *
 *   ct_pause();                    launches are not traced until ct_resume()
 *   ct_region_begin("solve");      launches are part of this region, in every report;
 *   ct_region_end("solve");        `ctrun --region=solve` traces only these
 *
 * Nothing to link: without the runtime of cuda-trace in the process, or with
 * tracing off, a call is a load and a branch. Pauses are of the whole process and
 * nest; regions are of the calling host thread and nest. Kernels that are not
 * traced run as they were compiled, at full speed. What counts is the moment of
 * the launch, not that of the execution; of a graph, the moment of its launch.
 * Like calls of CUDA, these may not be called from functions that a stream calls.
 */
#ifndef CUDATRACE_CUDATRACE_H
#define CUDATRACE_CUDATRACE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime offers these functions. More may follow at the end: `bytes` tells. */
struct ct_program_calls {
	size_t bytes;
	void (*pause)(void);
	void (*resume)(void);
	void (*region_begin)(const char *name);
	void (*region_end)(const char *name);
};

#ifdef __ELF__
/* Defined by the runtime; it points to nothing where nothing can be traced any more. */
extern const struct ct_program_calls *__ct_program __attribute__((weak));

static inline const struct ct_program_calls *ct_program_(void)
{
	return &__ct_program ? *(const struct ct_program_calls *const volatile *)&__ct_program
			     : NULL;
}
#else
static inline const struct ct_program_calls *ct_program_(void)
{
	return NULL;
}
#endif

/* Launches from now on, by any thread, are not traced, until as many ct_resume(). */
static inline void ct_pause(void)
{
	const struct ct_program_calls *calls = ct_program_();

	if (calls)
		calls->pause();
}

static inline void ct_resume(void)
{
	const struct ct_program_calls *calls = ct_program_();

	if (calls)
		calls->resume();
}

/* Launches of this host thread from now on are in a region of that name (copied;
 * NULL: "unnamed"), within those that it is already in. */
static inline void ct_region_begin(const char *name)
{
	const struct ct_program_calls *calls = ct_program_();

	if (calls)
		calls->region_begin(name);
}

/* Ends the innermost region. name, if not NULL, must be its name, or nothing happens
 * and stderr says so once. */
static inline void ct_region_end(const char *name)
{
	const struct ct_program_calls *calls = ct_program_();

	if (calls)
		calls->region_end(name);
}

#ifdef __cplusplus
}
#endif
#endif
