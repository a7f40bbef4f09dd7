/* SPDX-License-Identifier: Apache-2.0 */
/* Entries that reductions have left in the device's ring become COUNT and TOUCHED events. */
#include "host-rt/counts/read.h"
#include "host-rt/counts/slot.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define PIECE 4096u /* entries fetched at once */

static void write_count(const struct ct_counts_slot *slot, const struct ct_counts_entry *entry)
{
	struct ct_event_count event = {.launch = entry->launch,
				       .site = CT_NONE,
				       .warps = entry->value[0],
				       .lanes = entry->value[1],
				       .sectors = entry->value[2],
				       .bytes = entry->value[3]};
	const struct ct_unit_header *unit =
	    ct_counts_units_site(slot->units, entry->index, &event.site);

	event.unit_id = unit ? unit->unit_id : 0;
	ct_events_write(ct_event_count_header(&event));
}

/* As in tier counts, but for sectors. */
static void write_count_of(const struct ct_event_summary *summary,
			   const struct ct_unit_header *unit)
{
	struct ct_event_count event = {.launch = summary->launch,
				       .site = summary->site,
				       .unit_id = summary->unit_id,
				       .warps = summary->warps};
	const struct ct_unit_site *site;
	int is_typed;

	if (unit) {
		site = &ct_counts_unit_sites(unit)[summary->site];
		event.bytes = summary->elements * ct_summary_element_bytes(site, &is_typed);
		event.lanes = site->bytes ? event.bytes / site->bytes : 0;
	}
	ct_events_write(ct_event_count_header(&event));
}

/* Joins the entries of a site in tier values. */
static void write_summary(const struct ct_counts_slot *slot, const struct ct_counts_entry *entry,
			  const struct ct_counts_summary *sum)
{
	struct ct_event_summary event = {.launch = entry->launch,
					 .site = CT_NONE,
					 .warps = entry->value[0],
					 .elements = entry->value[1],
					 .zeros = entry->value[2],
					 .same = entry->value[3],
					 .high = sum->high,
					 .low = sum->low,
					 .properties = sum->properties,
					 .object = sum->hint};
	const struct ct_unit_header *unit =
	    ct_counts_units_site(slot->units, entry->index, &event.site);

	event.unit_id = unit ? unit->unit_id : 0;
	memcpy(event.maps, sum->map, sizeof(event.maps));
	write_count_of(&event, unit);
	ct_events_write(ct_event_summary_header(&event));
}

/* The next entry of a site, which come one after another. */
static void take_summary(struct ct_counts_device *counts, const struct ct_counts_slot *slot,
			 const struct ct_counts_entry *entry)
{
	if (entry->kind == CT_COUNTS_SITE) {
		counts->summary.site = *entry;
		counts->summary.entries = 0;
	} else {
		memcpy((char *)&counts->summary.sum +
			   counts->summary.entries * sizeof(entry->value),
		       entry->value, sizeof(entry->value));
		counts->summary.entries++;
	}
	if (counts->summary.entries == CT_COUNTS_SITE_ENTRIES - 1) {
		counts->summary.entries = 0;
		write_summary(slot, &counts->summary.site, &counts->summary.sum);
	}
}

static void write_touched(uint32_t launch, uint32_t object, uint64_t read, uint64_t written)
{
	struct ct_event_touched event = {
	    .launch = launch, .object = object, .read = read, .written = written};

	ct_events_write(ct_event_touched_header(&event));
}

static void end_launch(struct ct_counts_slot *slot, const struct ct_counts_entry *entry)
{
	if (!entry->index && ct_session_options()->tier_number != CT_TIER_BLOCKS)
		write_touched(entry->launch, 0, UINT64_MAX, UINT64_MAX);
	if (slot->seen != entry->value[0])
		ct_events_loss(UINT64_MAX, entry->launch, "its counts found no room on the device");
	slot->done = entry->launch;
	slot->seen = 0;
}

static void write_entry(struct ct_counts_device *counts, const struct ct_counts_entry *entry)
{
	struct ct_counts_slot *slot =
	    entry->area < counts->slots ? counts->slot[entry->area] : NULL;

	if (!slot)
		return;
	if (entry->kind == CT_COUNTS_DONE) {
		end_launch(slot, entry);
		return;
	}
	slot->seen++;
	if (ct_session_options()->tier_number == CT_TIER_VALUES)
		take_summary(counts, slot, entry);
	else if (entry->kind == CT_COUNTS_SITE)
		write_count(slot, entry);
	else
		write_touched(entry->launch, entry->index, entry->value[0], entry->value[1]);
}

/* The ring's head. On the CPU target it lies here, and moves. */
static int fetch_head(struct ct_drain *drain, const struct ct_counts_device *counts,
		      struct ct_counts_ring *ring)
{
	const struct ct_counts_ring *here = (const struct ct_counts_ring *)(uintptr_t)counts->ring;

	if (!ct_device_is_cpu_target())
		return ct_counts_download(drain, ring, counts->ring, sizeof(*ring));
	ring->head = __atomic_load_n(&here->head, __ATOMIC_RELAXED);
	ring->entries = here->entries;
	return 0;
}

static int store_tail(struct ct_drain *drain, const struct ct_counts_device *counts)
{
	struct ct_counts_ring *here = (struct ct_counts_ring *)(uintptr_t)counts->ring;

	if (!ct_device_is_cpu_target())
		return ct_counts_upload(drain, counts->ring + offsetof(struct ct_counts_ring, tail),
					&counts->tail, sizeof(counts->tail));
	__atomic_store_n(&here->tail, counts->tail, __ATOMIC_RELEASE);
	return 0;
}

/* Entries at `from`, of which the first has this mark, as far as they are there. Returns how many.
 */
static uint64_t take_here(struct ct_counts_entry *entry, uint64_t from, uint64_t count,
			  uint64_t mark)
{
	const struct ct_counts_entry *here = (const struct ct_counts_entry *)(uintptr_t)from;
	uint64_t there = 0;

	while (there < count &&
	       __atomic_load_n(&here[there].mark, __ATOMIC_ACQUIRE) == mark + there) {
		memcpy((char *)&entry[there] + sizeof(entry->mark),
		       (const char *)&here[there] + sizeof(entry->mark),
		       sizeof(*entry) - sizeof(entry->mark));
		there++;
	}
	return there;
}

/* The same from device memory. Twice: only what was marked when it was fetched first is whole the
 * second time. Or a negative error. */
static int64_t take_there(struct ct_drain *drain, struct ct_counts_entry *entry, uint64_t from,
			  uint64_t count, uint64_t mark)
{
	int err = ct_counts_download(drain, entry, from, count * sizeof(*entry));
	uint64_t there = 0;

	while (err == 0 && there < count && entry[there].mark == mark + there)
		there++;
	if (err == 0 && there)
		err = ct_counts_download(drain, entry, from, there * sizeof(*entry));
	return err < 0 ? err : (int64_t)there;
}

/* Write entries from the tail on, at most PIECE and not past the ring's end. Returns how many, or
 * a negative error. */
static int64_t take_piece(struct ct_drain *drain, struct ct_counts_device *counts,
			  const struct ct_counts_ring *ring, struct ct_counts_entry *entry)
{
	uint64_t first = counts->tail % CT_COUNTS_ENTRIES, count = ring->head - counts->tail;
	uint64_t from = ring->entries + first * sizeof(*entry);
	int64_t there;

	count = count < PIECE ? count : PIECE;
	count = count < CT_COUNTS_ENTRIES - first ? count : CT_COUNTS_ENTRIES - first;
	if (ct_device_is_cpu_target())
		there = (int64_t)take_here(entry, from, count, counts->tail + 1);
	else
		there = take_there(drain, entry, from, count, counts->tail + 1);
	for (int64_t i = 0; i < there; i++)
		write_entry(counts, &entry[i]);
	counts->tail += there > 0 ? (uint64_t)there : 0;
	return there;
}

int ct_counts_read(struct ct_drain *drain)
{
	struct ct_counts_device *counts = ct_counts_device_of(drain);
	struct ct_counts_entry *entry;
	struct ct_counts_ring ring;
	int64_t taken = 1;
	int err;

	if (!counts->ring || drain->phase != CT_DRAIN_READY)
		return 0;
	counts->unread = 0;
	err = fetch_head(drain, counts, &ring);
	if (err < 0 || ring.head == counts->tail)
		return err;
	entry = malloc(PIECE * sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	while (taken > 0 && counts->tail < ring.head)
		taken = take_piece(drain, counts, &ring, entry);
	free(entry);
	err = store_tail(drain, counts);
	return taken < 0 ? (int)taken : err;
}

int ct_counts_finish(struct ct_drain *drain)
{
	struct ct_counts_device *counts = ct_counts_device_of(drain);
	int err = ct_counts_read(drain);

	for (uint32_t i = 0; err == 0 && i < counts->slots; i++)
		if (counts->slot[i]->last != counts->slot[i]->done) {
			ct_events_loss(UINT64_MAX, counts->slot[i]->last,
				       "its counts have not come in");
			counts->slot[i]->done = counts->slot[i]->last;
		}
	return err;
}
