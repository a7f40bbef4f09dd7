/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost diff: whether two traces say that every thread did the same. */
#include "postproc/render/diff/diff.h"
#include "postproc/analysis/diff/analysis.h"
#include "postproc/cmd/base/pass.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/base/trace_file.h"
#include <errno.h>
#include <stdlib.h>

#define DIFF_DIFFERENT 1
#define DIFF_FAILED 2

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
    {.name = "values",
     .help = "also compare values; both traces must have been recorded with "
	     "--ct-values"},
    {.name = "events",
     .help = "also compare what has no address: calls, prefetches, fetches, and "
	     "barriers and blocks if both traces have them"},
    {.name = "paths", .help = "also compare the calls that led to each access"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, ctpost_threads_options, NULL};

struct job {
	struct ctpost_call *call;
	const struct ct_table_format *format; /* NULL: text */
	struct ct_pass_options options;
	struct ct_trace *trace[2];
	struct ct_match match[2];
	struct ct_pairs pairs;
	struct ct_seq *seq; /* while hashes are made */
	struct ct_first_difference *find;
};

static bool is_looked_at(const struct job *job, int side, size_t launch)
{
	size_t pair = job->pairs.pair_of[side][launch];

	if (!job->seq)
		return ct_first_difference_has(job->find, side, launch);
	return pair >= ct_seq_first_pair(job->seq) &&
	       pair - ct_seq_first_pair(job->seq) < ct_seq_pairs(job->seq);
}

/* By launch of a side; free it. */
static uint8_t *select_launches(const struct job *job, int side)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(job->trace[side], &launches);
	uint8_t *selected = malloc(count + 1);

	for (size_t i = 0; selected && i < count; i++)
		selected[i] = is_looked_at(job, side, i);
	return selected;
}

/* The first scan looks at everything, and says what is wrong with the traces. */
static int scan_side(struct job *job, int side, bool is_first)
{
	const struct ctpost_call *call = job->call;
	struct ct_diff_job scan = {
	    .side = side,
	    .match = &job->match[side],
	    .wants = (ctpost_value(call, "events") ? CT_WANT_EVENTS : 0u) |
		     (ctpost_value(call, "values") ? CT_WANT_VALUES : 0u) |
		     (ctpost_value(call, "paths") ? CT_WANT_PATHS : 0u),
	    .seq = job->seq,
	    .find = job->find,
	};
	const struct ct_task task = {&ct_diff_analysis, &scan};
	uint8_t *launches;
	int err;

	if (is_first)
		return ctpost_pass_aloud(job->call, job->trace[side], &task, 1, &job->options);
	launches = select_launches(job, side);
	scan.launches = launches;
	err =
	    launches ? ctpost_pass(job->call, job->trace[side], &task, 1, &job->options) : -ENOMEM;
	free(launches);
	return err;
}

static int scan_both(struct job *job, bool is_first)
{
	int err = scan_side(job, 0, is_first);

	return err == 0 ? scan_side(job, 1, is_first) : err;
}

static int compare(struct job *job)
{
	int err = ct_seq_open(&job->seq, &job->pairs, CT_SEQ_THREADS_MAX);

	for (bool is_first = true; !err && ct_seq_next_batch(job->seq); is_first = false) {
		err = scan_both(job, is_first);
		if (!err)
			ct_seq_finish(job->seq);
	}
	ct_seq_close(job->seq);
	job->seq = NULL;
	if (err < 0)
		return err;
	err = ct_first_difference_open(&job->find, &job->pairs, CT_FIRST_DIFFERENCE_WINDOW);
	while (!err && ct_first_difference_next(job->find)) {
		err = scan_both(job, false);
		if (!err)
			ct_first_difference_finish(job->find);
	}
	ct_first_difference_close(job->find);
	return err;
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
	for (int side = 0; ctpost_value(job->call, "values") && side < 2; side++) {
		if (has_values(job->trace[side]))
			continue;
		ctpost_fail(job->call, 0,
			    "diff: --values: %s has no values; compile with --ct-values",
			    ct_trace_directory(job->trace[side]));
		return -ENODATA;
	}
	return 0;
}

/* That nothing differs says something only where something was compared. */
static int status_of(const struct job *job)
{
	switch (ct_diff_verdict(&job->pairs)) {
	case CT_DIFF_EQUAL:
		return CTPOST_OK;
	case CT_DIFF_DIFFERENT:
		return DIFF_DIFFERENT;
	default:
		ctpost_fail(job->call, 0,
			    "diff: nothing was compared: there is no access that both traces "
			    "record");
		return DIFF_FAILED;
	}
}

/* Compare and report. Returns an exit status or a negative error. */
static int diff_traces(struct job *job)
{
	struct ct_style style = ct_style_of_stdout();
	struct ct_diff diff = {
	    .trace = {job->trace[0], job->trace[1]},
	    .pairs = &job->pairs,
	    .with_steps = ctpost_value(job->call, "values") || ctpost_value(job->call, "events"),
	};
	const struct ctpost_shown shown[] = {
	    {&ct_diff_totals_table, &diff}, {&ct_diff_launches_table, &diff}, {NULL, NULL}};
	bool with_paths = ctpost_value(job->call, "paths") != NULL;
	int err = check_values(job);

	if (err == 0)
		err = ct_match_init(&job->match[0], job->trace[0], job->trace[1], with_paths);
	if (err == 0)
		err = ct_match_init(&job->match[1], job->trace[1], job->trace[0], with_paths);
	if (err == 0)
		err = ct_pairs_init(&job->pairs, job->trace[0], job->trace[1]);
	if (err == 0)
		err = compare(job);
	if (err == 0 && job->format)
		err =
		    ctpost_write_shown(job->call, job->format, NULL, shown) == CTPOST_OK ? 0 : -EIO;
	else if (err == 0)
		ct_diff_write_text(stdout, &diff, &style);
	if (err == 0)
		err = status_of(job);
	ct_pairs_fini(&job->pairs);
	ct_match_fini(&job->match[0]);
	ct_match_fini(&job->match[1]);
	return err;
}

static int run(struct ctpost_call *call)
{
	struct job job = {.call = call};
	int status;

	if (ctpost_read_threads(call, &job.options.threads) != CTPOST_OK ||
	    ctpost_read_format(call, &job.format) != CTPOST_OK)
		return DIFF_FAILED;
	status = DIFF_FAILED;
	for (int side = 0; side < 2; side++) {
		job.trace[side] = ctpost_open_trace(call, call->operand[side]);
		if (!job.trace[side])
			goto close;
		ctpost_warn_incomplete(job.trace[side], NULL);
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

const struct ctpost_command ctpost_diff_command = {
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
    .exit_status = "0 if the traces are equal, 1 if they differ, 2 if nothing could be compared,\n"
		   "one cannot be read or an option is wrong.",
    .example = "ctpost diff gpu.ctrace cpu.ctrace",
    .run = run,
};
