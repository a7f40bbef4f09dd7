/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From where the host launched: the functions and lines that lead from `main`, or the thread's
 * start, to each launch. Paths of the same functions and lines are one, whatever their addresses.
 * A launch has the stack of the call that made it: the one that names it (CALL.launch), else the
 * one whose correlation its activity bears, else, of a graph's kernels, the first launch of a graph
 * of the thread to end after the launch was reported.
 */
#ifndef CT_POSTPROC_SYMBOLS_PATHS_H
#define CT_POSTPROC_SYMBOLS_PATHS_H

#include "postproc/symbols/symbols.h"

struct ct_host_paths;

/* Opens the paths of all launches of a trace, which must outlive them. Files are read and
 * processes started (as ct_symbols_open) if there are stacks. 0 or a negative error. */
int ct_host_paths_open(struct ct_host_paths **out, struct ct_trace *trace,
		       const struct ct_symbols_options *options);
void ct_host_paths_close(struct ct_host_paths *paths); /* NULL is allowed */

/* How many different paths launches and transfers have, numbered from 1, those of launches in their
 * order; 0: the trace has no calls, or no stacks of them. paths NULL: 0, as of the next ones. */
size_t ct_host_paths_count(const struct ct_host_paths *paths);

/* The path of a launch of the trace; 0: not known. */
uint32_t ct_host_paths_of(const struct ct_host_paths *paths, const struct ct_launch_info *launch);

/* Likewise of a transfer. */
uint32_t ct_host_paths_of_transfer(const struct ct_host_paths *paths,
				   const struct ct_transfer_info *transfer);

/* The frames of a path, outermost first, without those of the C library before `main` and the
 * compiler's stub of the kernel. At least one, but of path 0 none. */
size_t ct_host_paths_frames(const struct ct_host_paths *paths, uint32_t path,
			    const struct ct_code_frame *const **frames);

/* Where host threads were found (CPU_SAMPLE), by path. */
struct ct_host_sampled {
	uint32_t path; /* 0: its stack is not known */
	uint64_t samples;
};
size_t ct_host_paths_sampled(const struct ct_host_paths *paths,
			     const struct ct_host_sampled **list);

/* As of ct_symbols. */
size_t ct_host_paths_warnings(const struct ct_host_paths *paths, const char *const **lines);

/* Returns the stacks that they are made of; symbols NULL: there are no stacks. */
const struct ct_stack_tree *ct_host_paths_stacks(const struct ct_host_paths *paths);
const struct ct_symbols *ct_host_paths_symbols(const struct ct_host_paths *paths);

/* Whether a frame is of no use to a reader: the C library before `main` or the thread's function
 * (if nothing that is shown has called it), or the stub of a kernel. */
bool ct_host_frame_is_hidden(const char *function, bool is_outermost);

#endif
