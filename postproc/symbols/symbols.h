/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of host stacks: functions, files and lines. Traces have them (stored.h); those that they
 * lack are from the debug information of the files that the code is in, looked for on the machine
 * that ctpost runs on (module.h). Files are only believed if they bear the build id that the trace
 * has, and where it has none, if nothing has changed them since they were loaded.
 */
#ifndef CT_POSTPROC_SYMBOLS_SYMBOLS_H
#define CT_POSTPROC_SYMBOLS_SYMBOLS_H

#include "postproc/symbols/stacks.h"
#include <stdbool.h>

struct ct_code_frame {
	const char *function; /* as in the source; "libx.so+0x1234" where it has no name */
	const char *file;     /* "" unknown */
	const char *module;   /* path of the file that its code is in; "" of none */
	uint32_t line;        /* of the call; 0 unknown */
	bool is_named;
	bool is_inlined; /* into the frame behind it */
};

struct ct_symbols_options {
	const char *debug_path; /* further directories of separate debug files, with colons; NULL */
	unsigned seconds;       /* of processor time for a file; 0: as many as will do */
	bool asks_again;        /* files for what is stored without a name; so it is with a path */
};

struct ct_symbols;

/* Look all of them up. stacks: borrowed. 0 or a negative error; names that are not found are
 * none. Starts processes: call it where a fork is allowed. */
int ct_symbols_open(struct ct_symbols **out, const struct ct_stack_tree *stacks,
		    const struct ct_symbols_options *options);
void ct_symbols_close(struct ct_symbols *symbols); /* NULL is allowed */

/* Numbers of the frames of a place, innermost first: at least one. Frames that are the same in all
 * fields have the same number. */
size_t ct_symbols_frames(const struct ct_symbols *symbols, uint32_t place,
			 const uint32_t **numbers);
const struct ct_code_frame *ct_symbols_frame(const struct ct_symbols *symbols, uint32_t number);
size_t ct_symbols_count(const struct ct_symbols *symbols); /* of frames */

/* Says what became of a file, by number from 1: enum ct_code_file_flags. */
uint32_t ct_symbols_file_flags(const struct ct_symbols *symbols, uint32_t file);

/* Says what is not named and why, a line for a file. */
size_t ct_symbols_warnings(const struct ct_symbols *symbols, const char *const **lines);

#endif
