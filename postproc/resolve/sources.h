/* SPDX-License-Identifier: Apache-2.0 */
/* The sources that a part names, into its file of names. */
#ifndef CT_POSTPROC_RESOLVE_SOURCES_H
#define CT_POSTPROC_RESOLVE_SOURCES_H

#include "postproc/resolve/named.h"
#include "postproc/sources/file.h"
#include "postproc/sources/text.h"
#include "trace/write/names.h"

/* Texts of files, each read once for all parts. Zero-initialise. */
struct ct_read_sources {
	struct ct_intern paths;
	struct ct_source_text *text; /* by number of the path; line NULL: it could not be read */
	size_t count;
};
void ct_read_sources_fini(struct ct_read_sources *sources);

struct ct_source_writing {
	struct ct_trace *trace;
	uint32_t part;
	const struct ct_named *named;
	enum ct_quoting quoting;
	const char *program; /* path of the executable; "" not known */
	uint64_t built_ns; /* what was modified later may not be what was compiled; 0: not known */
	struct ct_read_sources *read;
	struct ct_names *names;
	uint64_t left_out; /* set: of these not all lines are stored */
};

/* A stored source stays; but for its lines, if they were left out and it is still the same. 0 or
 * a negative error. */
int ct_write_sources(struct ct_source_writing *writing);

#endif
