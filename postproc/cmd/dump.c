/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost dump: the records themselves. */
#include "postproc/render/dump/dump.h"
#include "base/quantity.h"
#include "postproc/cmd/trace_file.h"
#include "postproc/facts/filter.h"
#include "postproc/render/dump/host_events.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STOP_AT_LIMIT 1

enum {
	OPT_FORMAT,
	OPT_LAUNCH,
	OPT_KERNEL,
	OPT_SITE,
	OPT_CTA,
	OPT_WARP,
	OPT_OPERATION,
	OPT_SPACE,
	OPT_LIMIT,
	OPT_THREADS,
	OPT_VALUES,
	OPT_EVENTS,
	OPT_PATHS,
	OPT_HOST_EVENTS,
	OPTIONS,
};

static const struct ctpost_option options[] = {
    [OPT_FORMAT] = {.name = "format",
		    .argument = "FORMAT",
		    .choices = "text|csv|jsonl",
		    .complete = CTPOST_COMPLETE_WORDS,
		    .help = "text (default), csv or jsonl (one JSON object per line)"},
    [OPT_LAUNCH] = {.name = "launch",
		    .argument = "N[-M]",
		    .help = "only launches with these numbers, counted from 1"},
    [OPT_KERNEL] = {.name = "kernel",
		    .argument = "REGEX",
		    .help = "only kernels whose name matches (extended regular expression)"},
    [OPT_SITE] = {.name = "site",
		  .argument = "SITE",
		  .help = "only this site: its number, or FILE:LINE"},
    [OPT_CTA] = {.name = "cta",
		 .argument = "CTA",
		 .help = "only this CTA: its linear number, or X,Y or X,Y,Z"},
    [OPT_WARP] = {.name = "warp", .argument = "N", .help = "only warp N of each CTA"},
    [OPT_OPERATION] = {.name = "operation",
		       .argument = "OPERATION",
		       .help = "only this operation, or load, store, atomic or event for all of "
			       "that class"},
    [OPT_SPACE] = {.name = "space",
		   .argument = "SPACE",
		   .choices = "global|shared|constant|local",
		   .complete = CTPOST_COMPLETE_WORDS,
		   .help = "only accesses with an address in this space: global, shared, constant "
			   "or local"},
    [OPT_LIMIT] = {.name = "limit", .argument = "N", .help = "stop after N lines"},
    [OPT_THREADS] = {.name = "threads",
		     .help = "one line per thread's access instead of per warp's"},
    [OPT_VALUES] = {.name = "values",
		    .help = "also what was loaded, stored, compared and returned, if recorded"},
    [OPT_EVENTS] = {.name = "events",
		    .help = "also what has no address: barriers, calls, prefetches, fetches"},
    [OPT_PATHS] = {.name = "paths", .help = "also the calls that led to each line's place"},
    [OPT_HOST_EVENTS] = {.name = "host-events",
			 .help = "instead what the program asked for: launches, allocations, "
				 "copies, waits, marks, a line each"},
    {.name = NULL},
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
	uint64_t left; /* lines */
	/* The access that waits for its values; its mask is 0 if there is none. */
	struct ct_access access;
	uint64_t range[CT_WARP_LANES];
	struct ct_path_call *path;
	size_t path_room;
	struct ct_values values;
};

static int write_record(struct job *job, const struct ct_dump_record *record)
{
	if (!job->dump.threads) {
		if (!job->left--)
			return STOP_AT_LIMIT;
		job->format->warp(&job->dump, record);
	}
	for (uint32_t rest = job->dump.threads ? record->access->mask : 0; rest; rest &= rest - 1) {
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
	    .has_addresses = 1,
	    .values = &job->values,
	};
	int result = job->access.mask ? write_record(job, &record) : 0;

	job->access.mask = 0;
	return result;
}

/* Keep an access until its values have come. */
static int keep(struct job *job, const struct ct_access *access)
{
	if (access->depth > job->path_room) {
		struct ct_path_call *bigger = realloc(job->path, access->depth * sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		job->path = bigger;
		job->path_room = access->depth;
	}
	job->access = *access;
	if (access->depth)
		memcpy(job->path, access->path, access->depth * sizeof(*access->path));
	job->access.path = job->path;
	if (access->range)
		job->access.range = memcpy(job->range, access->range, sizeof(job->range));
	ct_values_clear(&job->values);
	return 0;
}

static int dump_access(void *user, const struct ct_access *access)
{
	const struct ct_dump_record record = {.access = access, .has_addresses = 1};
	struct job *job = user;
	int result = flush(job);

	if (result || !ct_filter_passes(job->filter, access) ||
	    !ct_filter_passes_space(job->filter, access))
		return result;
	if (job->dump.values && access->info->flags & CT_SITE_VALUES)
		return keep(job, access);
	return write_record(job, &record);
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

	if (result || !ct_filter_passes(job->filter, event->at) ||
	    !ct_filter_passes_space(job->filter, NULL))
		return result;
	return write_record(job, &record);
}

/* Whether a value belongs to the access that waits. */
static int is_awaited(const struct job *job, const struct ct_access *at)
{
	const struct ct_access *access = &job->access;

	return access->mask && access->launch == at->launch && access->cta == at->cta &&
	       access->warp == at->warp && access->unit == at->unit && access->site == at->site &&
	       !(at->mask & ~access->mask);
}

/* Values whose access was filtered out are, too; those whose access is lost have their own line. */
static int dump_value(void *user, const struct ct_value *value)
{
	struct job *job = user;
	const struct ct_dump_record record = {.access = value->at, .values = &job->values};
	int result;

	if (is_awaited(job, value->at)) {
		ct_values_add(&job->values, value);
		return 0;
	}
	result = flush(job);
	if (result || !ct_filter_passes(job->filter, value->at) ||
	    !ct_filter_passes_space(job->filter, NULL))
		return result;
	ct_values_clear(&job->values);
	ct_values_add(&job->values, value);
	return write_record(job, &record);
}

/* Options into the filter and the job. Returns an exit status. */
static int read_options(struct ctpost_call *call, struct job *job)
{
	const char *const *option = call->option;
	char why[256];
	uint64_t first, last, number;

	if (option[OPT_LAUNCH]) {
		if (ct_parse_range(option[OPT_LAUNCH], &first, &last) < 0 || !first)
			return ctpost_fail(call, CTPOST_USAGE,
					   "dump: --launch='%s' is not N or N-M, counted from 1",
					   option[OPT_LAUNCH]);
		ct_filter_launches(job->filter, first, last);
	}
	if (option[OPT_KERNEL] &&
	    ct_filter_kernel(job->filter, option[OPT_KERNEL], why, sizeof(why)) < 0)
		return ctpost_fail(call, CTPOST_USAGE, "dump: --kernel='%s': %s",
				   option[OPT_KERNEL], why);
	if (option[OPT_SITE] && ct_filter_site(job->filter, option[OPT_SITE]) < 0)
		return ctpost_fail(call, CTPOST_USAGE,
				   "dump: --site='%s' is neither a number nor FILE:LINE",
				   option[OPT_SITE]);
	if (option[OPT_CTA] && ct_filter_cta(job->filter, option[OPT_CTA]) < 0)
		return ctpost_fail(call, CTPOST_USAGE,
				   "dump: --cta='%s' is neither a number nor X,Y or X,Y,Z",
				   option[OPT_CTA]);
	if (option[OPT_WARP]) {
		if (ct_parse_count(option[OPT_WARP], &number) < 0)
			return ctpost_fail(call, CTPOST_USAGE, "dump: --warp='%s' is not a number",
					   option[OPT_WARP]);
		ct_filter_warp(job->filter, number);
	}
	if (option[OPT_OPERATION] && ct_filter_operation(job->filter, option[OPT_OPERATION]) < 0)
		return ctpost_fail(call, CTPOST_USAGE,
				   "dump: --operation='%s' is no operation, such as load, "
				   "atomic_add, barrier, nor a class of them",
				   option[OPT_OPERATION]);
	if (option[OPT_SPACE])
		ct_filter_space(job->filter, option[OPT_SPACE]);
	if (option[OPT_LIMIT] && ct_parse_count(option[OPT_LIMIT], &job->left) < 0)
		return ctpost_fail(call, CTPOST_USAGE, "dump: --limit='%s' is not a number",
				   option[OPT_LIMIT]);
	for (size_t i = 0; option[OPT_FORMAT] && i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(option[OPT_FORMAT], formats[i]->name))
			job->format = formats[i];
	job->dump.threads = option[OPT_THREADS] != NULL;
	job->dump.values = option[OPT_VALUES] != NULL;
	job->dump.events = option[OPT_EVENTS] != NULL;
	job->dump.paths = option[OPT_PATHS] != NULL;
	return CTPOST_OK;
}

static int dump_trace(struct ctpost_call *call, struct ct_trace *trace)
{
	const struct ct_process_info *processes;
	struct job job = {
	    .dump = {.out = stdout,
		     .locator = {.trace = trace},
		     .parts = ct_trace_processes(trace, &processes) > 1},
	    .format = &ct_dump_text,
	    .left = UINT64_MAX,
	};
	struct ct_scan scan = {.access = dump_access, .user = &job};
	int status, err;

	if (ct_filter_open(&job.filter, trace) < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: out of memory", call->operand[0]);
	status = read_options(call, &job);
	if (status == CTPOST_OK) {
		ctpost_warn_incomplete(trace);
		scan.launch = ct_filter_single_launch(job.filter);
		if (job.format->begin)
			job.format->begin(&job.dump);
		scan.event = job.dump.events ? dump_event : NULL;
		scan.value = job.dump.values ? dump_value : NULL;
		scan.paths = (uint32_t)job.dump.paths;
		err = ctpost_scan(call, trace, &scan);
		if (err == 0)
			err = flush(&job);
		status = err < 0 ? CTPOST_FAILED : CTPOST_OK;
	}
	ct_filter_close(job.filter);
	free(job.path);
	return status;
}

/* --format and --limit go with them, what selects accesses does not. */
static int dump_host_events(struct ctpost_call *call, const struct ct_trace *trace)
{
	const char *const *option = call->option;
	bool as_json = option[OPT_FORMAT] && strcmp(option[OPT_FORMAT], "jsonl") == 0;
	uint64_t limit = UINT64_MAX;

	for (int i = 0; i < OPTIONS; i++)
		if (option[i] && i != OPT_FORMAT && i != OPT_LIMIT && i != OPT_HOST_EVENTS)
			return ctpost_fail(
			    call, CTPOST_USAGE,
			    "dump: --%s is about accesses, and --host-events shows none",
			    options[i].name);
	if (option[OPT_FORMAT] && strcmp(option[OPT_FORMAT], "csv") == 0)
		return ctpost_fail(call, CTPOST_USAGE,
				   "dump: --host-events have different fields, and so no CSV: text "
				   "or jsonl");
	if (option[OPT_LIMIT] && ct_parse_count(option[OPT_LIMIT], &limit) < 0)
		return ctpost_fail(call, CTPOST_USAGE, "dump: --limit='%s' is not a number",
				   option[OPT_LIMIT]);
	ctpost_warn_unread(trace);
	return ct_dump_host_events(trace, stdout, as_json, limit) < 0 ? CTPOST_FAILED : CTPOST_OK;
}

static int run(struct ctpost_call *call)
{
	struct ct_trace *trace = ctpost_open_trace(call, call->operand[0]);
	int status;

	if (!trace)
		return CTPOST_FAILED;
	status =
	    call->option[OPT_HOST_EVENTS] ? dump_host_events(call, trace) : dump_trace(call, trace);
	ct_trace_close(trace);
	return status;
}

const struct ctpost_command ctpost_dump = {
    .name = "dump",
    .summary = "print the recorded accesses",
    .description =
	"Prints the recorded accesses, a line for each access of a warp: launch, kernel, CTA,\n"
	"warp, SM, site and source line, operation, bytes per thread, mask of active threads,\n"
	"addresses, and object and offset of the first active thread's address.\n\n"
	"Regular addresses are shortened in text: '0x1000 +4 x32' are 32 addresses from\n"
	"0x1000 on, 4 bytes apart. Lines of one warp come in the order it executed them.\n"
	"Addresses outside global memory are offsets: 'shared+0x40'.\n\n"
	"--values adds what each thread loaded or stored, and of an atomic its operand, what\n"
	"it compared with and what it returned; --events adds lines for what has no address;\n"
	"--paths adds the calls, inlined or not, from the kernel to the place of the line.\n\n"
	"--host-events prints the events of the host side instead, with all their fields: what\n"
	"the program launched, allocated, copied and waited for, in its order, with seconds\n"
	"since the first.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read, 2 for a wrong option.",
    .example = "ctpost dump --kernel='^bfs' --site=bfs.cu:33 --limit=10 run.ctrace",
    .run = run,
};
