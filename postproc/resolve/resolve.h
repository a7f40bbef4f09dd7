/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a trace says by addresses and by names of files alone is looked up once, when the program
 * has ended and all of it is still there, and stored in the trace: functions, files and lines of
 * host stacks, the lines of sources that are named, with some around them (names-<part>.ct). What
 * is stored stays: later look-ups add to it.
 */
#ifndef CT_POSTPROC_RESOLVE_RESOLVE_H
#define CT_POSTPROC_RESOLVE_RESOLVE_H

#include "postproc/sources/file.h"
#include "postproc/symbols/symbols.h"

struct ct_resolve_options {
	struct ct_symbols_options symbols;
	bool has_quoting;        /* as the run was set to (--sources) else */
	enum ct_quoting quoting; /* whose lines are stored */
};

struct ct_resolve_counts {
	uint64_t parts;
	uint64_t places, named; /* addresses of host code; of these, those that have a name */
	uint64_t sources, lines;
	uint64_t left_out; /* sources of which no or not all lines are stored: there are too many */
	uint64_t bytes;    /* of the files written */
};

/* Writes the names of a trace's parts into its directory. *resolved is added to. 0 or a negative
 * error. Starts processes, as ct_symbols_open. */
int ct_resolve(struct ct_trace *trace, const char *directory,
	       const struct ct_resolve_options *options, struct ct_resolve_counts *resolved);

#endif
