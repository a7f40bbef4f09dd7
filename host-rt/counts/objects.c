/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of the live objects, one for as long as none is allocated or freed. */
#include "host-rt/counts/objects.h"
#include "host-rt/events/objects.h"
#include <stdlib.h>

static struct ct_counts_snapshot *current;

static int compare(const void *a, const void *b)
{
	const struct ct_counts_object *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->object < y->object ? -1 : x->object > y->object;
}

/* Where a program has freed by a call that we do not see, and allocated again,
 * the newer object is meant. */
static uint32_t leave_out_covered(struct ct_counts_object *object, uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		bool is_covered = false;

		while (kept && object[kept - 1].end > object[i].start && !is_covered) {
			if (object[kept - 1].object > object[i].object)
				is_covered = true;
			else
				kept--;
		}
		if (!is_covered)
			object[kept++] = object[i];
	}
	return kept;
}

void ct_counts_snapshot_lay_out(struct ct_counts_snapshot *snapshot)
{
	struct ct_counts_object *object = snapshot->object;
	uint64_t words = 0, last = UINT64_MAX;

	qsort(object, snapshot->count, sizeof(*object), compare);
	snapshot->count = leave_out_covered(object, snapshot->count);
	snapshot->shared = 0;
	for (uint32_t i = 0; i < snapshot->count; i++) {
		uint64_t from = object[i].start >> CT_COUNTS_SECTOR_SHIFT;
		uint64_t to = (object[i].end - 1) >> CT_COUNTS_SECTOR_SHIFT;

		object[i].first_bit = words * 64;
		words += (to - from) / 64 + 1;
		if (object[i].start % (1u << CT_COUNTS_SECTOR_SHIFT) || from == last)
			snapshot->shared = 1;
		last = to;
	}
	snapshot->bit_words = snapshot->count > CT_COUNTS_OBJECTS ? 0 : words;
}

static void add(void *user, uint64_t address, uint64_t bytes, uint32_t id)
{
	struct ct_counts_snapshot *snapshot = user;

	if (bytes)
		snapshot->object[snapshot->count++] = (struct ct_counts_object){
		    .start = address, .end = address + bytes, .object = id};
}

struct ct_counts_snapshot *ct_counts_snapshot_now(void)
{
	uint64_t version = ct_objects_version();
	struct ct_counts_snapshot *snapshot = current;

	if (!snapshot || snapshot->version != version) {
		snapshot = malloc(sizeof(*snapshot) +
				  ct_objects_count() * sizeof(struct ct_counts_object));
		if (!snapshot)
			return NULL;
		*snapshot = (struct ct_counts_snapshot){.version = version, .references = 1};
		ct_objects_each(add, snapshot);
		ct_counts_snapshot_lay_out(snapshot);
		ct_counts_snapshot_drop(current);
		current = snapshot;
	}
	snapshot->references++;
	return snapshot;
}

void ct_counts_snapshot_drop(struct ct_counts_snapshot *snapshot)
{
	if (snapshot && --snapshot->references == 0)
		free(snapshot);
}
