/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost dump: the records themselves. */
#include "postproc/formats/dump/dump.h"
#include "base/error.h"
#include "base/quantity.h"
#include "postproc/cmd/base/dump_host.h"
#include "postproc/cmd/base/pass.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/options/dump_choice.h"
#include "postproc/cmd/options/host_paths.h"
#include "postproc/cmd/options/selection.h"
#include "postproc/facts/operation.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STOP_AT_LIMIT 1

static const struct ctpost_option own[] = {
    {.name = "format",
     .argument = "FORMAT",
     .choices = "text|csv|jsonl",
     .complete = CTPOST_COMPLETE_WORDS,
     .help = "text (default), csv or jsonl (one JSON object per line)"},
    {.name = "limit", .argument = "N", .help = "stop after N lines"},
    {.name = "lanes", .help = "one line per thread's access instead of per warp's"},
    {.name = "threads", .stands_for = "lanes"},
    {.name = "values", .help = "also what was loaded, stored, compared and returned, if recorded"},
    {.name = "events", .help = "also what has no address: barriers, calls, prefetches, fetches"},
    {.name = "paths",
     .help =
	 "also the calls that led to each line's place, the host's (if calls are recorded) and the "
	 "device's"},
    {.name = "host-events",
     .help = "instead what the program asked for: launches, allocations, copies, waits, marks, a "
	     "line each"},
    {.name = "tables",
     .argument = "NAME[,NAME]",
     .help = "instead rows of tables, a line each: call, activity, stack, content, cta, wait, use"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {
    own, ctpost_debug_options, ctpost_selection_options, ctpost_dump_choice_options, NULL,
};

static const struct ct_dump_format *const formats[] = {
    &ct_dump_text,
    &ct_dump_csv,
    &ct_dump_jsonl,
};

struct job {
	struct ct_dump dump;
	const struct ct_dump_format *format;
	struct ct_filter *filter;
	struct ctpost_dump_choice choice;
	uint64_t left; /* lines */
	/* The access that waits for its values, as far as it is shown; its mask is 0 if there is
	 * none. */
	struct ct_access access;
	uint32_t mask; /* of all of it */
	uint64_t range[CT_WARP_LANES];
	struct ct_path_call *path;
	size_t path_room;
	struct ct_values values;
	struct ct_range_bytes content; /* if it is of ranges */
	bool is_event;                 /* it is none, but a fetch */
	struct ct_dump_place place;    /* of that */
};

static int write_record(struct job *job, const struct ct_dump_record *record)
{
	if (!job->dump.lanes) {
		if (!job->left--)
			return STOP_AT_LIMIT;
		job->format->warp(&job->dump, record);
	}
	for (uint32_t rest = job->dump.lanes ? record->access->mask : 0; rest; rest &= rest - 1) {
		if (!job->left--)
			return STOP_AT_LIMIT;
		job->format->lane(&job->dump, record, (uint32_t)__builtin_ctz(rest));
	}
	return ferror(job->dump.out) ? -EIO : 0;
}

/* Write what waits for values: it has them all. */
static int flush(struct job *job)
{
	const struct ct_dump_record record = {
	    .access = &job->access,
	    .has_addresses = !job->is_event,
	    .is_event = job->is_event,
	    .values = &job->values,
	    .content = &job->content,
	    .place = &job->place,
	};
	int result = job->access.mask ? write_record(job, &record) : 0;

	job->access.mask = 0;
	return result;
}

/* Keep an access until its values have come. */
static int keep(struct job *job, const struct ct_access *access, uint32_t mask)
{
	if (access->depth > job->path_room) {
		struct ct_path_call *bigger = realloc(job->path, access->depth * sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		job->path = bigger;
		job->path_room = access->depth;
	}
	job->access = *access;
	job->mask = mask;
	if (access->depth)
		memcpy(job->path, access->path, access->depth * sizeof(*access->path));
	job->access.path = job->path;
	if (access->range)
		job->access.range = memcpy(job->range, access->range, sizeof(job->range));
	ct_values_clear(&job->values);
	ct_range_bytes_clear(&job->content);
	job->is_event = false;
	job->place.mask = 0;
	return 0;
}

static int dump_access(void *user, const struct ct_access *access)
{
	struct job *job = user;
	struct ct_access chosen = *access;
	const struct ct_dump_record record = {.access = &chosen, .has_addresses = 1};
	int result = flush(job);

	if (result || !ctpost_dump_chooses(&job->choice, access, true))
		return result;
	chosen.mask = ct_filter_lanes(job->filter, access, &job->dump.locator);
	if (!chosen.mask)
		return 0;
	if (job->dump.values && access->info->flags & CT_SITE_VALUES)
		return keep(job, &chosen, access->mask);
	return write_record(job, &record);
}

/* Records without an address are in no object. */
static bool passes_without_address(const struct job *job, const struct ct_access *at)
{
	return ctpost_dump_chooses(&job->choice, at, false) && ct_filter_all_objects(job->filter) &&
	       ct_filter_passes(job->filter, at);
}

static int dump_event(void *user, const struct ct_event *event)
{
	const struct ct_dump_record record = {
	    .access = event->at,
	    .is_event = 1,
	    .phase = event->phase,
	};
	struct job *job = user;
	int result = flush(job);

	if (result || !passes_without_address(job, event->at))
		return result;
	if (!job->dump.values || !(event->at->info->flags & CT_SITE_VALUES))
		return write_record(job, &record);
	result = keep(job, event->at, event->at->mask);
	job->is_event = true;
	return result;
}

/* The coordinates, or the image, of a fetch. */
static void add_place(struct ct_dump_place *place, const struct ct_value *value)
{
	for (uint32_t rest = value->at->mask; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		if (value->part == CT_PART_IMAGE)
			memcpy(&place->image[lane], value->data[lane], sizeof(place->image[lane]));
		else
			memcpy(place->coordinate[lane], value->data[lane],
			       sizeof(place->coordinate[lane]));
	}
	if (value->part == CT_PART_COORDINATES)
		place->count = value->bytes / 4;
	place->mask |= value->at->mask;
}

/* Whether a value belongs to the access that waits. */
static int is_awaited(const struct job *job, const struct ct_access *at)
{
	const struct ct_access *access = &job->access;

	return access->mask && access->launch == at->launch && access->cta == at->cta &&
	       access->warp == at->warp && access->unit == at->unit && access->site == at->site &&
	       !(at->mask & ~job->mask);
}

/* Values whose access was filtered out are, too; those whose access is lost have their own line,
 * but for those of ranges. */
static int dump_value(void *user, const struct ct_value *value)
{
	struct job *job = user;
	const struct ct_dump_record record = {.access = value->at, .values = &job->values};
	int result;

	if (value->part == CT_PART_CONTENT)
		return is_awaited(job, value->at) ? ct_range_bytes_add(&job->content, value) : 0;
	if (value->part == CT_PART_COORDINATES || value->part == CT_PART_IMAGE) {
		if (is_awaited(job, value->at))
			add_place(&job->place, value);
		return 0;
	}
	if (is_awaited(job, value->at)) {
		ct_values_add(&job->values, value);
		return 0;
	}
	result = flush(job);
	if (result || !passes_without_address(job, value->at) ||
	    ct_operation_class(value->at->info->operation) == CT_CLASS_EVENT)
		return result;
	ct_values_clear(&job->values);
	ct_values_add(&job->values, value);
	return write_record(job, &record);
}

/* Options into the job. Returns an exit status. */
static int read_options(struct ctpost_call *call, struct job *job)
{
	const char *format = ctpost_value(call, "format"), *limit = ctpost_value(call, "limit");

	if (limit && ct_parse_count(limit, &job->left) < 0)
		return ctpost_wrong(call, "limit", "a number");
	for (size_t i = 0; format && i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(format, formats[i]->name))
			job->format = formats[i];
	job->dump.lanes = ctpost_value(call, "lanes") != NULL;
	job->dump.values = ctpost_value(call, "values") != NULL;
	job->dump.events = ctpost_value(call, "events") != NULL;
	job->dump.paths = ctpost_value(call, "paths") != NULL;
	return ctpost_read_dump_choice(call, &job->choice);
}

static int dump_trace(struct ctpost_call *call, struct ct_trace *trace, struct job *job)
{
	const struct ct_process_info *processes;
	const struct ct_each each = {
	    .access = dump_access,
	    .event = job->dump.events ? dump_event : NULL,
	    .value = job->dump.values ? dump_value : NULL,
	    .user = job,
	    .with_paths = job->dump.paths,
	    .launches = ct_filter_launches(job->filter),
	};
	struct ct_host_paths *host = NULL;
	int err = 0;

	job->dump.locator.trace = trace;
	job->dump.parts = ct_trace_processes(trace, &processes) > 1;
	ctpost_warn_incomplete(trace, NULL);
	if (job->dump.paths)
		err = ctpost_open_host_paths(call, trace, &host);
	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0],
				   ct_strerror(err));
	job->dump.host = host;
	if (job->format->begin)
		job->format->begin(&job->dump);
	err = ctpost_each(call, trace, &each, NULL);
	if (err == 0)
		err = flush(job);
	ct_host_paths_close(host);
	return err < 0 ? CTPOST_FAILED : CTPOST_OK;
}

static int run(struct ctpost_call *call)
{
	struct job job = {.dump = {.out = stdout}, .format = &ct_dump_text, .left = UINT64_MAX};
	struct ct_selection selection;
	struct ct_trace *trace;
	int status = read_options(call, &job);

	if (status == CTPOST_OK &&
	    (ctpost_value(call, "host-events") || ctpost_value(call, "tables")))
		return ctpost_dump_host(call, job.left);
	if (status == CTPOST_OK)
		status = ctpost_read_selection(call, &selection);
	if (status != CTPOST_OK)
		return status;
	trace = ctpost_open_trace(call, call->operand[0]);
	status = trace ? ctpost_open_filter(call, call->operand[0], trace, &selection, &job.filter)
		       : CTPOST_FAILED;
	if (status == CTPOST_OK)
		status = dump_trace(call, trace, &job);
	ct_filter_close(job.filter);
	ct_trace_close(trace);
	ct_selection_fini(&selection);
	free(job.path);
	ct_range_bytes_fini(&job.content);
	return status;
}

const struct ctpost_command ctpost_dump_command = {
    .name = "dump",
    .summary = "print the recorded accesses",
    .description =
	"Prints the recorded accesses, a line for each access of a warp: launch, kernel, block,\n"
	"warp, SM, site and source line, operation, bytes per thread, mask of active threads,\n"
	"addresses, and object and offset of the first active thread's address.\n\n"
	"Regular addresses are shortened in text: '0x1000 +4 x32' are 32 addresses from\n"
	"0x1000 on, 4 bytes apart. Lines of one warp come in the order it executed them.\n"
	"Addresses outside global memory are offsets: 'shared+0x40'.\n\n"
	"--values adds what each thread loaded or stored, and of an atomic its operand, what\n"
	"it compared with and what it returned; --events adds lines for what has no address;\n"
	"--paths adds the calls, inlined or not, from the kernel to the place of the line, and\n"
	"before them those of the host from main to the launch, if they are recorded.\n\n"
	"--host-events prints the events of the host side instead, with all their fields: what\n"
	"the program launched, allocated, copied and waited for, in its order, with seconds\n"
	"since the first.\n\n"
	"--tables prints rows of tables, with all their columns: calls of CUDA, activities of\n"
	"devices, frames of host stacks.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read, 2 for a wrong option.",
    .example = "ctpost dump --kernels='^bfs' --sites=bfs.cu:33 --limit=10 run.ctrace",
    .run = run,
};
