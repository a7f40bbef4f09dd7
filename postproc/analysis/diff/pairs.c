/* SPDX-License-Identifier: Apache-2.0 */
/* The launches of two traces side by side. */
#include "postproc/analysis/diff/pairs.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CTA_WARPS_MAX 32u

const char *ct_pair_result_text(enum ct_pair_result result)
{
	static const char *const text[] = {
	    [CT_PAIR_EQUAL] = "equal",      [CT_PAIR_NOT_TRACED] = "not traced",
	    [CT_PAIR_ONLY_A] = "only in A", [CT_PAIR_ONLY_B] = "only in B",
	    [CT_PAIR_KERNEL] = "kernel",    [CT_PAIR_GRID] = "grid",
	    [CT_PAIR_BLOCK] = "block",      [CT_PAIR_STREAM] = "stream",
	    [CT_PAIR_TRACED] = "traced",    [CT_PAIR_ACCESSES] = "accesses",
	};

	return text[result];
}

static int compare_launches(const struct ct_launch_info *a, const struct ct_launch_info *b,
			    int by_part)
{
	if (by_part && a->part != b->part)
		return a->part < b->part ? -1 : 1;
	if (a->event->launch != b->event->launch)
		return a->event->launch < b->event->launch ? -1 : 1;
	return 0;
}

static int compare_for_sort(const void *a, const void *b)
{
	return compare_launches(*(const struct ct_launch_info *const *)a,
				*(const struct ct_launch_info *const *)b, 1);
}

static const struct ct_launch_info **sorted(const struct ct_launch_info *launches, size_t count)
{
	const struct ct_launch_info **list = malloc((count + 1) * sizeof(*list));

	for (size_t i = 0; list && i < count; i++)
		list[i] = &launches[i];
	if (list)
		qsort(list, count, sizeof(*list), compare_for_sort);
	return list;
}

/* Place of the stream among the streams of its process, by first use. */
static size_t stream_place(const struct ct_pairs *pairs, int side,
			   const struct ct_launch_info *launch)
{
	size_t place = 0;

	for (size_t i = 0; i < pairs->count; i++) {
		const struct ct_launch_info *other = pairs->pair[i].launch[side];
		int is_new = 1;

		if (!other || other->part != launch->part)
			continue;
		if (other->event->stream == launch->event->stream)
			return place;
		for (size_t j = 0; j < i && is_new; j++) {
			const struct ct_launch_info *earlier = pairs->pair[j].launch[side];

			is_new = !earlier || earlier->part != launch->part ||
				 earlier->event->stream != other->event->stream;
		}
		place += (size_t)is_new;
	}
	return place;
}

static uint64_t volume(const uint32_t extent[3])
{
	uint64_t product;

	if (__builtin_mul_overflow((uint64_t)extent[0] * extent[1], (uint64_t)extent[2], &product))
		return UINT64_MAX;
	return product;
}

static enum ct_pair_result compare_shape(const struct ct_pairs *pairs, const struct ct_pair *pair)
{
	const struct ct_event_launch *a, *b;

	if (!pair->launch[0])
		return CT_PAIR_ONLY_B;
	if (!pair->launch[1])
		return CT_PAIR_ONLY_A;
	a = pair->launch[0]->event;
	b = pair->launch[1]->event;
	if (strcmp(pair->launch[0]->kernel_name, pair->launch[1]->kernel_name))
		return CT_PAIR_KERNEL;
	if (memcmp(a->grid, b->grid, sizeof(a->grid)))
		return CT_PAIR_GRID;
	if (memcmp(a->block, b->block, sizeof(a->block)))
		return CT_PAIR_BLOCK;
	if (a->stream != b->stream &&
	    stream_place(pairs, 0, pair->launch[0]) != stream_place(pairs, 1, pair->launch[1]))
		return CT_PAIR_STREAM;
	if ((a->flags & CT_LAUNCH_TRACED) != (b->flags & CT_LAUNCH_TRACED))
		return CT_PAIR_TRACED;
	return a->flags & CT_LAUNCH_TRACED ? CT_PAIR_EQUAL : CT_PAIR_NOT_TRACED;
}

static void set_shape(struct ct_pair *pair)
{
	const struct ct_event_launch *event = pair->launch[0]->event;
	uint64_t threads = volume(event->block);
	uint64_t warps = threads / CT_WARP_LANES + (threads % CT_WARP_LANES != 0);

	pair->ctas = volume(event->grid);
	pair->cta_threads =
	    (uint32_t)(warps < CTA_WARPS_MAX ? warps : CTA_WARPS_MAX) * CT_WARP_LANES;
}

static void merge(struct ct_pairs *pairs, const struct ct_launch_info **a, size_t a_count,
		  const struct ct_launch_info **b, size_t b_count, int by_part)
{
	size_t i = 0, j = 0;

	while (i < a_count || j < b_count) {
		struct ct_pair *pair = &pairs->pair[pairs->count];
		int order = i == a_count   ? 1
			    : j == b_count ? -1
					   : compare_launches(a[i], b[j], by_part);

		if (order <= 0) {
			pair->launch[0] = a[i];
			pairs->pair_of[0][a[i++] - pairs->launches[0]] = pairs->count;
		}
		if (order >= 0) {
			pair->launch[1] = b[j];
			pairs->pair_of[1][b[j++] - pairs->launches[1]] = pairs->count;
		}
		pairs->count++;
	}
}

int ct_pairs_init(struct ct_pairs *pairs, const struct ct_trace *a, const struct ct_trace *b)
{
	const struct ct_launch_info **sorted_a, **sorted_b;
	const struct ct_process_info *processes;
	/* One process is compared with another one, whatever their numbers are. */
	int by_part =
	    ct_trace_processes(a, &processes) != 1 || ct_trace_processes(b, &processes) != 1;
	size_t a_count, b_count;
	int err = 0;

	memset(pairs, 0, sizeof(*pairs));
	a_count = ct_trace_launches(a, &pairs->launches[0]);
	b_count = ct_trace_launches(b, &pairs->launches[1]);
	sorted_a = sorted(pairs->launches[0], a_count);
	sorted_b = sorted(pairs->launches[1], b_count);
	pairs->pair = calloc(a_count + b_count + 1, sizeof(*pairs->pair));
	pairs->pair_of[0] = calloc(a_count + 1, sizeof(*pairs->pair_of[0]));
	pairs->pair_of[1] = calloc(b_count + 1, sizeof(*pairs->pair_of[1]));
	if (sorted_a && sorted_b && pairs->pair && pairs->pair_of[0] && pairs->pair_of[1])
		merge(pairs, sorted_a, a_count, sorted_b, b_count, by_part);
	else
		err = -ENOMEM;
	free(sorted_a);
	free(sorted_b);
	for (size_t i = 0; i < pairs->count; i++) {
		pairs->pair[i].result = compare_shape(pairs, &pairs->pair[i]);
		if (pairs->pair[i].result == CT_PAIR_EQUAL)
			set_shape(&pairs->pair[i]);
	}
	if (err < 0)
		ct_pairs_fini(pairs);
	return err;
}

void ct_pairs_fini(struct ct_pairs *pairs)
{
	free(pairs->pair);
	free(pairs->pair_of[0]);
	free(pairs->pair_of[1]);
	memset(pairs, 0, sizeof(*pairs));
}

struct ct_pair *ct_pairs_of(const struct ct_pairs *pairs, int side, const struct ct_access *access)
{
	size_t launch = (size_t)(access->launch - pairs->launches[side]);

	return &pairs->pair[pairs->pair_of[side][launch]];
}

uint64_t ct_pair_thread(const struct ct_pair *pair, const struct ct_access *access, uint32_t lane)
{
	uint32_t thread = access->warp * CT_WARP_LANES + lane;

	if (access->cta >= pair->ctas || thread >= pair->cta_threads)
		return UINT64_MAX;
	return access->cta * pair->cta_threads + thread;
}
