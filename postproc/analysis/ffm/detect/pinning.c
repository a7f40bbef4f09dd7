/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates what it takes to pin the memory that remedies want pinned: copies between pageable
 * memory and the device wait, whatever they are called. Memory is pinned once, however often it
 * is copied. */
#include "base/array.h"
#include "postproc/analysis/ffm/detect/detect.h"
#include "postproc/analysis/ffm/make_study.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where the run pins nothing itself: of page-locking about 1 GB/s is reported for many hosts, and
 * some tens of microseconds for each piece. */
#define NS_PER_BYTE 1.0
#define NS_EACH 20000.0
#define LEAST_BYTES 65536u /* of an allocation that tells how fast it goes */

/* Memory that copies of an entry move from or to. */
struct range {
	uint32_t entry;
	uint64_t begin, end;
};

struct ranges {
	struct range *list;
	size_t count;
};

/* The fastest that the run has pinned memory: the first call may have begun the driver. */
static double ns_per_byte(const struct ct_ffm_process *process)
{
	const struct ct_ffm_memory *memory = &process->memory;
	double least = 0;

	for (size_t i = 0; i < memory->objects; i++) {
		const struct ct_ffm_object *object = &memory->object[i];
		uint64_t bytes = object->end - object->begin;
		double ns;

		if (object->kind != CT_OBJECT_HOST || object->allocated == CT_FFM_NONE ||
		    bytes < LEAST_BYTES)
			continue;
		ns = (double)process->program.graph.step[object->allocated].launch_ns /
		     (double)bytes;
		least = least > 0 && least < ns ? least : ns;
	}
	return least > 0 ? least : NS_PER_BYTE;
}

static bool wants_pinning(const struct ct_ffm_entry *entry)
{
	return entry &&
	       (entry->kind == CT_FFM_UNNECESSARY_WAIT || entry->kind == CT_FFM_MISPLACED_WAIT);
}

static int add_range(struct ranges *ranges, const struct ct_ffm_study *study,
		     const struct ct_ffm_process *process, const struct ct_ffm_copy *copy)
{
	const struct ct_ffm_entry *entry =
	    copy->step == CT_FFM_NONE ? NULL : ct_ffm_study_entry_of(study, process, copy->step);
	uint64_t address = ct_ffm_pageable_side(copy);

	if (!address || !wants_pinning(entry))
		return 0;
	if (ct_array_grow(&ranges->list, ranges->count, sizeof(*ranges->list)) < 0)
		return -ENOMEM;
	ranges->list[ranges->count++] =
	    (struct range){(uint32_t)(entry - study->entry), address, address + copy->bytes};
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Charges an entry's ranges, from `first` on; returns the first one behind them. */
static size_t charge(struct ct_ffm_study *study, const struct ranges *ranges, size_t first,
		     double ns_each_byte)
{
	struct ct_ffm_entry *entry = &study->entry[ranges->list[first].entry];
	uint64_t end = 0, ns;
	double sum = 0;
	size_t at = first;

	for (; at < ranges->count && ranges->list[at].entry == ranges->list[first].entry; at++) {
		const struct range *range = &ranges->list[at];
		uint64_t begin = range->begin > end ? range->begin : end;

		sum += range->begin > end ? NS_EACH : 0;
		if (range->end > begin) {
			sum += (double)(range->end - begin) * ns_each_byte;
			end = range->end;
		}
	}
	ns = (uint64_t)sum;
	entry->facts.pinning_ns = ns > entry->facts.pinning_ns ? ns : entry->facts.pinning_ns;
	return at;
}

static int detect(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	double ns_each_byte = ns_per_byte(process);
	struct ranges ranges = {.list = NULL};
	int err = 0;

	for (size_t c = 0; c < process->memory.copies && err == 0; c++)
		err = add_range(&ranges, study, process, &process->memory.copy[c]);
	if (ranges.count)
		qsort(ranges.list, ranges.count, sizeof(*ranges.list), compare);
	for (size_t i = 0; i < ranges.count && err == 0;)
		i = charge(study, &ranges, i, ns_each_byte);
	free(ranges.list);
	return err;
}

const struct ct_ffm_detector ct_ffm_detect_pinning = {"pinning", detect};

/* Returns what is left of a benefit; at most all of it goes. */
static uint64_t less(uint64_t benefit_ns, uint64_t cost_ns)
{
	return benefit_ns > cost_ns ? benefit_ns - cost_ns : 0;
}

static int64_t less_signed(int64_t benefit_ns, uint64_t cost_ns)
{
	return benefit_ns > 0 ? (int64_t)less((uint64_t)benefit_ns, cost_ns) : benefit_ns;
}

void ct_ffm_charge_pinning(struct ct_ffm_study *study)
{
	for (size_t i = 0; i < study->entries; i++) {
		struct ct_ffm_entry *entry = &study->entry[i];
		uint64_t cost = entry->facts.pinning_ns, worth = ct_ffm_entry_worth(entry);

		entry->expected_ns = less(entry->expected_ns, cost);
		entry->replayed_ns = less_signed(entry->replayed_ns, cost);
		cost = cost < worth ? cost : worth;
		study->expected_ns = less(study->expected_ns, cost);
		study->replayed_ns = less_signed(study->replayed_ns, cost);
		for (size_t p = 0; cost && p < study->profiled; p++) {
			struct ct_ffm_profiled *row = &study->profile[p];

			if (strcmp(row->call, entry->site.call))
				continue;
			row->expected_ns = less(row->expected_ns, cost);
			row->replayed_ns = less_signed(row->replayed_ns, cost);
		}
	}
}
