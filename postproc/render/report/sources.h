/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source that the report names, and excerpts around them: the table page_sources
 * (parts.h). */
#ifndef CT_POSTPROC_RENDER_REPORT_SOURCES_H
#define CT_POSTPROC_RENDER_REPORT_SOURCES_H

#include "postproc/sources/store.h"
#include <stdint.h>

struct ct_sources;

/* Lines of one study, or of two that are compared, each with a store of its own; stores are
 * borrowed; NULL: none are quoted. */
#define CT_SOURCES_STUDIES 2u

/* 0 or -ENOMEM */
int ct_sources_open(struct ct_sources **out, struct ct_source_store *const *store,
		    unsigned studies);
void ct_sources_close(struct ct_sources *sources); /* NULL is allowed */

/* Notes that the line is wanted. study: 0 or 1. Returns the number of its file, or -ENOMEM. */
long ct_sources_want(struct ct_sources *sources, unsigned study, const char *file, uint32_t line);

#endif
