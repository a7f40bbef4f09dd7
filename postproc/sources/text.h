/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a source file as they are shown, and what tells it from another one. */
#ifndef CT_POSTPROC_SOURCES_TEXT_H
#define CT_POSTPROC_SOURCES_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CT_SOURCE_LINE_BYTES 400u       /* of a line; what is behind them is left out */
#define CT_SOURCE_BYTES_MAX (64u << 20) /* of a file; a larger one is none */

struct ct_source_mark {
	uint64_t bytes;       /* of the file */
	uint64_t hash;        /* of all of it: XXH3-64 */
	uint64_t modified_ns; /* CLOCK_REALTIME */
};

struct ct_source_text {
	struct ct_source_mark mark;
	char *bytes;
	const char **line; /* line n is line[n - 1]: plain text, tabs are blanks */
	size_t lines;
};

/* Reads the file and closes it. 0, -EFBIG, -ENOMEM or another negative error. */
int ct_source_text_read(struct ct_source_text *text, FILE *file);
void ct_source_text_fini(struct ct_source_text *text);

/* Whether a file of so many lines is stored and shown as a whole: those of the program that are not
 * too long. Of headers of the system the lines around what is named. */
bool ct_source_is_whole(const char *path, size_t lines);

#endif
