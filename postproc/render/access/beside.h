/* SPDX-License-Identifier: Apache-2.0 */
/* What is shown beside accesses, of analyses of their own: branches, distances of reuse,
 * races. */
#ifndef CT_RENDER_ACCESS_BESIDE_H
#define CT_RENDER_ACCESS_BESIDE_H

#include "base/json.h"
#include "postproc/render/access/access.h"

/* Where in objects, and at which lines, sectors are moved. 0 or a negative error */
int ct_access_write_heat(FILE *out, const struct ct_access_output *output,
			 const struct ct_style *style);
void ct_access_put_heat(struct ct_json *json, const struct ct_access_results *results);

/* Nothing without blocks in the trace. 0 or a negative error */
int ct_access_write_branches(FILE *out, const struct ct_access_output *output,
			     const struct ct_style *style);
void ct_access_put_branches(struct ct_json *json, const struct ct_branches_results *results);

/* Nothing where it was not asked for. 0 or a negative error */
int ct_access_write_reuse(FILE *out, const struct ct_access_output *output,
			  const struct ct_style *style);
void ct_access_put_reuse(struct ct_json *json, const struct ct_reuse_results *results);

/* Likewise. */
int ct_access_write_races(FILE *out, const struct ct_access_output *output,
			  const struct ct_style *style);
void ct_access_put_races(struct ct_json *json, const struct ct_access_output *output);

#endif
