/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of tier counts on a device: areas, the ring of entries, maps. */
#include "host-rt/counts/slot.h"
#include "host-rt/calls/symbols.h"
#include "host-rt/counts/stream.h"
#include "host-rt/events/session.h"
#include <cudatrace/error.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Tier counts may take this part of the device's memory. */
#define BUDGET_PART 16u
#define ALIGNMENT 256u

static struct ct_counts_device devices[CT_DEVICES_MAX];

struct ct_counts_device *ct_counts_device_of(const struct ct_drain *drain)
{
	return &devices[drain->device->ordinal];
}

uint64_t ct_counts_allocate(struct ct_counts_device *counts, uint64_t bytes)
{
	struct ct_counts_memory *memory;

	if (bytes > counts->budget - counts->used)
		return 0;
	memory = calloc(1, sizeof(*memory));
	if (!memory)
		return 0;
	if (__real_cudaMalloc(&memory->address, bytes) != cudaSuccess) {
		free(memory);
		return 0;
	}
	counts->used += bytes;
	memory->next = counts->memory;
	counts->memory = memory;
	return (uint64_t)(uintptr_t)memory->address;
}

static int copy(const struct ct_drain *drain, void *to, const void *from, uint64_t bytes,
		enum cudaMemcpyKind kind)
{
	if (__real_cudaMemcpyAsync(to, from, bytes, kind, drain->stream) != cudaSuccess ||
	    __real_cudaStreamSynchronize(drain->stream) != cudaSuccess)
		return -CT_ECUDA;
	return 0;
}

int ct_counts_upload(const struct ct_drain *drain, uint64_t to, const void *from, uint64_t bytes)
{
	return copy(drain, (void *)(uintptr_t)to, from, bytes, cudaMemcpyHostToDevice);
}

int ct_counts_download(const struct ct_drain *drain, void *to, uint64_t from, uint64_t bytes)
{
	return copy(drain, to, (const void *)(uintptr_t)from, bytes, cudaMemcpyDeviceToHost);
}

/* Zeros by copying: a memset is a kernel, and might wait for one of the program's. */
static int upload_zeros(const struct ct_drain *drain, uint64_t to, uint64_t bytes)
{
	enum { PIECE = 1 << 20 };
	char *zeros = calloc(1, PIECE);
	int err = zeros ? 0 : -ENOMEM;

	for (uint64_t done = 0; err == 0 && done < bytes; done += PIECE)
		err = ct_counts_upload(drain, to + done, zeros,
				       bytes - done < PIECE ? bytes - done : PIECE);
	free(zeros);
	return err;
}

int ct_counts_memory_open(struct ct_drain *drain)
{
	struct ct_counts_device *counts = ct_counts_device_of(drain);
	const uint64_t table_bytes = 8ull * CT_COUNTS_AREAS;
	struct {
		uint64_t table[CT_COUNTS_AREAS];
		struct ct_counts_ring ring;
	} * image;
	size_t left = 0, total = 0;
	uint64_t base = 0;
	int sms = 1, err = -ENOMEM;

	if (!ct_counts_stream_load() || cudaMemGetInfo(&left, &total) != cudaSuccess)
		return -CT_ECUDA;
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, drain->device->ordinal);
	*counts = (struct ct_counts_device){.budget = total / BUDGET_PART, .sms = (uint32_t)sms};
	image = calloc(1, sizeof(*image));
	if (image)
		base = ct_counts_allocate(counts, sizeof(*image));
	if (base)
		image->ring.entries =
		    ct_counts_allocate(counts, sizeof(struct ct_counts_entry) * CT_COUNTS_ENTRIES);
	if (base && image->ring.entries)
		err = ct_counts_upload(drain, base, image, sizeof(*image));
	if (err == 0)
		err = upload_zeros(drain, image->ring.entries,
				   sizeof(struct ct_counts_entry) * CT_COUNTS_ENTRIES);
	if (err == 0) {
		drain->context.counts = base;
		counts->ring = base + table_bytes;
	}
	free(image);
	if (err < 0)
		ct_counts_memory_close(drain, true);
	return err;
}

static uint64_t aligned(uint64_t bytes)
{
	return (bytes + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
}

/* These words of an area never change, in front of what begins as zeros. */
struct image {
	/* Offsets; of summaries 0 if there are none. */
	uint64_t units, operations, objects, sums, reported, sites, summaries, bytes;
	uint64_t fixed; /* bytes to upload */
};

static void lay_out(struct image *image, const struct ct_counts_units *units)
{
	image->units = aligned(sizeof(struct ct_counts_area));
	image->operations =
	    image->units + aligned(units->unit_count * sizeof(struct ct_counts_unit));
	image->fixed = image->operations + aligned((units->site_count + 1ull) * sizeof(uint32_t));
	image->objects = image->fixed + aligned(sizeof(struct ct_counts_object)); /* hint 0 */
	image->sums = image->objects + aligned(CT_COUNTS_OBJECTS * sizeof(struct ct_counts_object));
	image->reported = image->sums + aligned(CT_COUNTS_OBJECTS * 2ull * sizeof(uint64_t));
	image->sites = image->reported + aligned(CT_COUNTS_REPORTED * sizeof(uint64_t));
	image->bytes = image->sites + (units->site_count + 1ull) * CT_COUNTS_REPLICAS *
					  sizeof(struct ct_counts_site);
	image->summaries = 0;
	if (ct_session_options()->tier_number != CT_TIER_VALUES)
		return;
	image->summaries = aligned(image->bytes);
	image->bytes = image->summaries + (units->site_count + 1ull) * CT_SUMMARY_ROWS *
					      sizeof(struct ct_counts_summary);
}

static int upload_area(const struct ct_drain *drain, uint64_t base, const struct image *image,
		       const struct ct_counts_units *units)
{
	char *fixed = calloc(1, image->fixed);
	struct ct_counts_area *area = (struct ct_counts_area *)fixed;
	int err;

	if (!fixed)
		return -ENOMEM;
	area->sites = base + image->sites;
	area->operations = base + image->operations;
	area->units = base + image->units;
	area->objects = base + image->objects;
	area->sums = base + image->sums;
	area->reported = base + image->reported;
	area->summaries = image->summaries ? base + image->summaries : 0;
	area->site_count = units->site_count;
	area->unit_count = units->unit_count;
	memcpy(fixed + image->units, units->unit,
	       units->unit_count * sizeof(struct ct_counts_unit));
	memcpy(fixed + image->operations, units->operations, units->site_count * sizeof(uint32_t));
	err = ct_counts_upload(drain, base, fixed, image->fixed);
	free(fixed);
	return err;
}

struct ct_counts_slot *ct_counts_slot_new(struct ct_drain *drain,
					  const struct ct_counts_units *units)
{
	struct ct_counts_device *counts = ct_counts_device_of(drain);
	struct ct_counts_slot *slot;
	struct image image;

	if (counts->slots == CT_COUNTS_AREAS)
		return NULL;
	slot = calloc(1, sizeof(*slot));
	if (!slot)
		return NULL;
	lay_out(&image, units);
	slot->area = ct_counts_allocate(counts, image.bytes);
	slot->sites = slot->area + image.sites;
	slot->number = counts->slots;
	if (!slot->area || upload_area(drain, slot->area, &image, units) < 0 ||
	    upload_zeros(drain, slot->area + image.fixed, image.bytes - image.fixed) < 0 ||
	    ct_counts_upload(drain, drain->context.counts + 8ull * slot->number, &slot->area,
			     sizeof(slot->area)) < 0) {
		free(slot);
		return NULL;
	}
	pthread_mutex_init(&slot->lock, NULL);
	slot->drain = drain;
	slot->units = units;
	counts->slot[counts->slots++] = slot;
	return slot;
}

/* A launch that another thread is making, or a graph, may still know it: then it stays. */
static void discard(struct ct_counts_slot *slot)
{
	static struct ct_counts_slot *left;

	ct_counts_snapshot_drop(slot->snapshot);
	slot->snapshot = NULL;
	if (slot->users || slot->is_kept) {
		slot->next_left = left;
		left = slot;
		return;
	}
	pthread_mutex_destroy(&slot->lock);
	free(slot);
}

void ct_counts_memory_close(struct ct_drain *drain, bool release)
{
	struct ct_counts_device *counts = ct_counts_device_of(drain);
	struct ct_counts_memory *memory;

	while ((memory = counts->memory)) {
		counts->memory = memory->next;
		if (release)
			__real_cudaFree(memory->address);
		free(memory);
	}
	for (uint32_t i = 0; i < counts->slots; i++)
		discard(counts->slot[i]);
	*counts = (struct ct_counts_device){0};
	drain->context.counts = 0;
}
