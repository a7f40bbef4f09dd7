/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that one line allocates for several callers: a function that wraps cudaMalloc, a class,
 * a library's header. By their stacks (ALLOC.stack) each is called by the variable of the line and
 * its caller's place, "data (main.cu:12)"; where the line names no variable, by the place alone. A
 * data-centric view tells them apart then, as one that knows objects by the call path of their
 * allocation does (seed 003, 4.3).
 */
#ifndef CT_POSTPROC_SYMBOLS_ALLOCATED_H
#define CT_POSTPROC_SYMBOLS_ALLOCATED_H

#include "postproc/symbols/symbols.h"

/* Names them (ct_trace_name_object): the caller is the innermost frame of the program itself from
 * which on stacks of the same site and name differ by file and line. Objects of a site whose stacks
 * are all the same keep the variable's name. Files are read and processes started (ct_symbols_open)
 * only if there are such objects; what is not found leaves names as they are. 0 or a negative
 * error. */
int ct_name_allocated(struct ct_trace *trace, const struct ct_symbols_options *options);

#endif
