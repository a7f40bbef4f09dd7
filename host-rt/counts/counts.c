/* SPDX-License-Identifier: Apache-2.0 */
/* Tier counts around a launch: an area for it, its objects, the reduction. */
#include "host-rt/counts/counts.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/symbols.h"
#include "host-rt/counts/read.h"
#include "host-rt/counts/slot.h"
#include "host-rt/counts/stream.h"
#include "host-rt/events/events.h"
#include "host-rt/events/objects.h"
#include "host-rt/events/session.h"
#include <cudatrace/ring.h>
#include <string.h>

/* Entries are fetched, with the next launch, when so many may have come together: else at waits
 * of the program, since to fetch them is to wait for a copy. */
#define UNREAD_MAX (CT_COUNTS_ENTRIES / 2)
/* So many areas are made before looking whether one is free by now. */
#define SLOTS_UNASKED 8u
/* A CTA of the reduction takes so much at once (device-rt/count_kernels.cuh), in words and in
 * sites. */
#define WORDS_PER_CTA 1024u
#define SITES_PER_CTA 8u
#define CTAS_PER_SM 2u /* which are there at once */

static bool is_values(void)
{
	return ct_session_options()->tier_number == CT_TIER_VALUES;
}

static bool is_idle(const struct ct_counts_slot *slot)
{
	return !slot->is_kept && !slot->users && slot->last == slot->done;
}

/* That of the stream, else one that is not used. */
static struct ct_counts_slot *find_slot(const struct ct_counts_device *counts, uint64_t stream,
					bool keep, const struct ct_counts_units *units)
{
	struct ct_counts_slot *idle = NULL;

	for (uint32_t i = 0; i < counts->slots; i++) {
		struct ct_counts_slot *slot = counts->slot[i];

		if (slot->units != units)
			continue;
		if (slot->stream == stream && slot->is_kept == keep)
			return slot;
		if (!idle && is_idle(slot))
			idle = slot;
	}
	return idle;
}

const char *ct_counts_take(struct ct_drain *drain, uint64_t stream, bool keep, uint64_t unit_id,
			   uint32_t unit_arch, struct ct_counts_use *use)
{
	struct ct_counts_device *counts = ct_counts_device_of(drain);
	const struct ct_counts_units *units = ct_counts_units_now();
	int unit = units ? ct_counts_units_find(units, unit_id, unit_arch) : -1;

	use->slot = NULL;
	if (!counts->ring)
		return "tier counts has no memory";
	if (!units)
		return "too many units for tier counts";
	if (unit < 0)
		return "its unit is not known";
	use->slot = find_slot(counts, stream, keep, units);
	if (!use->slot && counts->slots >= SLOTS_UNASKED && ct_counts_read(drain) == 0)
		use->slot = find_slot(counts, stream, keep, units);
	if (!use->slot)
		use->slot = ct_counts_slot_new(drain, units);
	if (!use->slot)
		return "no memory left for tier counts";
	use->slot->stream = stream;
	use->slot->is_kept = keep;
	use->slot->users += !keep;
	use->unit = (uint32_t)unit;
	use->flags = CT_LAUNCH_COUNTS | CT_COUNTS_FLAGS(use->slot->number, unit);
	if (is_values())
		use->flags |= CT_LAUNCH_VALUES;
	use->counters = use->slot->sites + sizeof(struct ct_counts_site) * units->unit[unit].first;
	use->row_bytes = sizeof(struct ct_counts_site) * (units->site_count + 1ull);
	return NULL;
}

/* Maps for the objects of now. Without memory for them there are none: what is touched is not
 * known then. Both locks held. */
static void fit_maps(struct ct_counts_slot *slot, uint64_t words)
{
	struct ct_counts_device *counts = ct_counts_device_of(slot->drain);
	uint64_t room = words + words / 2 + 64;

	if (slot->bits && words <= slot->bit_words)
		return;
	slot->bits = ct_counts_allocate(counts, 16 * room);
	if (!slot->bits) {
		room = words;
		slot->bits = ct_counts_allocate(counts, 16 * room);
	}
	slot->bit_words = slot->bits ? room : 0;
	slot->is_new_bits = slot->bits != 0;
}

/* Room for what the launch can leave, but for sites of other units. Session's lock held. */
static void make_room(struct ct_counts_slot *slot, uint32_t unit)
{
	struct ct_counts_device *counts = ct_counts_device_of(slot->drain);

	if (counts->unread >= UNREAD_MAX && ct_session_is_open())
		ct_counts_read(slot->drain);
	if (is_values())
		counts->unread += CT_COUNTS_SITE_ENTRIES * slot->units->unit[unit].sites + 2;
	else
		counts->unread += slot->units->unit[unit].sites + ct_objects_count() + 2;
}

/* True if the area has to be given its objects. Tier blocks asks for no objects. */
static bool renew_snapshot(struct ct_counts_slot *slot, uint32_t unit)
{
	struct ct_counts_snapshot *now;
	bool is_new;

	ct_session_lock();
	make_room(slot, unit);
	if (ct_session_options()->tier_number == CT_TIER_BLOCKS) {
		ct_session_unlock();
		return false;
	}
	now = ct_counts_snapshot_now();
	is_new = !now || now != slot->snapshot;
	if (is_new) {
		ct_counts_snapshot_drop(slot->snapshot);
		slot->snapshot = now;
		if (now && now->bit_words && !is_values())
			fit_maps(slot, now->bit_words);
	} else {
		ct_counts_snapshot_drop(now);
	}
	ct_session_unlock();
	return is_new;
}

static cudaError_t tell_objects(struct ct_counts_slot *slot, cudaStream_t stream)
{
	const struct ct_counts_snapshot *snapshot = slot->snapshot;
	bool is_known = is_values() ? snapshot && snapshot->count <= CT_COUNTS_OBJECTS
				    : snapshot && slot->bits && snapshot->bit_words &&
					  snapshot->bit_words <= slot->bit_words;
	struct ct_counts_batch batch = {.bits = is_known ? slot->bits : 0,
					.bit_words = slot->bit_words,
					.objects = is_known ? snapshot->count : 0,
					.shared = is_known ? snapshot->shared : 0};
	cudaError_t error = cudaSuccess;

	if (slot->is_new_bits)
		error = __real_cudaMemsetAsync((void *)(uintptr_t)slot->bits, 0,
					       16 * slot->bit_words, stream);
	slot->is_new_bits = false;
	do {
		uint32_t left = batch.objects - batch.first;

		batch.count = left < CT_COUNTS_BATCH ? left : CT_COUNTS_BATCH;
		if (batch.count)
			memcpy(batch.object, snapshot->object + batch.first,
			       batch.count * sizeof(batch.object[0]));
		if (error == cudaSuccess)
			error = ct_counts_stream_objects(slot->area, &batch, stream);
		batch.first += batch.count;
	} while (batch.first < batch.objects);
	return error;
}

void ct_counts_begin(const struct ct_counts_use *use, cudaStream_t stream)
{
	struct ct_counts_slot *slot = use->slot;
	struct ct_quiet quiet;

	if (!slot)
		return;
	ct_quiet_begin(&quiet);
	pthread_mutex_lock(&slot->lock);
	slot->is_failed = false;
	if (renew_snapshot(slot, use->unit) && tell_objects(slot, stream) != cudaSuccess) {
		slot->is_failed = true;
		ct_session_lock();
		ct_counts_snapshot_drop(slot->snapshot);
		slot->snapshot = NULL;
		ct_session_unlock();
	}
	ct_quiet_end(&quiet);
}

static uint32_t ctas_for(const struct ct_counts_slot *slot, uint32_t unit, uint32_t most)
{
	uint64_t ctas = slot->units->unit[unit].sites / SITES_PER_CTA + 1;

	if (!is_values() && slot->snapshot && slot->snapshot->bit_words / WORDS_PER_CTA > ctas)
		ctas = slot->snapshot->bit_words / WORDS_PER_CTA;
	return ctas < most ? (uint32_t)ctas : most;
}

void ct_counts_end(const struct ct_counts_use *use, cudaStream_t stream, uint32_t launch,
		   bool launched)
{
	struct ct_counts_slot *slot = use->slot;
	struct ct_counts_collect collect = {.launch = launch, .unit = use->unit};
	struct ct_counts_device *counts;
	struct ct_quiet quiet;

	if (!slot)
		return;
	counts = ct_counts_device_of(slot->drain);
	collect.area = slot->area;
	collect.ring = counts->ring;
	collect.number = slot->number;
	ct_quiet_begin(&quiet);
	if (launched && counts->ring &&
	    ct_counts_stream_collect(&collect, ctas_for(slot, use->unit, CTAS_PER_SM * counts->sms),
				     stream) != cudaSuccess)
		slot->is_failed = true;
	ct_session_lock();
	slot->users -= !slot->is_kept;
	if (launched && slot->is_failed && ct_session_is_open())
		ct_events_loss(UINT64_MAX, launch, "its counts could not be set up or reduced");
	else if (launched)
		slot->last = launch;
	ct_session_unlock();
	pthread_mutex_unlock(&slot->lock);
	ct_quiet_end(&quiet);
}

const struct ct_drain_extension ct_counts_extension = {
    .open = ct_counts_memory_open,
    .read = ct_counts_read,
    .finish = ct_counts_finish,
    .close = ct_counts_memory_close,
};
