/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source that the report names, and excerpts around them from files at hand: the table
 * page_sources (parts.h). */
#ifndef CT_RENDER_REPORT_SOURCES_H
#define CT_RENDER_REPORT_SOURCES_H

#include "postproc/render/base/source_file.h"
#include <stdint.h>

struct ct_sources;

/* root: where to look for files before their own path; may be NULL. 0 or -ENOMEM */
int ct_sources_open(struct ct_sources **out, const char *root, enum ct_quoting quoting);
void ct_sources_close(struct ct_sources *sources); /* NULL is allowed */

/* Notes that the line is wanted. Returns the number of its file, or -ENOMEM. */
long ct_sources_want(struct ct_sources *sources, const char *file, uint32_t line);

#endif
