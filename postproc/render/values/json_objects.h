/* SPDX-License-Identifier: Apache-2.0 */
/* Of the JSON of values: when objects live, memory over time, what flows between objects. */
#ifndef CT_RENDER_VALUES_JSON_OBJECTS_H
#define CT_RENDER_VALUES_JSON_OBJECTS_H

#include "base/json.h"
#include "postproc/analysis/values/findings/findings.h"

/* Bits 1 << enum ct_values_life_id, as texts of the array at hand. */
void ct_values_put_life_patterns(struct ct_json *json, unsigned patterns);
/* "lifetimes" */
void ct_values_put_lives(struct ct_json *json, const struct ct_values_figures *figures);
/* "memory" */
void ct_values_put_memory(struct ct_json *json, const struct ct_values_memory *memory);
/* "nodes" and "flows" */
void ct_values_put_flows(struct ct_json *json, const struct ct_values_figures *figures);

#endif
