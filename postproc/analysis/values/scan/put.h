/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of lanes on their way to the shuffles: as pieces, divided by page and object, and their
 * values as entries of sets. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_SCAN_PUT_H
#define CT_POSTPROC_ANALYSIS_VALUES_SCAN_PUT_H

#include "postproc/analysis/values/base/piece.h"
#include "postproc/analysis/values/scan/entries.h"
#include "postproc/facts/locate.h"

/* One writer of the shuffles has this. */
struct ct_value_put {
	struct ct_value_engine *engine;
	uint32_t writer;
	struct ct_locator locator;
	struct ct_value_entries *entries;    /* NULL: of transfers */
	const struct ct_launch_info *launch; /* whose superstep place has */
	struct ct_value_place place;         /* of the record at hand, and the last piece */
	ct_value_key key;                    /* of the place, without page and order */
};

/* The same element of the vectors of some lanes. */
struct ct_value_element {
	const struct ct_value_site *site;
	uint32_t number; /* site of all units; CT_NONE: it does not count */
	enum ct_value_operation operation;
	bool is_linear; /* lane l is at address[first] + (l - first) * stride */
	int64_t stride;
	const uint64_t *address, *value; /* by lane */
	uint32_t sharing;                /* of ranges: see base/piece.h */
};

/* The place has another superstep, CTA or warp. */
void ct_value_put_move(struct ct_value_put *put);

/* 0, -ENOMEM, -EOVERFLOW (more pieces than are told apart), or an error of the shuffle. */
int ct_value_put_element(struct ct_value_put *put, const struct ct_value_element *element,
			 uint32_t lanes);
/* Describes what a range writes: operation OVERWRITE, with what is not known; FILL: with the
 * pattern, again and again, in the object. */
struct ct_value_range {
	enum ct_value_operation operation;
	uint64_t pattern;
	uint32_t object; /* CT_NONE: not known */
	bool is_read;    /* OVERWRITE: it is read, not written */
};
int ct_value_put_range(struct ct_value_put *put, uint64_t address, uint64_t bytes,
		       const struct ct_value_range *range);

#endif
