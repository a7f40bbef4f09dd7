/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses whose values are still to come, as they may in a later chunk: the
 * current warp's, and those of other warps, which are parked meanwhile. There are
 * several at a time where a group's members are reported before their values.
 */
#ifndef CT_TRACE_READ_HELD_H
#define CT_TRACE_READ_HELD_H

#include "trace/codec/decode.h"
#include "trace/read/reader.h"

#include <stdbool.h>

/* The bytes that a range has moved, piece by piece in their order. */
struct ct_held_content {
	uint32_t count, room;
	struct ct_decoded_value piece[];
};

struct ct_held {
	struct ct_access access;
	uint64_t range[CT_WARP_LANES];
	bool is_reported; /* a range with more content than is kept: it has been handed out */
	struct ct_held_content *content;                /* owned; NULL: none */
	uint32_t expected;                              /* bit 1 << part: these complete it */
	struct ct_decoded_value values[CT_VALUE_PARTS]; /* mask 0: not there */
};

/* In the order of the program: at[begin] up to at[end]. */
struct ct_held_row {
	uint32_t begin, end; /* equal: nothing is held */
	struct ct_held at[CT_GROUP_MEMBERS];
};

static inline bool ct_held_row_is_empty(const struct ct_held_row *row)
{
	return row->begin == row->end;
}

/* No room for one more. */
static inline bool ct_held_row_is_full(const struct ct_held_row *row)
{
	return row->end == CT_GROUP_MEMBERS;
}

/* Hold one more access, without values, where there is room. */
void ct_held_row_append(struct ct_held_row *row, const struct ct_access *access);

/* Whether none of the lanes has an access there: lanes of a warp that has diverged take turns. */
bool ct_held_row_is_beside(const struct ct_held_row *row, uint32_t mask);

/* The last access of the site by all of these lanes that is held, NULL if none is. */
struct ct_held *ct_held_row_find(struct ct_held_row *row, const struct ct_unit *unit, uint32_t site,
				 uint32_t mask);

/* Add a value of the access's site. Returns false if it belongs to another access. */
bool ct_held_add(struct ct_held *held, const struct ct_decoded_value *value);

/* Whether this value, of all lanes, is all that an access is held for, as it mostly is. */
bool ct_held_waits_for(const struct ct_held *held, const struct ct_decoded_value *value);

/* Keep a piece of the content of a range, so that it comes right behind the access whatever other
 * warps do in between. Returns false if there is too much of it, or no memory. */
bool ct_held_keep(struct ct_held *held, const struct ct_decoded_value *piece);
void ct_held_drop_content(struct ct_held *held);

/* Whether every lane has every value that is expected of its site. */
bool ct_held_is_complete(const struct ct_held *held);

struct ct_parking;

int ct_parking_open(struct ct_parking **out);
void ct_parking_close(struct ct_parking *parking); /* NULL is allowed; drops what is in it */

/* Move row, which is not empty but is afterwards, into the parking, where nothing of its warp is:
 * it was taken. -ENOMEM leaves it as it was. */
int ct_parking_put(struct ct_parking *parking, struct ct_held_row *row);

/* Move what is parked for a warp to row, which is empty, if there is anything. */
void ct_parking_take(struct ct_parking *parking, const struct ct_launch_info *launch, uint64_t cta,
		     uint32_t warp, struct ct_held_row *row);

/* Move all, warp by warp, to row, and call moved after each, which leaves it empty. */
void ct_parking_empty(struct ct_parking *parking, struct ct_held_row *row,
		      void (*moved)(void *user), void *user);

/* Whether there is so much in it that it should be emptied. */
bool ct_parking_is_full(const struct ct_parking *parking);

#endif
