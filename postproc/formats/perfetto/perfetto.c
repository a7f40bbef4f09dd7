/* SPDX-License-Identifier: Apache-2.0 */
/* A time line for ui.perfetto.dev: processes, streams, launches, counters. */
#include "postproc/formats/perfetto/perfetto.h"
#include "postproc/facts/folded_name.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 1200

static void name_tracks(struct ct_perfetto *perfetto)
{
	char text[TEXT_BYTES], name[64];

	for (size_t i = 0; i < perfetto->timeline.tracks; i++) {
		const struct ct_timeline_track *track = &perfetto->timeline.track[i];
		const struct ct_process_totals *process =
		    ct_processes_of(perfetto->processes, track->part);
		uint64_t pid = ct_perfetto_host(perfetto, track->part);

		if (track->number == 1) {
			snprintf(text, sizeof(text), "%.500s on %.200s, %s: host times",
				 *perfetto->program ? perfetto->program : "program",
				 process && *process->host ? process->host : "unknown host",
				 ct_perfetto_process(perfetto, track->part, name, sizeof(name)));
			ct_perfetto_name(perfetto, "process_name", pid, 0, text);
			ct_perfetto_sort(perfetto, "process_sort_index", pid, 0, pid);
		}
		snprintf(text, sizeof(text), "device %u, stream %llu%s", track->device,
			 (unsigned long long)track->stream, track->stream ? "" : " (default)");
		ct_perfetto_name(perfetto, "thread_name", pid, track->number, text);
		ct_perfetto_sort(perfetto, "thread_sort_index", pid, track->number, track->number);
	}
}

static void put_transfer(struct ct_json *args, const struct ct_perfetto *perfetto, size_t i)
{
	const struct ct_transfer_info *info = perfetto->figures->superstep[i].transfer;
	const struct ct_event_transfer *event = info->event;

	ct_json_put_number(args, "superstep", i);
	ct_json_put_text(args, "call", info->call);
	ct_json_put_number(args, "bytes", event->width * event->height * event->depth);
	ct_json_put_address(args, "target", event->target);
	if (event->kind == CT_TRANSFER_SET)
		ct_json_put_null(args, "source");
	else
		ct_json_put_address(args, "source", event->source);
}

static void write_step(struct ct_perfetto *perfetto, size_t i)
{
	const struct ct_superstep *step = &perfetto->figures->superstep[i];
	const struct ct_timeline_step *when = &perfetto->timeline.step[i];
	struct ct_perfetto_event event = {
	    .category = "transfer",
	    .phase = "i",
	    .pid = ct_perfetto_host(perfetto, step->part),
	    .tid = perfetto->timeline.track[when->track].number,
	    .begin_ns = when->start_ns,
	};
	char name[CT_BRIEF_NAME_BYTES];

	if (step->launch) {
		event.name = ct_shown_name(step->launch->kernel, name);
		event.category = "launch";
		event.phase = "X";
		event.lasts_ns = when->end_ns - when->start_ns;
		ct_perfetto_put_launch(ct_perfetto_open(&perfetto->out, &event), perfetto, i,
				       step->launch->kernel, true);
	} else {
		event.name = step->transfer->event->kind == CT_TRANSFER_SET ? "memset" : "copy";
		put_transfer(ct_perfetto_open(&perfetto->out, &event), perfetto, i);
	}
	ct_perfetto_close(&perfetto->out);
	ct_perfetto_put(perfetto);
}

/* A superstep's place in time. */
struct moment {
	uint64_t ns;
	size_t superstep;
};

static int by_time(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return (x->superstep > y->superstep) - (x->superstep < y->superstep);
}

static void write_counter(struct ct_perfetto *perfetto, const struct moment *moment,
			  const char *name, uint64_t load, uint64_t store)
{
	const uint32_t part = perfetto->figures->superstep[moment->superstep].part;
	struct ct_json *args = ct_perfetto_open(
	    &perfetto->out, &(struct ct_perfetto_event){.name = name,
							.phase = "C",
							.pid = ct_perfetto_host(perfetto, part),
							.begin_ns = moment->ns});

	ct_json_put_number(args, "load", load);
	ct_json_put_number(args, "store", store);
	ct_perfetto_close(&perfetto->out);
	ct_perfetto_put(perfetto);
}

static void write_counters(struct ct_perfetto *perfetto, const struct moment *moment)
{
	const struct ct_comm_superstep *figures =
	    &perfetto->figures->of_superstep[moment->superstep];

	write_counter(perfetto, moment, "volume [bytes]", figures->load_bytes,
		      figures->store_bytes);
	write_counter(perfetto, moment, "communicated [bytes]", figures->communicated_load_bytes,
		      figures->communicated_store_bytes);
}

/* Writes what a superstep moved, from its beginning until the next one's. */
static int write_volumes(struct ct_perfetto *perfetto)
{
	const struct ct_comm_figures *figures = perfetto->figures;
	struct moment *moments = malloc((figures->supersteps + 1) * sizeof(*moments));
	size_t count = 0;

	if (!moments)
		return -ENOMEM;
	for (size_t i = 0; i < figures->supersteps; i++)
		if (figures->superstep[i].launch)
			moments[count++] = (struct moment){perfetto->timeline.step[i].start_ns, i};
	qsort(moments, count, sizeof(*moments), by_time);
	for (size_t i = 0; i < count; i++)
		write_counters(perfetto, &moments[i]);
	free(moments);
	return 0;
}

static void put_facts(struct ct_json *json, const struct ct_perfetto *perfetto)
{
	static const char *const ctas[] = {
	    [CT_PERFETTO_CTAS] = "all",
	    [CT_PERFETTO_BY_SM] = ("one slice for the blocks of a launch on a multiprocessor, for "
				   "lack of room"),
	    [CT_PERFETTO_NO_CTAS] = "left out for lack of room",
	    [CT_PERFETTO_TIMES] = "all",
	    [CT_PERFETTO_UNTIMED] = "left out: the trace has no times of them",
	};
	bool is_real = perfetto->ctas == CT_PERFETTO_TIMES || perfetto->ctas == CT_PERFETTO_UNTIMED;
	char start[32];

	snprintf(start, sizeof(start), "%llu", (unsigned long long)perfetto->start_ns);
	ct_json_put_text(json, "generator", "ctpost (cuda-trace)");
	ct_json_put_text(json, "trace", ct_trace_directory(ct_comm_trace(perfetto->comm)));
	ct_json_put_text(json, "program", perfetto->program);
	ct_json_put_text(json, "start_ns", start);
	ct_json_put_text(
	    json, "times",
	    perfetto->has_activities
		? "of the host's calls, and of devices as they were recorded"
		: "of the host: a launch lasts from its call until its end was noticed, or "
		  "until the next call in its stream; not device times");
	ct_json_put_text(
	    json, "cta_times",
	    perfetto->ctas == CT_PERFETTO_TIMES ? "of the device"
	    : is_real                           ? "none"
		      : "none: blocks are laid out in the order of their first records within "
			"their launch, equally long");
	ct_json_put_text(json, "ctas", ctas[perfetto->ctas]);
	ct_json_put_number(json, "limit_bytes", perfetto->limit);
	ct_json_put_number(json, "left_out_events", perfetto->left_out);
}

/* Whether it is known when devices did anything. */
static int look_for_activities(struct ct_perfetto *perfetto)
{
	struct ct_trace *trace = ct_comm_trace(perfetto->comm);
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(trace, &processes), count = 0;
	const void *rows;
	int err = 0;

	for (size_t i = 0; i < parts && err == 0 && !count; i++)
		err = ct_trace_rows(trace, processes[i].part, CT_TABLE_ACTIVITY, &rows, &count);
	perfetto->has_activities = count > 0;
	return err;
}

/* Writes what has real times. */
static int write_timed(struct ct_perfetto *perfetto)
{
	bool has_times = false;
	int err = ct_perfetto_write_calls(perfetto);

	if (err == 0)
		err = ct_perfetto_write_cta_times(perfetto, &has_times);
	perfetto->ctas = has_times ? CT_PERFETTO_TIMES : CT_PERFETTO_UNTIMED;
	return err;
}

/* All events. */
static int write_events(struct ct_perfetto *perfetto)
{
	bool has_times = false;
	int err = look_for_activities(perfetto);

	if (err < 0 || perfetto->has_activities)
		return err < 0 ? err : write_timed(perfetto);
	name_tracks(perfetto);
	for (size_t i = 0; i < perfetto->timeline.steps; i++)
		write_step(perfetto, i);
	err = write_volumes(perfetto);
	if (err == 0)
		err = ct_perfetto_write_calls(perfetto);
	if (err == 0)
		err = ct_perfetto_write_flows(perfetto);
	if (err == 0)
		err = ct_perfetto_write_cta_times(perfetto, &has_times);
	if (err == 0 && has_times)
		perfetto->ctas = CT_PERFETTO_TIMES;
	else if (err == 0)
		err = ct_perfetto_write_ctas(perfetto);
	return err;
}

int ct_perfetto_write(struct ct_perfetto *perfetto, FILE *file)
{
	int err, ended;

	perfetto->figures = ct_comm_figures(perfetto->comm);
	err = ct_timeline_init(&perfetto->timeline, perfetto->figures, perfetto->start_ns);
	if (err < 0)
		return err;
	err = ct_perfetto_begin(&perfetto->out, file, perfetto->limit);
	if (err == 0)
		err = write_events(perfetto);
	if (err == 0)
		put_facts(ct_perfetto_facts(&perfetto->out), perfetto);
	ended = ct_perfetto_end(&perfetto->out);
	ct_timeline_fini(&perfetto->timeline);
	return err < 0 ? err : ended;
}
