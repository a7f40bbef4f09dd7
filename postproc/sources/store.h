/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of sources that traces name, for all that quotes them. Traces have them as they were when
 * the program had ended (SOURCE, SOURCE_LINE). What a trace has not is read from the file, if that
 * is what it was then: of the size and hash that the trace has, where it has them.
 */
#ifndef CT_POSTPROC_SOURCES_STORE_H
#define CT_POSTPROC_SOURCES_STORE_H

#include "postproc/sources/file.h"
#include "trace/read/reader.h"
#include <stdbool.h>

struct ct_source_store;

enum ct_source_state {
	CT_SOURCE_IS_SAME,     /* or it is not known */
	CT_SOURCE_HAS_CHANGED, /* since the program ran; lines are those of the run */
	CT_SOURCE_WAS_NEWER,   /* it was modified after the program was built */
};

/* Opens the sources of traces (count of them, the first one counts most), which must outlive it.
 * root: where to look for files that the traces have no text of before their own path; NULL:
 * nowhere. 0 or a negative error. */
int ct_source_store_open(struct ct_source_store **out, struct ct_trace *const *trace, size_t count,
			 const char *root, enum ct_quoting quoting);
void ct_source_store_close(struct ct_source_store *store); /* NULL is allowed */

/* A line of a file, as the trace names it; NULL: it is not known. As long as the store. */
const char *ct_source_line(struct ct_source_store *store, const char *path, uint32_t line);

/* The last line of it that is known; 0: none is. */
uint32_t ct_source_last_line(struct ct_source_store *store, const char *path);

/* Whether lines of it are known; what is left to say of it. */
bool ct_source_is_known(struct ct_source_store *store, const char *path);
enum ct_source_state ct_source_state(struct ct_source_store *store, const char *path);

/* Files that traces have stored, or that were asked for, by number from 0. */
size_t ct_source_count(const struct ct_source_store *store);
const char *ct_source_path(const struct ct_source_store *store, size_t number);
/* Where it was found; its path, if it was not. */
const char *ct_source_file(const struct ct_source_store *store, size_t number);

#endif
