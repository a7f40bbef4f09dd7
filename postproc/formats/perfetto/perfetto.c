/* SPDX-License-Identifier: Apache-2.0 */
/* A time line for ui.perfetto.dev: processes, streams, launches, counters. */
#include "postproc/formats/perfetto/perfetto.h"
#include "postproc/facts/words.h"
#include "postproc/render/base/json.h"
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

static json_t *launch_args(const struct ct_perfetto *perfetto, size_t i)
{
	const struct ct_launch_info *launch = perfetto->figures->superstep[i].launch;
	const struct ct_comm_superstep *figures = &perfetto->figures->of_superstep[i];
	char site[TEXT_BYTES];
	json_t *args = json_pack(
	    "{s:o,s:I,s:I,s:o,s:o,s:b,s:I,s:I,s:I,s:I,s:o,s:o}", "kernel",
	    ct_json_text(launch->kernel), "launch", (json_int_t)launch->event->launch, "superstep",
	    (json_int_t)i, "grid", ct_json_extent(launch->event->grid), "block",
	    ct_json_extent(launch->event->block), "traced",
	    launch->event->flags & CT_LAUNCH_TRACED ? 1 : 0, "load_bytes",
	    (json_int_t)figures->load_bytes, "store_bytes", (json_int_t)figures->store_bytes,
	    "communicated_load_bytes", (json_int_t)figures->communicated_load_bytes,
	    "communicated_store_bytes", (json_int_t)figures->communicated_store_bytes, "source",
	    ct_json_text(ct_words_descriptor(launch->site, site, sizeof(site))), "called_us",
	    ct_perfetto_time(perfetto->timeline.step[i].called_ns));

	if (args && *launch->region)
		json_object_set_new(args, "region", ct_json_text(launch->region));
	if (args && launch->done)
		json_object_set_new(args, "end_noticed_us",
				    ct_perfetto_time(launch->done_ns > perfetto->start_ns
							 ? launch->done_ns - perfetto->start_ns
							 : 0));
	else if (args)
		json_object_set_new(args, "end", json_string("not seen"));
	return args;
}

static json_t *transfer_args(const struct ct_perfetto *perfetto, size_t i)
{
	const struct ct_transfer_info *info = perfetto->figures->superstep[i].transfer;
	const struct ct_event_transfer *event = info->event;

	return json_pack(
	    "{s:I,s:o,s:I,s:o,s:o}", "superstep", (json_int_t)i, "call", ct_json_text(info->call),
	    "bytes", (json_int_t)(event->width * event->height * event->depth), "target",
	    ct_json_address(event->target), "source",
	    event->kind == CT_TRANSFER_SET ? json_null() : ct_json_address(event->source));
}

static json_t *make_step(const struct ct_perfetto *perfetto, size_t i)
{
	const struct ct_superstep *step = &perfetto->figures->superstep[i];
	const struct ct_timeline_step *when = &perfetto->timeline.step[i];
	json_int_t pid = (json_int_t)ct_perfetto_host(perfetto, step->part);
	json_int_t tid = perfetto->timeline.track[when->track].number;

	if (step->launch)
		return json_pack("{s:o,s:s,s:s,s:I,s:I,s:o,s:o,s:o}", "name",
				 ct_json_text(step->launch->kernel), "cat", "launch", "ph", "X",
				 "pid", pid, "tid", tid, "ts", ct_perfetto_time(when->start_ns),
				 "dur", ct_perfetto_time(when->end_ns - when->start_ns), "args",
				 launch_args(perfetto, i));
	return json_pack("{s:s,s:s,s:s,s:s,s:I,s:I,s:o,s:o}", "name",
			 step->transfer->event->kind == CT_TRANSFER_SET ? "memset" : "copy", "cat",
			 "transfer", "ph", "i", "s", "t", "pid", pid, "tid", tid, "ts",
			 ct_perfetto_time(when->start_ns), "args", transfer_args(perfetto, i));
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

static void write_counters(struct ct_perfetto *perfetto, const struct moment *moment)
{
	size_t i = moment->superstep;
	const struct ct_comm_superstep *figures = &perfetto->figures->of_superstep[i];
	json_int_t pid =
	    (json_int_t)ct_perfetto_host(perfetto, perfetto->figures->superstep[i].part);

	ct_perfetto_put(perfetto, json_pack("{s:s,s:s,s:I,s:i,s:o,s:{s:I,s:I}}", "name",
					    "volume [bytes]", "ph", "C", "pid", pid, "tid", 0, "ts",
					    ct_perfetto_time(moment->ns), "args", "load",
					    (json_int_t)figures->load_bytes, "store",
					    (json_int_t)figures->store_bytes));
	ct_perfetto_put(perfetto, json_pack("{s:s,s:s,s:I,s:i,s:o,s:{s:I,s:I}}", "name",
					    "communicated [bytes]", "ph", "C", "pid", pid, "tid", 0,
					    "ts", ct_perfetto_time(moment->ns), "args", "load",
					    (json_int_t)figures->communicated_load_bytes, "store",
					    (json_int_t)figures->communicated_store_bytes));
}

/* What a superstep moved, from its beginning until the next one's. */
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

static json_t *facts(const struct ct_perfetto *perfetto)
{
	static const char *const ctas[] = {
	    [CT_PERFETTO_CTAS] = "all",
	    [CT_PERFETTO_BY_SM] = ("one slice for the CTAs of a launch on a multiprocessor, for "
				   "lack of room"),
	    [CT_PERFETTO_NO_CTAS] = "left out for lack of room",
	    [CT_PERFETTO_TIMES] = "all",
	};

	return json_pack(
	    "{s:s,s:o,s:o,s:o,s:s,s:s,s:s,s:I,s:I}", "generator", "ctpost (cuda-trace)", "trace",
	    ct_json_text(ct_trace_directory(ct_comm_trace(perfetto->comm))), "program",
	    ct_json_text(perfetto->program), "start_ns",
	    json_sprintf("%llu", (unsigned long long)perfetto->start_ns), "times",
	    "of the host: a launch lasts from its call until its end was noticed, or until "
	    "the next call in its stream; not device times",
	    "cta_times",
	    perfetto->ctas == CT_PERFETTO_TIMES
		? "of the device"
		: "none: CTAs are laid out in the order of their first records within their "
		  "launch, equally long",
	    "ctas", ctas[perfetto->ctas], "limit_bytes", (json_int_t)perfetto->limit,
	    "left_out_events", (json_int_t)perfetto->left_out);
}

int ct_perfetto_write(struct ct_perfetto *perfetto, FILE *file)
{
	bool has_times;
	int err;

	perfetto->figures = ct_comm_figures(perfetto->comm);
	err = ct_timeline_init(&perfetto->timeline, perfetto->figures, perfetto->start_ns);
	if (err < 0)
		return err;
	ct_perfetto_begin(&perfetto->out, file, perfetto->limit);
	name_tracks(perfetto);
	for (size_t i = 0; i < perfetto->timeline.steps; i++)
		ct_perfetto_put(perfetto, make_step(perfetto, i));
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
	if (err == 0)
		err = ct_perfetto_end(&perfetto->out, facts(perfetto));
	ct_timeline_fini(&perfetto->timeline);
	return err;
}
