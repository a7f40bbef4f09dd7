/* SPDX-License-Identifier: Apache-2.0 */
/* A stack for each stream: a wait hides those before it that covered no more than it does. Only
 * waits for events leave any, for they may cover less than those before. */
#include "host-rt/watch/order/reached.h"
#include "host-rt/watch/ranges/finished.h"
#include <string.h>

#define DEPTH 8u /* of more the first ones are forgotten */

static struct {
	struct ct_reached wait[DEPTH]; /* ascending in time, descending in sequence */
	uint32_t count;
} slots[CT_ORDER_SLOTS];

void ct_reached_add(uint32_t slot, const struct ct_reached *wait)
{
	uint32_t *count = &slots[slot].count;

	while (*count && slots[slot].wait[*count - 1].sequence <= wait->sequence)
		--*count;
	if (*count == DEPTH)
		memmove(&slots[slot].wait[0], &slots[slot].wait[1],
			--*count * sizeof(slots[slot].wait[0]));
	slots[slot].wait[(*count)++] = *wait;
}

struct ct_reached *ct_reached_by(uint32_t slot, uint64_t sequence)
{
	for (uint32_t i = slots[slot].count; i-- > 0;)
		if (slots[slot].wait[i].sequence >= sequence)
			return &slots[slot].wait[i];
	return NULL;
}

struct ct_reached *ct_reached_last(uint32_t slot)
{
	return slots[slot].count ? &slots[slot].wait[slots[slot].count - 1] : NULL;
}

void ct_reached_tell(const struct ct_reached *wait, enum ct_use_origin origin,
		     const struct ct_block *block, uint32_t producer,
		     const struct ct_watch_touch *access)
{
	ct_finished_use(&(struct ct_watch_use){
	    .row = {.time_ns = access->time_ns,
		    .address = block ? block->address : 0,
		    .bytes = block ? block->bytes : 0,
		    .at = access->at,
		    .at_bytes = access->bytes,
		    .rows = 1,
		    .wait = wait->call,
		    .producer = producer,
		    .thread = access->thread,
		    .stack = access->stack,
		    .origin = (uint8_t)origin,
		    .kind = access->kind,
		    .means = access->means},
	    .reason = access->reason,
	});
}

/* For what has no range. Of the stream it is known though nothing has seen its work. */
void ct_reached_wait(const struct ct_row_wait *row, enum ct_watch_scope scope, int device,
		     uint32_t own, const uint64_t *reached)
{
	struct ct_reached one = {.end_ns = row->end_ns,
				 .call = row->call,
				 .is_asked = !(row->flags & CT_WAIT_NOT_ASKED)};

	for (uint32_t slot = 0; slot < ct_watch_slots(); slot++) {
		bool is_whole = scope == CT_WATCH_ALL ||
				(scope == CT_WATCH_DEVICE && ct_watch_slot_device(slot) == device);

		one.sequence = is_whole ? ct_watch_order_now() : reached ? reached[slot] : 0;
		if (one.sequence || slot == own)
			ct_reached_add(slot, &one);
	}
}
