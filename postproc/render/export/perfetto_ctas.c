/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CTAs of the time line, on a track per multiprocessor and stream. The trace
 * has no clock of the device: the CTAs of a launch on a multiprocessor share
 * its time in the order of their first records.
 */
#include "../../model/grow.h"
#include "perfetto.h"
#include <stdlib.h>
#include <string.h>

#define SLICE_BYTES 260 /* of a CTA, about */

struct cta {
	struct ct_comm_cta info;
	uint64_t order; /* of the first record; UINT64_MAX: none was seen */
};

struct ctas {
	struct ct_perfetto *perfetto;
	struct cta *list; /* by superstep and CTA, later by superstep, SM and order */
	size_t count;
	uint32_t sms; /* one more than the highest */
	uint64_t seen;
	size_t last; /* index of the access before */
};

static int add_cta(void *user, const struct ct_comm_cta *info)
{
	struct ctas *ctas = user;

	if (ct_grow((void **)&ctas->list, ctas->count, sizeof(*ctas->list)) < 0)
		return -ENOMEM;
	ctas->list[ctas->count++] = (struct cta){.info = *info, .order = UINT64_MAX};
	if (info->sm >= ctas->sms)
		ctas->sms = info->sm + 1;
	return 0;
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

	return ct_perfetto_device(step->part, step->device);
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

static void write_slice(struct ctas *ctas, const struct ct_comm_cta *sum, size_t n, size_t count,
			uint64_t merged)
{
	const struct ct_timeline_step *when = &ctas->perfetto->timeline.step[sum->superstep];
	uint64_t start = moment(when, n, count), end = moment(when, n + 1, count);

	ct_perfetto_put(
	    ctas->perfetto,
	    json_pack("{s:o,s:s,s:s,s:I,s:I,s:o,s:o,s:{s:I,s:I,s:I,s:I,s:I}}", "name",
		      merged ? json_sprintf("%llu CTAs", (unsigned long long)merged)
			     : json_sprintf("CTA %u", sum->cta),
		      "cat", "cta", "ph", "X", "pid", (json_int_t)device_of(ctas, sum->superstep),
		      "tid", (json_int_t)tid_of(ctas, sum), "ts", ct_perfetto_time(start), "dur",
		      ct_perfetto_time(end - start), "args", "superstep",
		      (json_int_t)sum->superstep, "load_bytes", (json_int_t)sum->load_bytes,
		      "store_bytes", (json_int_t)sum->store_bytes, "communicated_load_bytes",
		      (json_int_t)sum->communicated_load_bytes, "communicated_store_bytes",
		      (json_int_t)sum->communicated_store_bytes));
}

/* CTAs of one superstep on one SM. */
static void write_group(struct ctas *ctas, const struct cta *first, size_t count)
{
	struct ct_comm_cta sum = first->info;

	if (ctas->perfetto->ctas == CT_PERFETTO_CTAS) {
		for (size_t i = 0; i < count; i++)
			write_slice(ctas, &first[i].info, i, count, 0);
		return;
	}
	for (size_t i = 1; i < count; i++) {
		sum.load_bytes += first[i].info.load_bytes;
		sum.store_bytes += first[i].info.store_bytes;
		sum.communicated_load_bytes += first[i].info.communicated_load_bytes;
		sum.communicated_store_bytes += first[i].info.communicated_store_bytes;
	}
	write_slice(ctas, &sum, 0, 1, count);
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
	char text[128];

	snprintf(text, sizeof(text), "device %u, process %u: CTAs, order, not time", step->device,
		 step->part);
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
	uint64_t (*track)[3] = NULL;
	size_t count = 0;
	int err = 0;

	for (size_t i = 0; i < ctas->count && err == 0; i = group_end(ctas, i)) {
		const struct ct_comm_cta *info = &ctas->list[i].info;

		err = ct_grow((void **)&track, count, sizeof(*track));
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

/* CTAs each, or by SM, or not at all: what has room. The list is in the order of by_sm. */
static enum ct_perfetto_ctas choose(const struct ctas *ctas)
{
	const struct ct_perfetto_out *out = &ctas->perfetto->out;
	uint64_t room = out->limit > out->written ? (out->limit - out->written) / SLICE_BYTES : 0;
	size_t groups = 0;

	if (ctas->count <= room)
		return CT_PERFETTO_CTAS;
	for (size_t i = 0; i < ctas->count && groups <= room; i = group_end(ctas, i))
		groups++;
	return groups <= room ? CT_PERFETTO_BY_SM : CT_PERFETTO_NO_CTAS;
}

static int write_all(struct ctas *ctas)
{
	struct ct_perfetto *perfetto = ctas->perfetto;
	const struct ct_scan scan = {.access = note_access, .user = ctas};
	int err = 0;

	qsort(ctas->list, ctas->count, sizeof(*ctas->list), by_sm);
	perfetto->ctas = choose(ctas);
	if (perfetto->ctas == CT_PERFETTO_NO_CTAS)
		return 0;
	if (perfetto->ctas == CT_PERFETTO_CTAS) {
		qsort(ctas->list, ctas->count, sizeof(*ctas->list), by_cta);
		err = perfetto->scan(perfetto->user, ct_comm_trace(perfetto->comm), &scan);
		qsort(ctas->list, ctas->count, sizeof(*ctas->list), by_sm);
	}
	if (err == 0)
		err = name_tracks(ctas);
	for (size_t i = 0; i < ctas->count && err == 0; i = group_end(ctas, i))
		write_group(ctas, &ctas->list[i], group_end(ctas, i) - i);
	return err;
}

int ct_perfetto_write_ctas(struct ct_perfetto *perfetto)
{
	struct ctas ctas = {.perfetto = perfetto};
	int err = ct_comm_each_cta(perfetto->comm, add_cta, &ctas);

	if (err == 0 && ctas.count)
		err = write_all(&ctas);
	free(ctas.list);
	return err;
}
