/* SPDX-License-Identifier: Apache-2.0 */
/* CTAs whose times are recorded: in their device's process, beside its streams, tracks for each
 * multiprocessor, as many as it had CTAs at once. */
#include "base/map.h"
#include "postproc/formats/perfetto/perfetto.h"
#include "trace/read/clock_map.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LANES 64u            /* of a multiprocessor: no device holds more CTAs on one */
#define FIRST_TRACK 1000000u /* behind those of streams */

struct times {
	struct ct_perfetto *perfetto;
	uint32_t part;
	struct ct_clock_map clocks;
	struct ct_map launches; /* id -> struct ct_launch_info */
	struct ct_map ends;     /* device, track -> end of its last slice */
};

static const struct ct_launch_info *launch_of(const struct times *times, uint32_t id)
{
	union ct_map_value *known = ct_map_find(&times->launches, id, 0);

	return known ? known->pointer : NULL;
}

static uint64_t track_of(uint32_t sm, uint32_t lane)
{
	return FIRST_TRACK + (uint64_t)sm * LANES + lane;
}

static void name_track(struct times *times, uint32_t device, uint32_t sm, uint32_t lane)
{
	uint64_t pid = ct_perfetto_activities(times->perfetto, times->part, device);
	char text[128], process[64];

	snprintf(text, sizeof(text), "device %u, %s", device,
		 ct_perfetto_process(times->perfetto, times->part, process, sizeof(process)));
	if (times->ends.count == 1)
		ct_perfetto_name(times->perfetto, "process_name", pid, 0, text);
	snprintf(text, sizeof(text), "SM %u", sm);
	ct_perfetto_name(times->perfetto, "thread_name", pid, track_of(sm, lane), text);
	ct_perfetto_sort(times->perfetto, "thread_sort_index", pid, track_of(sm, lane),
			 track_of(sm, lane));
}

/* The first lane that is free then; rows come by their begin. 0: memory is short. */
static uint64_t take_track(struct times *times, uint32_t device, const struct ct_row_cta *row)
{
	for (uint32_t lane = 0; lane < LANES; lane++) {
		size_t before = times->ends.count;
		union ct_map_value *end = ct_map_put(&times->ends, device, track_of(row->sm, lane));

		if (!end)
			return 0;
		if (times->ends.count > before)
			name_track(times, device, row->sm, lane);
		if (end->number > row->begin_ns && lane + 1 < LANES)
			continue;
		end->number = row->begin_ns + row->duration_ns;
		return track_of(row->sm, lane);
	}
	return 0;
}

static int write_row(struct times *times, const struct ct_row_cta *row)
{
	const struct ct_launch_info *launch = launch_of(times, row->launch);
	uint32_t device = launch ? launch->event->device : 0;
	uint64_t start_ns = times->perfetto->start_ns;
	uint64_t begin_ns = ct_clock_map_host(&times->clocks, device, row->begin_ns, NULL);
	uint64_t track = take_track(times, device, row);
	struct ct_json *args;
	char name[32];

	if (!track)
		return -ENOMEM;
	snprintf(name, sizeof(name), "block %llu", (unsigned long long)row->cta);
	args = ct_perfetto_open(
	    &times->perfetto->out,
	    &(struct ct_perfetto_event){
		.name = name,
		.category = "cta",
		.phase = "X",
		.pid = ct_perfetto_activities(times->perfetto, times->part, device),
		.tid = track,
		.begin_ns = begin_ns > start_ns ? begin_ns - start_ns : 0,
		.lasts_ns = row->duration_ns,
	    });
	ct_json_put_text(args, "kernel", launch ? launch->kernel : "");
	ct_json_put_number(args, "launch", row->launch);
	ct_json_put_bool(args, "traced", !launch || launch->event->tier != CT_TIER_CLOCK);
	ct_perfetto_close(&times->perfetto->out);
	ct_perfetto_put(times->perfetto);
	return 0;
}

static int by_begin(const void *a, const void *b)
{
	const struct ct_row_cta *x = *(const struct ct_row_cta *const *)a;
	const struct ct_row_cta *y = *(const struct ct_row_cta *const *)b;

	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	return (x->cta > y->cta) - (x->cta < y->cta);
}

static int find_launches(struct times *times)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(ct_comm_trace(times->perfetto->comm), &launches);

	for (size_t i = 0; i < count; i++) {
		union ct_map_value *known;

		if (launches[i].part != times->part)
			continue;
		known = ct_map_put(&times->launches, launches[i].event->launch, 0);
		if (!known)
			return -ENOMEM;
		known->pointer = (void *)(uintptr_t)&launches[i];
	}
	return 0;
}

static int write_rows(struct times *times, const struct ct_row_cta *rows, size_t count)
{
	const struct ct_row_cta **list = malloc(count * sizeof(*list));
	int err = list ? find_launches(times) : -ENOMEM;

	for (size_t i = 0; i < count && list; i++)
		list[i] = &rows[i];
	if (list)
		qsort(list, count, sizeof(*list), by_begin);
	for (size_t i = 0; i < count && err == 0; i++) {
		if (times->perfetto->left_out) { /* the file is full */
			times->perfetto->left_out += count - i;
			break;
		}
		err = write_row(times, list[i]);
	}
	free(list);
	return err;
}

static int write_part(struct ct_perfetto *perfetto, uint32_t part, uint64_t *written)
{
	struct ct_trace *trace = ct_comm_trace(perfetto->comm);
	struct times times = {.perfetto = perfetto, .part = part};
	const struct ct_row_cta *rows;
	size_t count;
	int err = ct_trace_rows(trace, part, CT_TABLE_CTA, (const void **)&rows, &count);

	if (err < 0 || !count)
		return err;
	*written += count;
	err = ct_clock_map_init(&times.clocks, trace, part);
	if (err == 0)
		err = write_rows(&times, rows, count);
	ct_clock_map_fini(&times.clocks);
	ct_map_fini(&times.launches);
	ct_map_fini(&times.ends);
	return err;
}

int ct_perfetto_write_cta_times(struct ct_perfetto *perfetto, bool *are_there)
{
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(ct_comm_trace(perfetto->comm), &processes);
	uint64_t written = 0;
	int err = 0;

	for (size_t i = 0; i < parts && err == 0; i++)
		err = write_part(perfetto, processes[i].part, &written);
	*are_there = written > 0;
	return err;
}
