/* SPDX-License-Identifier: Apache-2.0 */
/* Values as JSON. */
#ifndef CT_POSTPROC_FORMATS_DUMP_VALUE_H
#define CT_POSTPROC_FORMATS_DUMP_VALUE_H

#include "base/json.h"
#include "postproc/facts/values.h"

/* A lane's value under a key: a number, or a string where JSON numbers fall short, or an
 * array of those; null if the lane has none. */
void ct_value_put(struct ct_json *json, const char *key, const struct ct_unit_site *site,
		  const struct ct_values *values, enum ct_role role, uint32_t lane);

#endif
