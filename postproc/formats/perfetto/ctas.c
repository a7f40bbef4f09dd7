/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CTAs of the time line, on a track per multiprocessor and stream. The trace
 * has no clock of the device: the CTAs of a launch on a multiprocessor share
 * its time in the order of their first records.
 */
#include "base/array.h"
#include "postproc/formats/perfetto/perfetto.h"
#include "postproc/shuffle/sums.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SLICE_BYTES 260 /* of a CTA, about */

/* A CTA, or those of a superstep on a multiprocessor together. */
struct cta {
	struct ct_comm_cta info;
	uint64_t order;  /* of the first record; UINT64_MAX: none was seen */
	uint64_t merged; /* CTAs; 0: one by itself */
};

struct ctas {
	struct ct_perfetto *perfetto;
	struct cta *list; /* by superstep and CTA, later by superstep, SM and order */
	size_t count;
	uint32_t sms; /* one more than the highest */
	uint64_t seen;
	size_t last; /* index of the access before */
};

static int count_cta(void *user, const struct ct_comm_cta *info)
{
	(void)info;
	++*(uint64_t *)user;
	return 0;
}

static int add_to_list(struct ctas *ctas, const struct cta *cta)
{
	if (ct_array_grow(&ctas->list, ctas->count, sizeof(*ctas->list)) < 0)
		return -ENOMEM;
	ctas->list[ctas->count++] = *cta;
	if (cta->info.sm >= ctas->sms)
		ctas->sms = cta->info.sm + 1;
	return 0;
}

static int add_cta(void *user, const struct ct_comm_cta *info)
{
	return add_to_list(user, &(struct cta){.info = *info, .order = UINT64_MAX});
}

/* Three sums for each multiprocessor in a superstep. */
static int merge_cta(void *user, const struct ct_comm_cta *info)
{
	uint64_t sm = 3ull * info->sm;
	int err = ct_sums_add(user, info->superstep, sm, 1, 0);

	if (err == 0)
		err =
		    ct_sums_add(user, info->superstep, sm + 1, info->load_bytes, info->store_bytes);
	return err < 0 ? err
		       : ct_sums_add(user, info->superstep, sm + 2, info->communicated_load_bytes,
				     info->communicated_store_bytes);
}

static int add_merged(struct ctas *ctas)
{
	const struct ct_comm_lists *lists = &ctas->perfetto->lists;
	const struct ct_sum *sum;
	struct ct_sums *sums;
	size_t count = 0;
	int err = ct_sums_open(&sums);

	if (err < 0)
		return err;
	err = lists->ctas(lists->user, merge_cta, sums);
	sum = err == 0 ? ct_sums_sorted(sums, &count) : NULL;
	if (err == 0 && !sum)
		err = -ENOMEM;
	for (size_t i = 0; i + 2 < count && err == 0; i += 3)
		err = add_to_list(
		    ctas, &(struct cta){.info = {.superstep = (uint32_t)sum[i].key[0],
						 .sm = (uint32_t)(sum[i].key[1] / 3),
						 .load_bytes = sum[i + 1].value[0],
						 .store_bytes = sum[i + 1].value[1],
						 .communicated_load_bytes = sum[i + 2].value[0],
						 .communicated_store_bytes = sum[i + 2].value[1]},
					.merged = sum[i].value[0]});
	ct_sums_close(sums);
	return err;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_cta(const void *a, const void *b)
{
	const struct cta *x = a, *y = b;
	int order = compare(x->info.superstep, y->info.superstep);

	return order ? order : compare(x->info.cta, y->info.cta);
}

static int by_sm(const void *a, const void *b)
{
	const struct cta *x = a, *y = b;
	int order = compare(x->info.superstep, y->info.superstep);

	order = order ? order : compare(x->info.sm, y->info.sm);
	order = order ? order : compare(x->order, y->order);
	return order ? order : compare(x->info.cta, y->info.cta);
}

static int note_access(void *user, const struct ct_access *access)
{
	struct ctas *ctas = user;
	const struct ct_launch_info *launch = access->launch;
	struct cta key = {.info.cta = (uint32_t)access->cta};
	struct cta *found = &ctas->list[ctas->last];

	key.info.superstep = ct_order_of_launch(ct_comm_order(ctas->perfetto->comm), launch->part,
						launch->event->launch);
	if (by_cta(&key, found)) {
		found = bsearch(&key, ctas->list, ctas->count, sizeof(key), by_cta);
		if (!found)
			return 0;
		ctas->last = (size_t)(found - ctas->list);
	}
	if (found->order == UINT64_MAX)
		found->order = ctas->seen++;
	return 0;
}

static const struct ct_timeline_track *track_of(const struct ctas *ctas, uint32_t superstep)
{
	const struct ct_timeline *timeline = &ctas->perfetto->timeline;

	return &timeline->track[timeline->step[superstep].track];
}

static uint64_t device_of(const struct ctas *ctas, uint32_t superstep)
{
	const struct ct_superstep *step = &ctas->perfetto->figures->superstep[superstep];

	return ct_perfetto_device(ctas->perfetto, step->part, step->device);
}

static uint64_t tid_of(const struct ctas *ctas, const struct ct_comm_cta *info)
{
	return (uint64_t)(track_of(ctas, info->superstep)->number - 1) * ctas->sms + info->sm + 1;
}

/* The n-th of count equal slices of a launch's time, in nanoseconds. */
static uint64_t moment(const struct ct_timeline_step *when, size_t n, size_t count)
{
	return when->start_ns +
	       (uint64_t)((__uint128_t)(when->end_ns - when->start_ns) * n / count);
}

static void write_slice(struct ctas *ctas, const struct cta *cta, size_t n, size_t count)
{
	const struct ct_comm_cta *sum = &cta->info;
	const struct ct_timeline_step *when = &ctas->perfetto->timeline.step[sum->superstep];
	uint64_t start = moment(when, n, count), end = moment(when, n + 1, count);
	struct ct_json *args;
	char name[32];

	if (cta->merged)
		snprintf(name, sizeof(name), "%llu blocks", (unsigned long long)cta->merged);
	else
		snprintf(name, sizeof(name), "block %u", sum->cta);
	args = ct_perfetto_open(&ctas->perfetto->out, &(struct ct_perfetto_event){
							  .name = name,
							  .category = "cta",
							  .phase = "X",
							  .pid = device_of(ctas, sum->superstep),
							  .tid = tid_of(ctas, sum),
							  .begin_ns = start,
							  .lasts_ns = end - start,
						      });
	ct_json_put_number(args, "superstep", sum->superstep);
	ct_json_put_number(args, "load_bytes", sum->load_bytes);
	ct_json_put_number(args, "store_bytes", sum->store_bytes);
	ct_json_put_number(args, "communicated_load_bytes", sum->communicated_load_bytes);
	ct_json_put_number(args, "communicated_store_bytes", sum->communicated_store_bytes);
	ct_perfetto_close(&ctas->perfetto->out);
	ct_perfetto_put(ctas->perfetto);
}

static size_t group_end(const struct ctas *ctas, size_t first)
{
	const struct ct_comm_cta *info = &ctas->list[first].info;
	size_t end = first + 1;

	while (end < ctas->count && ctas->list[end].info.superstep == info->superstep &&
	       ctas->list[end].info.sm == info->sm)
		end++;
	return end;
}

static int by_track(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return x[0] != y[0] ? compare(x[0], y[0]) : compare(x[1], y[1]);
}

static void name_device(struct ctas *ctas, uint64_t pid, const struct ct_superstep *step)
{
	char text[128], process[64];

	snprintf(text, sizeof(text), "device %u, %s: blocks, order, not time", step->device,
		 ct_perfetto_process(ctas->perfetto, step->part, process, sizeof(process)));
	ct_perfetto_name(ctas->perfetto, "process_name", pid, 0, text);
	ct_perfetto_sort(ctas->perfetto, "process_sort_index", pid, 0, pid);
}

static void name_track(struct ctas *ctas, uint64_t pid, uint64_t tid,
		       const struct ct_comm_cta *info)
{
	const struct ct_superstep *step = &ctas->perfetto->figures->superstep[info->superstep];
	char text[128];

	snprintf(text, sizeof(text), "SM %u, stream %llu (order, not time)", info->sm,
		 (unsigned long long)step->stream);
	ct_perfetto_name(ctas->perfetto, "thread_name", pid, tid, text);
	ct_perfetto_sort(ctas->perfetto, "thread_sort_index", pid, tid,
			 (uint64_t)info->sm * ctas->perfetto->timeline.tracks +
			     track_of(ctas, info->superstep)->number);
}

/* Each track of the list once: {process, thread, index in list}. */
static int name_tracks(struct ctas *ctas)
{
	uint64_t(*track)[3] = NULL;
	size_t count = 0;
	int err = 0;

	for (size_t i = 0; i < ctas->count && err == 0; i = group_end(ctas, i)) {
		const struct ct_comm_cta *info = &ctas->list[i].info;

		err = ct_array_grow(&track, count, sizeof(*track));
		if (err < 0)
			break;
		track[count][0] = device_of(ctas, info->superstep);
		track[count][1] = tid_of(ctas, info);
		track[count++][2] = i;
	}
	if (count)
		qsort(track, count, sizeof(*track), by_track);
	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_comm_cta *info = &ctas->list[track[i][2]].info;

		if (!i || track[i - 1][0] != track[i][0])
			name_device(ctas, track[i][0],
				    &ctas->perfetto->figures->superstep[info->superstep]);
		if (!i || by_track(track[i - 1], track[i]))
			name_track(ctas, track[i][0], track[i][1], info);
	}
	free(track);
	return err;
}

/* In the order of their first records. */
static int sort_by_record(struct ctas *ctas)
{
	struct ct_perfetto *perfetto = ctas->perfetto;
	const struct ct_each each = {.access = note_access, .user = ctas};

	qsort(ctas->list, ctas->count, sizeof(*ctas->list), by_cta);
	return perfetto->each(perfetto->user, ct_comm_trace(perfetto->comm), &each);
}

/* CTAs each, or by multiprocessor, or not at all: what has room. */
static int choose(struct ctas *ctas)
{
	struct ct_perfetto *perfetto = ctas->perfetto;
	const struct ct_perfetto_out *out = &perfetto->out;
	uint64_t room = out->limit > out->written ? (out->limit - out->written) / SLICE_BYTES : 0;
	uint64_t count = 0;
	int err = perfetto->lists.ctas(perfetto->lists.user, count_cta, &count);

	perfetto->ctas = count <= room ? CT_PERFETTO_CTAS : CT_PERFETTO_BY_SM;
	if (err < 0 || !count)
		return err;
	if (count > room)
		err = add_merged(ctas);
	else
		err = perfetto->lists.ctas(perfetto->lists.user, add_cta, ctas);
	if (err == 0 && ctas->count > room) {
		perfetto->ctas = CT_PERFETTO_NO_CTAS;
		ctas->count = 0;
	}
	return err < 0 || count > room ? err : sort_by_record(ctas);
}

int ct_perfetto_write_ctas(struct ct_perfetto *perfetto)
{
	struct ctas ctas = {.perfetto = perfetto};
	int err = choose(&ctas);

	if (ctas.count)
		qsort(ctas.list, ctas.count, sizeof(*ctas.list), by_sm);
	if (err == 0)
		err = name_tracks(&ctas);
	for (size_t i = 0, end; i < ctas.count && err == 0; i = end) {
		end = group_end(&ctas, i);
		for (size_t n = i; n < end; n++)
			write_slice(&ctas, &ctas.list[n], n - i, end - i);
	}
	free(ctas.list);
	return err;
}
