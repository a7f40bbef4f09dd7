/* SPDX-License-Identifier: Apache-2.0 */
/* Figures by kernel, site and group of objects, of one thread; and those of several together. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_ROWS_H
#define CT_POSTPROC_ANALYSIS_ACCESS_ROWS_H

#include "postproc/analysis/access/engine.h"

struct ct_access_rows;

int ct_access_rows_open(struct ct_access_rows **out, uint32_t sites);
void ct_access_rows_close(struct ct_access_rows *rows); /* NULL is allowed */

/* Those of a row, from 0; site: of all units. Valid until the next find. NULL: no memory. */
struct ct_access_figures *ct_access_rows_find(struct ct_access_rows *rows, uint32_t kernel,
					      uint32_t group, uint32_t site);

int ct_access_rows_join(struct ct_access_rows *rows, const struct ct_access_rows *from);
/* As bytes for another process of the same trace, and back. 0, -ENOMEM, -EPROTO. */
int ct_access_rows_pack(const struct ct_access_rows *rows, struct ct_buffer *bytes);
int ct_access_rows_unpack(struct ct_access_rows *rows, const void *bytes, size_t count);

/* By kernel, group and site; without distinct bytes. The caller frees it. 0 or -ENOMEM */
int ct_access_rows_sorted(const struct ct_access_rows *rows, const struct ct_access_engine *engine,
			  struct ct_access_row **sorted, size_t *count);

#endif
