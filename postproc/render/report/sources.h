/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source that the report names, and excerpts around them: the table page_sources
 * (parts.h). */
#ifndef CT_POSTPROC_RENDER_REPORT_SOURCES_H
#define CT_POSTPROC_RENDER_REPORT_SOURCES_H

#include "postproc/sources/store.h"
#include <stdint.h>

struct ct_sources;

/* store: whose lines they are; borrowed; NULL: none are quoted. 0 or -ENOMEM */
int ct_sources_open(struct ct_sources **out, struct ct_source_store *store);
void ct_sources_close(struct ct_sources *sources); /* NULL is allowed */

/* Notes that the line is wanted. Returns the number of its file, or -ENOMEM. */
long ct_sources_want(struct ct_sources *sources, const char *file, uint32_t line);

#endif
