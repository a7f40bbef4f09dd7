/* SPDX-License-Identifier: Apache-2.0 */
/* Check unit blobs, bring them to today's version, take views into them. */
#ifndef CT_TRACE_CODEC_UNIT_H
#define CT_TRACE_CODEC_UNIT_H

#include <cudatrace/unit.h>
#include <stddef.h>
#include <stdint.h>

/* A unit blob, checked: every offset and index in it is in range. */
struct ct_unit {
	const struct ct_unit_header *header;
	const struct ct_unit_kernel *kernels;
	const struct ct_unit_param *params;
	const struct ct_unit_site *sites;
	const struct ct_unit_frame *frames;
	const struct ct_unit_block *blocks;
	const struct ct_unit_mix *mix;
	const struct ct_unit_step *steps;
	const uint32_t *next;
	const struct ct_unit_variable *variables;
	const struct ct_unit_statement *statements;
	const struct ct_unit_call *calls;
	const struct ct_unit_outcome *outcomes;
	const struct ct_unit_share *shares;
	const uint32_t *list;
	const char *strings;
};

/* A blob of an earlier version as one of today's: *converted, freed by the
 * caller, or NULL if it is of today's already. Checks only sizes. -CT_EFORMAT,
 * -CT_EVERSION or -ENOMEM. */
int ct_unit_convert(const void *blob, size_t bytes, void **converted, size_t *converted_bytes);

/* View blob (aligned to 8 bytes, not copied) after checking that every count,
 * offset and index in it is in range and every string terminated. -CT_EFORMAT
 * if not or of an earlier version, -CT_EVERSION if it is of a newer version. */
int ct_unit_view(struct ct_unit *unit, const void *blob, size_t bytes);

/* NUL-terminated string of a unit; offsets out of range give "". */
const char *ct_unit_string(const struct ct_unit *unit, uint32_t offset);

#endif
