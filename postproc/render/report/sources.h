/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source that the report names, and excerpts around them from files at hand. */
#ifndef CT_RENDER_REPORT_SOURCES_H
#define CT_RENDER_REPORT_SOURCES_H

#include "postproc/render/base/source_file.h"
#include "postproc/render/report/out.h"
#include "trace/read/reader.h"

struct ct_sources;

/* root: where to look for files before their own path; may be NULL. 0 or -ENOMEM */
int ct_sources_open(struct ct_sources **out, const char *root, enum ct_quoting quoting);
void ct_sources_close(struct ct_sources *sources); /* NULL is allowed */

/* Writes [file, line], file an index into what ct_sources_write lists, and
 * notes that the line is wanted; null without a file or line. */
void ct_sources_put(struct ct_sources *sources, struct ct_out *out, const char *key,
		    const char *file, uint32_t line);
/* Likewise of a launch's or allocation's descriptor; of a site with its column, if known. */
void ct_sources_put_site(struct ct_sources *sources, struct ct_out *out, const char *key,
			 const struct ct_unit *unit, uint32_t site);
void ct_sources_put_descriptor(struct ct_sources *sources, struct ct_out *out, const char *key,
			       const char *descriptor);

/* [{"path", "found", "excerpts": [[first line, "text", …], …]}]. Each line once. */
void ct_sources_write(struct ct_sources *sources, struct ct_out *out, const char *key);

#endif
