/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An access whose values are still to come, as they may in a later chunk: the
 * current warp's, and those of other warps, which are parked meanwhile.
 */
#ifndef CT_TRACE_HELD_H
#define CT_TRACE_HELD_H

#include "trace/codec/decode.h"
#include "trace/read/reader.h"

#include <stdbool.h>

struct ct_held {
	struct ct_access access; /* mask 0: nothing is held */
	uint64_t range[CT_WARP_LANES];
	uint32_t expected;                              /* bit 1 << part: these complete it */
	struct ct_decoded_value values[CT_VALUE_PARTS]; /* mask 0: not there */
};

/* Begin to hold access, without values. */
void ct_held_begin(struct ct_held *held, const struct ct_access *access);

/* Add a value of the site's. Returns false if it belongs to another access. */
bool ct_held_add(struct ct_held *held, const struct ct_unit *unit, uint32_t site,
		 const struct ct_decoded_value *value);

/* Whether this value, of all lanes, is all that an access is held for, as it mostly is. */
bool ct_held_waits_for(const struct ct_held *held, const struct ct_unit *unit, uint32_t site,
		       const struct ct_decoded_value *value);

/* Whether every lane has every value that is expected of its site. */
bool ct_held_is_complete(const struct ct_held *held);

struct ct_parking;

int ct_parking_open(struct ct_parking **out);
void ct_parking_close(struct ct_parking *parking); /* NULL is allowed; drops what is in it */

/* Move held, which is empty afterwards, into the parking, where nothing of its warp is: it was
 * taken. -ENOMEM leaves it as it was. */
int ct_parking_put(struct ct_parking *parking, struct ct_held *held);

/* Move what is parked for a warp to held, if there is anything. */
void ct_parking_take(struct ct_parking *parking, const struct ct_launch_info *launch, uint64_t cta,
		     uint32_t warp, struct ct_held *held);

/* Move all, one by one, to held, and call moved after each. */
void ct_parking_empty(struct ct_parking *parking, struct ct_held *held, void (*moved)(void *user),
		      void *user);

/* Whether there is so much in it that it should be emptied. */
bool ct_parking_is_full(const struct ct_parking *parking);

#endif
