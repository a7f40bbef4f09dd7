/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which CTAs the products make partners of each other: over all supersteps, of one writing
 * superstep, of one reading, of a pair of kernels. A cover is a union of products of sets; covers
 * that are the same are one.
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FLOWS_COVER_H
#define CT_POSTPROC_ANALYSIS_COMM_FLOWS_COVER_H

#include "postproc/analysis/comm/base/engine.h"
#include "postproc/analysis/comm/flows/products.h"

#define CT_NO_COVER UINT32_MAX

struct ct_cover_block {
	uint32_t sources, targets; /* sets */
};

struct ct_cover {
	size_t first, count; /* in ct_covers.part */
};

struct ct_covers {
	const struct ct_products *products;
	struct ct_cover_block *part;
	size_t parts, part_room;
	struct ct_cover *cover;
	size_t covers, cover_room;
	struct ct_map number; /* by hash of the parts: 1 + index */
	uint32_t of_all;
	uint32_t *of_step;     /* by writing superstep */
	uint32_t *of_reader;   /* by reading superstep */
	struct ct_map of_pair; /* CT_PAIR_KEY: 1 + index */
};

/* Products are finished. -ENOMEM */
int ct_covers_init(struct ct_covers *covers, const struct ct_engine *engine);
void ct_covers_fini(struct ct_covers *covers);

static inline uint32_t ct_cover_of_pair(const struct ct_covers *covers, uint64_t pair)
{
	const union ct_map_value *value = ct_map_find(&covers->of_pair, pair, 0);

	return value ? (uint32_t)value->number - 1 : CT_NO_COVER;
}

/* Views all covers of one CTA; of one thread. */
struct ct_cover_view {
	size_t count; /* sets of partners */
	uint64_t partners;
};

struct ct_cover_cursor {
	const struct ct_covers *covers;
	bool is_target; /* the CTA is one: its partners are sources */
	uint32_t cta;
	bool *is_in;                /* by set: the CTA */
	uint32_t *sets;             /* by part: those of the covers' partners, at cover.first */
	struct ct_cover_view *view; /* by cover */
	uint64_t *bits;             /* by CTA, all 0 */
	uint32_t *spare;
};

int ct_cover_cursor_init(struct ct_cover_cursor *cursor, const struct ct_covers *covers,
			 uint64_t ctas, bool is_target);
void ct_cover_cursor_fini(struct ct_cover_cursor *cursor);
void ct_cover_cursor_move(struct ct_cover_cursor *cursor, uint32_t cta);
/* Whether the CTA at hand is in it; cover may be CT_NO_COVER. */
bool ct_cover_has(const struct ct_cover_cursor *cursor, uint32_t cover, uint32_t partner);
/* with_itself: if it is its own partner, that counts. */
uint64_t ct_cover_partners(const struct ct_cover_cursor *cursor, uint32_t cover, bool with_itself);

#endif
