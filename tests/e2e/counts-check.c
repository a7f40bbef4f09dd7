/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counts-check FULL COUNTS [lanes]
 * Compares a trace of tier counts (or blocks) with a full trace of the same program:
 * executions, lanes, sectors and bytes of every site in every launch, and the
 * sectors that each launch read and wrote of each object, counted here one by
 * one from the addresses. lanes: only those, where warps part otherwise. Exit 0: all
 * equal; 1: not.
 */
#include "postproc/facts/operation.h"
#include "trace/read/reader.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 32u
#define BUCKETS 65536u

/* Sums a site in a launch, or (unit 0) an object in a launch. */
struct figure {
	struct figure *next;
	uint64_t unit;
	uint32_t launch, index;
	uint64_t value[4];
	uint64_t *bits[2]; /* of an object: sectors read, written */
	uint64_t words;
};

struct figures {
	struct figure *bucket[BUCKETS];
	size_t count;
};

static struct figures full, counted;
static struct ct_trace *trace, *of_counts;
static int differences, only_lanes;

static void die(const char *what)
{
	fprintf(stderr, "counts-check: %s\n", what);
	exit(1);
}

static struct figure *figure_of(struct figures *figures, uint32_t launch, uint64_t unit,
				uint32_t index, int make)
{
	uint64_t hash = (launch * 31ull + unit) * 0x9e3779b97f4a7c15ull + index;
	struct figure **link = &figures->bucket[(hash ^ hash >> 32) % BUCKETS];

	while (*link &&
	       ((*link)->launch != launch || (*link)->unit != unit || (*link)->index != index))
		link = &(*link)->next;
	if (!*link && make) {
		*link = calloc(1, sizeof(**link));
		if (!*link)
			die("out of memory");
		(*link)->launch = launch;
		(*link)->unit = unit;
		(*link)->index = index;
		figures->count++;
	}
	return *link;
}

static struct figure *object_figure(uint32_t launch, const struct ct_object_info *object)
{
	struct figure *figure = figure_of(&full, launch, 0, object->event->object, 1);

	if (!figure->bits[0]) {
		figure->words = object->event->bytes / SECTOR / 64 + 2;
		figure->bits[0] = calloc(figure->words, 8);
		figure->bits[1] = calloc(figure->words, 8);
		if (!figure->bits[0] || !figure->bits[1])
			die("out of memory");
	}
	return figure;
}

static void touch(struct figure *figure, unsigned map, uint64_t sector)
{
	uint64_t bit = 1ull << sector % 64, *word = &figure->bits[map][sector / 64];

	figure->value[map] += !(*word & bit);
	*word |= bit;
}

static void touch_bytes(const struct ct_access *access, uint64_t address, uint64_t bytes)
{
	static const char writes[256] = {
#define LOAD 1
#define STORE 2
#define ATOMIC 3
#define EVENT 0
#define CT_OPERATION(id, name, text, class, memtrace) [id] = class,
#include <cudatrace/operations.def>
#undef CT_OPERATION
	};
	unsigned effect = (unsigned)writes[access->info->operation];
	uint32_t launch = access->launch->event->launch;

	for (uint64_t at = address; at < address + bytes;) {
		const struct ct_object_info *object = ct_trace_object_at(trace, access->launch, at);
		uint64_t sector;
		struct figure *figure;

		if (!object) {
			at++;
			continue;
		}
		figure = object_figure(launch, object);
		sector = at / SECTOR - object->event->address / SECTOR;
		if (effect & 1)
			touch(figure, 0, sector);
		if (effect & 2)
			touch(figure, 1, sector);
		at = (at / SECTOR + 1) * SECTOR < object->event->address + object->event->bytes
			 ? (at / SECTOR + 1) * SECTOR
			 : object->event->address + object->event->bytes;
	}
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t lane_bytes(const struct ct_access *access, unsigned lane)
{
	return access->range ? access->range[lane] : access->info->bytes;
}

/* All sectors of all lanes in a list, sorted, each counted once. */
static uint64_t distinct_sectors(const struct ct_access *access)
{
	static uint64_t *list;
	static size_t room;
	size_t count = 0;
	uint64_t distinct = 0;

	for (unsigned lane = 0; lane < CT_WARP_LANES; lane++) {
		uint64_t at = access->address[lane], bytes = lane_bytes(access, lane);

		if (!(access->mask >> lane & 1))
			continue;
		for (uint64_t s = at / SECTOR; s <= (at + (bytes ? bytes : 1) - 1) / SECTOR; s++) {
			if (count == room) {
				room = 2 * room + 64;
				list = realloc(list, room * sizeof(*list));
				if (!list)
					die("out of memory");
			}
			list[count++] = s;
		}
	}
	qsort(list, count, sizeof(*list), compare_numbers);
	for (size_t i = 0; i < count; i++)
		distinct += i == 0 || list[i] != list[i - 1];
	return distinct;
}

/* The tier of the second trace's launches. */
static uint32_t tier = CT_TIER_COUNTS;

static int add_access(void *user, const struct ct_access *access)
{
	struct figure *site;

	(void)user;
	if (tier == CT_TIER_BLOCKS)
		return 0;
	site = figure_of(&full, access->launch->event->launch, access->unit->header->unit_id,
			 access->site, 1);
	site->value[0]++;
	site->value[1] += (uint64_t)__builtin_popcount(access->mask);
	site->value[2] += distinct_sectors(access);
	for (unsigned lane = 0; lane < CT_WARP_LANES; lane++) {
		uint64_t bytes = lane_bytes(access, lane);

		if (!(access->mask >> lane & 1))
			continue;
		site->value[3] += bytes;
		if (CT_ADDRESS_SPACE(access->address[lane]) == CT_SPACE_GLOBAL)
			touch_bytes(access, access->address[lane], bytes);
	}
	return 0;
}

static int add_event(void *user, const struct ct_event *event)
{
	const struct ct_access *at = event->at;
	struct figure *site;

	(void)user;
	if (event->phase != CT_PHASE_HAPPENS ||
	    (tier == CT_TIER_BLOCKS && at->info->operation != CT_OP_BLOCK))
		return 0;
	site = figure_of(&full, at->launch->event->launch, at->unit->header->unit_id, at->site, 1);
	site->value[0]++;
	site->value[1] += (uint64_t)__builtin_popcount(at->mask);
	return 0;
}

static void read_counts(const char *directory)
{
	const struct ct_touched_info *touched;
	const struct ct_launch_info *launches;
	const struct ct_count_info *counts;
	const struct ct_loss_info *losses;
	char why[512];
	size_t count;

	if (ct_trace_open(&of_counts, directory, why, sizeof(why)) < 0)
		die(why);
	if (ct_trace_losses(of_counts, &losses))
		die("the trace of tier counts has losses");
	count = ct_trace_launches(of_counts, &launches);
	for (size_t i = 0; i < count; i++)
		if (launches[i].event->flags & CT_LAUNCH_TRACED)
			tier = launches[i].event->tier;
	if (tier != CT_TIER_COUNTS && tier != CT_TIER_BLOCKS)
		die("the second trace is not of tier counts or blocks");
	for (size_t i = 0; i < count; i++)
		if (launches[i].event->flags & CT_LAUNCH_TRACED && launches[i].event->tier != tier)
			die("launches of the second trace are of several tiers");
	count = ct_trace_counts(of_counts, &counts);
	for (size_t i = 0; i < count; i++) {
		const struct ct_event_count *event = counts[i].event;
		struct figure *site =
		    figure_of(&counted, event->launch, event->unit_id, event->site, 1);

		if (!event->unit_id || site->value[0])
			die("a site of no unit, or one twice in a launch");
		site->value[0] = event->warps;
		site->value[1] = event->lanes;
		site->value[2] = event->sectors;
		site->value[3] = event->bytes;
	}
	count = ct_trace_touched(of_counts, &touched);
	for (size_t i = 0; i < count; i++) {
		const struct ct_event_touched *event = touched[i].event;
		struct figure *object = figure_of(&counted, event->launch, 0, event->object, 1);

		object->value[0] = event->read;
		object->value[1] = event->written;
	}
}

static void differ(const struct figure *a, const struct figure *b, const char *lacks)
{
	const char *const what[2][4] = {{"sectors read", "sectors written", "", ""},
					{"executions", "lanes", "sectors", "bytes"}};

	for (int i = 0; i < 4; i++)
		if (!b || (a->value[i] != b->value[i] && (!only_lanes || i == 1))) {
			if (differences++ < 20)
				printf("launch %u %s %u: %s %llu in full, %llu in counts%s\n",
				       a->launch, a->unit ? "site" : "object", a->index,
				       what[a->unit != 0][i], (unsigned long long)a->value[i],
				       b ? (unsigned long long)b->value[i] : 0ull, b ? "" : lacks);
		}
}

int main(int argc, char **argv)
{
	struct ct_scan scan = {.access = add_access, .event = add_event};
	const struct ct_loss_info *losses;
	const char *const *warnings;
	uint64_t damaged = 0;
	char why[512];

	only_lanes = argc == 4 && strcmp(argv[3], "lanes") == 0;
	if (argc != 3 && !only_lanes) {
		fprintf(stderr, "usage: counts-check FULL COUNTS [lanes]\n");
		return 2;
	}
	if (ct_trace_open(&trace, argv[1], why, sizeof(why)) < 0)
		die(why);
	read_counts(argv[2]);
	if (ct_trace_scan(trace, &scan, &damaged) < 0 || damaged ||
	    ct_trace_losses(trace, &losses) || ct_trace_warnings(trace, &warnings))
		die("the full trace cannot be read, is damaged or has losses");
	for (unsigned b = 0; b < BUCKETS; b++) {
		for (struct figure *f = full.bucket[b]; f; f = f->next)
			differ(f, figure_of(&counted, f->launch, f->unit, f->index, 0),
			       " (not there)");
		for (struct figure *f = counted.bucket[b]; f; f = f->next)
			if (!figure_of(&full, f->launch, f->unit, f->index, 0)) {
				differences++;
				printf("launch %u %s %u: only in counts\n", f->launch,
				       f->unit ? "site" : "object", f->index);
			}
	}
	printf("%zu figures of sites and objects, %d differences\n", full.count, differences);
	ct_trace_close(trace);
	ct_trace_close(of_counts);
	return differences || !full.count;
}
