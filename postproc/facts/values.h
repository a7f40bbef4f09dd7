/* SPDX-License-Identifier: Apache-2.0 */
/* The values of one access, lane by lane, put together from their parts. */
#ifndef CT_POSTPROC_FACTS_VALUES_H
#define CT_POSTPROC_FACTS_VALUES_H

#include "trace/read/reader.h"

#define CT_VALUE_BYTES 64u /* four parts */

enum ct_role { CT_ROLE_VALUE, CT_ROLE_COMPARE, CT_ROLE_RETURNED, CT_ROLES };

struct ct_values {
	uint32_t mask[CT_ROLES];  /* lanes that have one */
	uint32_t bytes[CT_ROLES]; /* of it */
	uint8_t data[CT_ROLES][CT_WARP_LANES][CT_VALUE_BYTES];
};

void ct_values_clear(struct ct_values *values);
void ct_values_add(struct ct_values *values, const struct ct_value *value);

/* "value", "compare", "returned" */
const char *ct_role_text(enum ct_role role);

/* One element of a value as its site's type says. */
enum ct_number_kind { CT_NUMBER_SIGNED, CT_NUMBER_FLOAT, CT_NUMBER_HEX };

struct ct_number {
	enum ct_number_kind kind;
	int64_t integer;               /* of SIGNED */
	double real;                   /* of FLOAT */
	uint32_t bits;                 /* of FLOAT: width of the format */
	uint8_t bytes[CT_VALUE_BYTES]; /* of HEX, least significant first */
	uint32_t byte_count;
};

/* How many elements a value of so many bytes at the site has: at least 1. */
uint32_t ct_number_count(const struct ct_unit_site *site, uint32_t bytes);

/* Element i of a value of the site. */
void ct_number_read(const struct ct_unit_site *site, const uint8_t *data, uint32_t bytes,
		    uint32_t i, struct ct_number *number);

#endif
