/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost diff: whether two traces say that every thread did the same. */
#include "postproc/render/diff/diff.h"
#include "postproc/analysis/diff/first_difference.h"
#include "postproc/analysis/diff/seq.h"
#include "postproc/cmd/trace_file.h"
#include <errno.h>

#define DIFF_DIFFERENT 1
#define DIFF_FAILED 2

enum { OPT_JSON, OPT_VALUES, OPT_EVENTS, OPT_PATHS };

static const struct ctpost_option options[] = {
    [OPT_JSON] = {.name = "json", .help = "write JSON (docs/json-schema.md)"},
    [OPT_VALUES] = {.name = "values",
		    .help = "also compare values; both traces must have been recorded with "
			    "--ct-values"},
    [OPT_EVENTS] = {.name = "events",
		    .help = "also compare what has no address: calls, prefetches, fetches, and "
			    "barriers and blocks if both traces have them"},
    [OPT_PATHS] = {.name = "paths", .help = "also compare the calls that led to each access"},
    {.name = NULL},
};

struct job {
	struct ctpost_call *call;
	struct ct_trace *trace[2];
	struct ct_match match[2];
	struct ct_pairs pairs;
	struct ct_seq *seq;
	struct ct_first_difference *find;
	int side; /* being scanned */
	/* What is done with a step. */
	int (*take)(struct job *job, const struct ct_warp_step *warp);
};

static int hash_step(struct job *job, const struct ct_warp_step *warp)
{
	ct_seq_add(job->seq, job->side, &job->match[job->side], warp);
	return 0;
}

static int collect_step(struct job *job, const struct ct_warp_step *warp)
{
	return ct_first_difference_add(job->find, job->side, &job->match[job->side], warp);
}

static int on_access(void *user, const struct ct_access *access)
{
	struct job *job = user;
	const struct ct_warp_step warp = ct_match_access(&job->match[job->side], access);

	return job->take(job, &warp);
}

static int on_event(void *user, const struct ct_event *event)
{
	struct job *job = user;
	const struct ct_warp_step warp = ct_match_event(&job->match[job->side], event);

	return job->take(job, &warp);
}

static int on_value(void *user, const struct ct_value *value)
{
	struct job *job = user;
	const struct ct_warp_step warp = ct_match_value(&job->match[job->side], value);

	return job->take(job, &warp);
}

static int scan_both(struct job *job, uint32_t launch,
		     int (*take)(struct job *job, const struct ct_warp_step *warp))
{
	const char *const *option = job->call->option;
	struct ct_scan scan = {
	    .access = on_access,
	    .event = option[OPT_EVENTS] ? on_event : NULL,
	    .value = option[OPT_VALUES] ? on_value : NULL,
	    .user = job,
	    .launch = launch,
	    .paths = option[OPT_PATHS] != NULL,
	};
	int err = 0;

	job->take = take;
	for (job->side = 0; job->side < 2 && !err; job->side++)
		err = ctpost_scan(job->call, job->trace[job->side], &scan);
	return err;
}

static int compare(struct job *job)
{
	int err = ct_seq_open(&job->seq, &job->pairs, CT_SEQ_THREADS_MAX);

	while (!err && ct_seq_next_batch(job->seq)) {
		err = scan_both(job, ct_seq_single_launch(job->seq), hash_step);
		if (!err)
			ct_seq_settle(job->seq);
	}
	ct_seq_close(job->seq);
	if (err < 0)
		return err;
	err = ct_first_difference_open(&job->find, &job->pairs, CT_FIRST_DIFFERENCE_WINDOW);
	while (!err && ct_first_difference_next(job->find)) {
		err = scan_both(job, 0, collect_step);
		if (!err)
			ct_first_difference_settle(job->find);
	}
	ct_first_difference_close(job->find);
	return err;
}

/* What both traces record. */
static struct ct_match_options options_of(const struct job *job)
{
	struct ct_match_options a = ct_match_recorded(job->trace[0]);
	struct ct_match_options b = ct_match_recorded(job->trace[1]);

	return (struct ct_match_options){
	    .spaces = a.spaces & b.spaces,
	    .events = a.events & b.events,
	    .with_paths = job->call->option[OPT_PATHS] != NULL,
	};
}

static int has_values(const struct ct_trace *trace)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(trace, &units);

	for (size_t u = 0; u < count; u++)
		if (units[u].header->values)
			return 1;
	return 0;
}

static int check_values(const struct job *job)
{
	for (int side = 0; job->call->option[OPT_VALUES] && side < 2; side++) {
		if (has_values(job->trace[side]))
			continue;
		ctpost_fail(job->call, 0,
			    "diff: --values: %s has no values; compile with --ct-values",
			    ct_trace_directory(job->trace[side]));
		return -ENODATA;
	}
	return 0;
}

/* Compare and report. Returns an exit status or a negative error. */
static int diff_traces(struct job *job)
{
	struct ct_style style = ct_style_of_stdout();
	struct ct_diff diff = {
	    .trace = {job->trace[0], job->trace[1]},
	    .pairs = &job->pairs,
	    .with_steps = job->call->option[OPT_VALUES] || job->call->option[OPT_EVENTS],
	};
	struct ct_match_options wanted = options_of(job);
	int err = check_values(job);

	if (err == 0)
		err = ct_match_init(&job->match[0], job->trace[0], &wanted);
	if (err == 0)
		err = ct_match_init(&job->match[1], job->trace[1], &wanted);
	if (err == 0)
		err = ct_pairs_init(&job->pairs, job->trace[0], job->trace[1]);
	if (err == 0)
		err = compare(job);
	if (err == 0 && job->call->option[OPT_JSON])
		err = ct_diff_write_json(stdout, &diff);
	else if (err == 0)
		ct_diff_write_text(stdout, &diff, &style);
	if (err == 0)
		err = ct_diff_count(&job->pairs).different ? DIFF_DIFFERENT : CTPOST_OK;
	ct_pairs_fini(&job->pairs);
	ct_match_fini(&job->match[0]);
	ct_match_fini(&job->match[1]);
	return err;
}

static int run(struct ctpost_call *call)
{
	struct job job = {.call = call};
	int status = DIFF_FAILED;

	for (int side = 0; side < 2; side++) {
		job.trace[side] = ctpost_open_trace(call, call->operand[side]);
		if (!job.trace[side])
			goto close;
		ctpost_warn_incomplete(job.trace[side]);
	}
	status = diff_traces(&job);
	if (status < 0) {
		if (!call->why[0])
			ctpost_fail(call, 0, "diff: %s", ct_strerror(status));
		status = DIFF_FAILED;
	}
close:
	ct_trace_close(job.trace[0]);
	ct_trace_close(job.trace[1]);
	return status;
}

const struct ctpost_command ctpost_diff = {
    .name = "diff",
    .summary = "compare two traces of one program",
    .description =
	"Compares two traces launch by launch: kernel, grid, block, stream, and for every\n"
	"thread the sequence of its accesses: site, operation, bytes, and object and offset.\n"
	"Which threads shared a warp's record and on which SM they ran does not count, nor\n"
	"do the addresses at which objects lay.\n\n"
	"Launches are matched by number, streams by the order of their first use, allocations\n"
	"by their order, variables by name, sites by function and place in it. Addresses in\n"
	"no known object are all taken as alike; their number is shown.\n\n"
	"Accesses to spaces that only one of the traces records are left out, and so is all\n"
	"but accesses unless --values, --events or --paths ask for it.",
    .operands = "A B",
    .operands_min = 2,
    .operands_max = 2,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 if the traces are equal, 1 if they differ, 2 if one cannot be read or an\n"
		   "option is wrong.",
    .example = "ctpost diff gpu.ctrace cpu.ctrace",
    .run = run,
};
