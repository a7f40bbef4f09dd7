/* SPDX-License-Identifier: Apache-2.0 */
/* Values as text. */
#ifndef CT_POSTPROC_RENDER_BASE_NUMBER_H
#define CT_POSTPROC_RENDER_BASE_NUMBER_H

#include "postproc/facts/values.h"

#define CT_VALUE_TEXT_BYTES 2048u

/* A lane's value: "-3", "0.1", "0x7f…", elements of a vector as "1:2:3:4"; "-"
 * if the lane has none. Returns buffer. */
const char *ct_value_text(const struct ct_unit_site *site, const struct ct_values *values,
			  enum ct_role role, uint32_t lane, char buffer[CT_VALUE_TEXT_BYTES]);

#define CT_NUMBER_TEXT_BYTES 160u
/* An element of one. Returns buffer. */
const char *ct_number_text(const struct ct_number *number, char buffer[CT_NUMBER_TEXT_BYTES]);

#endif
