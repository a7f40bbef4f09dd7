/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the sources that a trace names, for identities of problems and what people expect. */
#ifndef CT_CMD_LINE_TEXTS_H
#define CT_CMD_LINE_TEXTS_H

#include "postproc/problems/identity.h"

/* Zero-initialise. Keeps the lines of the file that was asked for last. */
struct ctpost_line_texts {
	/* Lines of files that have changed since then are not those of the program; 0: they are
	 * taken all the same. CLOCK_REALTIME. */
	uint64_t before_ns;
	char *path;
	char **line;
	size_t lines;
};

/* When the program of the trace began; 0: not known. */
uint64_t ctpost_begin_ns(const struct ct_trace *trace);

/* For identities (ct_line_texts). */
struct ct_line_texts ctpost_line_texts_of(struct ctpost_line_texts *texts);
void ctpost_line_texts_fini(struct ctpost_line_texts *texts);

#endif
