/* SPDX-License-Identifier: Apache-2.0 */
/* A list of what no wait has covered yet. */
#include "host-rt/watch/order/hidden.h"
#include "host-rt/watch/ranges/finished.h"

#define ROOM 1024u /* of more that no wait covers the first ones are forgotten */

struct hidden {
	uint64_t sequence;
	const char *reason;
	uint32_t slot, producer;
};

static struct hidden hidden[ROOM];
static uint32_t count;

static const char *exported; /* atomic: why waits may be others'; NULL */

void ct_hidden_add(const char *reason, uint32_t slot, uint64_t sequence, uint32_t producer)
{
	for (uint32_t i = 0; count == ROOM && i + 1 < ROOM; i++)
		hidden[i] = hidden[i + 1];
	count -= count == ROOM;
	hidden[count++] = (struct hidden){sequence, reason, slot, producer};
}

static void tell(const struct ct_row_wait *row, const struct hidden *work)
{
	ct_finished_use(&(struct ct_watch_use){.row = {.time_ns = row->end_ns,
						       .wait = row->call,
						       .producer = work->producer,
						       .rows = 1,
						       .kind = CT_USE_UNKNOWN,
						       .means = CT_MEANS_CALLS},
					       .reason = work->reason});
}

void ct_hidden_wait(const struct ct_row_wait *row,
		    bool (*is_covered)(const void *user, uint32_t slot, uint64_t sequence),
		    const void *user)
{
	const char *reported = NULL;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (!is_covered(user, hidden[i].slot, hidden[i].sequence)) {
			hidden[kept++] = hidden[i];
			continue;
		}
		if (hidden[i].reason != reported && !(row->flags & CT_WAIT_NOT_ASKED))
			tell(row, &hidden[i]);
		reported = hidden[i].reason;
	}
	count = kept;
}

void ct_hidden_export(const char *reason)
{
	__atomic_store_n(&exported, reason, __ATOMIC_RELAXED);
}

void ct_hidden_tell_exported(const struct ct_row_wait *row)
{
	struct ct_watch_use use = {.row = {.time_ns = row->end_ns,
					   .wait = row->call,
					   .rows = 1,
					   .origin = CT_PROTECTS_DEVICE,
					   .kind = CT_USE_UNKNOWN,
					   .means = CT_MEANS_CALLS},
				   .reason = __atomic_load_n(&exported, __ATOMIC_RELAXED)};

	if (use.reason && !(row->flags & CT_WAIT_NOT_ASKED))
		ct_finished_use(&use);
}
