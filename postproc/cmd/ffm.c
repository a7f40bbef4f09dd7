/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost ffm: which waits and copies a program does not need, and what each costs it. */
#include "postproc/render/ffm/ffm.h"
#include "base/error.h"
#include "base/large.h"
#include "base/quantity.h"
#include "base/room.h"
#include "postproc/cmd/ffm_files.h"
#include "postproc/cmd/options/host_paths.h"
#include "postproc/render/ffm/compare.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 20u

static const struct ctpost_option own[] = {
    {.name = "json", .help = "write JSON (docs/json-schema.md)"},
    {.name = "problem",
     .argument = "N",
     .help = "all that is known of problem N of the list: stack, related lines, what to do"},
    {.name = "stacks", .help = "the same of every problem"},
    {.name = "group",
     .argument = "BY",
     .choices = "site|function|sequence",
     .complete = CTPOST_COMPLETE_WORDS,
     .help = "list problems by call site (default), by function, template instances together, or "
	     "in sequences without a needed wait"},
    {.name = "sequence",
     .argument = "N",
     .help = "the problems of sequence N of that list, and what they are worth together"},
    {.name = "from", .argument = "I", .help = "with --sequence: from its problem I on"},
    {.name = "to", .argument = "J", .help = "with --sequence: up to its problem J"},
    {.name = "compare",
     .help = "two studies, before and after problems were mended: what is gone, remains and is "
	     "new, what was predicted beside what is saved"},
    {.name = "far",
     .argument = "TIME",
     .help = "a wait is misplaced if nothing of what it waits for is used so long after it "
	     "(default: 50us)"},
    {.name = "all", .help = "list problems that are worth less than a thousandth of the run, too"},
    {.name = "memory",
     .argument = "SIZE",
     .help =
	 "what comes behind so much memory for calls, device work and their graph lies in files "
	 "that the system can write out (default: three quarters of what the system, or the job's "
	 "control group, has left)"},
    {.name = "scratch",
     .argument = "DIR",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "directory for these (default $TMPDIR or /tmp)"},
    {.name = "rows", .argument = "N|all", .help = "most rows of each table (default: 20)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, ctpost_debug_options, NULL};

struct job {
	struct ctpost_call *call;
	struct ct_ffm_view view;
	struct ct_ffm_options options;
	uint64_t problem;            /* from 1; 0: all */
	uint64_t sequence, from, to; /* likewise */
	struct ctpost_ffm_files files;
	struct ct_ffm_study study;
};

/* One output at a time. */
static int read_outputs(struct ctpost_call *call)
{
	static const char *const outputs[] = {"json", "problem", "stacks", "group", "sequence"};
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(outputs) / sizeof(*outputs); i++) {
		if (!ctpost_value(call, outputs[i]))
			continue;
		if (first)
			return ctpost_fail(call, CTPOST_USAGE,
					   "ffm: --%s and --%s are different outputs", first,
					   outputs[i]);
		first = outputs[i];
	}
	if (ctpost_value(call, "compare") && first && strcmp(first, "json") != 0)
		return ctpost_fail(call, CTPOST_USAGE,
				   "ffm: --compare and --%s are different outputs", first);
	if (!ctpost_value(call, "compare") != (call->operands == 1))
		return ctpost_fail(call, CTPOST_USAGE,
				   "ffm: --compare takes two studies, before and after; all else "
				   "takes one");
	if (!ctpost_value(call, "sequence") &&
	    (ctpost_value(call, "from") || ctpost_value(call, "to")))
		return ctpost_fail(call, CTPOST_USAGE, "ffm: --from and --to go with --sequence");
	return CTPOST_OK;
}

/* 0: it is not given. */
static int read_number(struct ctpost_call *call, const char *option, uint64_t *number)
{
	const char *text = ctpost_value(call, option);

	if (text && (ct_parse_count(text, number) < 0 || !*number))
		return ctpost_wrong(call, option, "a number of the list, from 1");
	return CTPOST_OK;
}

static enum ct_ffm_grouping grouping_of(const char *text)
{
	if (text && strcmp(text, "function") == 0)
		return CT_FFM_BY_FUNCTION;
	return text && strcmp(text, "sequence") == 0 ? CT_FFM_BY_SEQUENCE : CT_FFM_BY_SITE;
}

/* Events, names and maps have the rest of what is left. */
static uint64_t spared_bytes(void)
{
	uint64_t room = ct_room();

	return room == UINT64_MAX ? room : room / 4 * 3;
}

static int read_memory(struct ctpost_call *call)
{
	const char *memory = ctpost_value(call, "memory"), *scratch = ctpost_value(call, "scratch");
	uint64_t bytes;

	if (!memory)
		ct_large_spare(spared_bytes(), scratch);
	else if (ct_parse_size(memory, &bytes) < 0 || !bytes)
		return ctpost_wrong(call, "memory", "a size, as 512M or 2G");
	else
		ct_large_limit(bytes, scratch);
	return CTPOST_OK;
}

static int read_options(struct job *job)
{
	struct ctpost_call *call = job->call;
	const char *far = ctpost_value(call, "far");
	double seconds = 0;
	int status;

	job->view.style = ct_style_of_stdout();
	job->options = (struct ct_ffm_options){.far_ns = CT_FFM_FAR_NS,
					       .symbols = ctpost_symbols_options(call)};
	if (far && (ct_parse_time(far, &seconds) < 0 || seconds > 1e9))
		return ctpost_wrong(call, "far", "a time, as 20us or 1ms");
	if (far)
		job->options.far_ns = (uint64_t)(seconds * 1e9);
	status = read_outputs(call);
	if (status == CTPOST_OK)
		status = read_memory(call);
	if (status == CTPOST_OK)
		status = read_number(call, "problem", &job->problem);
	if (status == CTPOST_OK)
		status = read_number(call, "sequence", &job->sequence);
	if (status == CTPOST_OK)
		status = read_number(call, "from", &job->from);
	if (status == CTPOST_OK)
		status = read_number(call, "to", &job->to);
	if (status != CTPOST_OK)
		return status;
	job->view.is_all = ctpost_value(call, "all") != NULL;
	job->view.grouping = grouping_of(ctpost_value(call, "group"));
	return ctpost_read_rows(call, ROWS, &job->view.rows);
}

static void warn(const struct ct_ffm_study *study)
{
	const char *const *lines;
	size_t count = ct_symbols_warnings(study->symbols, &lines);

	for (size_t i = 0; i < count; i++)
		fprintf(stderr, "ctpost: warning: %s\n", lines[i]);
}

static int write_problems(const struct job *job)
{
	int err = 0;

	for (size_t i = 0; i < job->study.entries && i < job->view.rows && err == 0; i++) {
		if (i)
			fputc('\n', stdout);
		err = ct_ffm_write_problem(stdout, &job->study, i, &job->view);
	}
	return err;
}

/* Returns the exit status with call->why set, if there is no such sequence or part of it. */
static int write_sequence(const struct job *job, const struct ct_ffm_sequences *sequences)
{
	const char *study = job->call->operand[0];
	size_t entries, from, to;

	if (job->sequence > sequences->groups.count)
		return ctpost_fail(job->call, CTPOST_FAILED, "%s: there is no sequence %s, but %zu",
				   study, ctpost_value(job->call, "sequence"),
				   sequences->groups.count);
	entries = sequences->groups.group[job->sequence - 1].entries;
	from = job->from ? job->from : 1;
	to = job->to ? job->to : entries;
	if (from > to || to > entries)
		return ctpost_fail(
		    job->call, CTPOST_FAILED,
		    "%s: sequence %s has the problems 1 to %zu, and none from %zu to %zu", study,
		    ctpost_value(job->call, "sequence"), entries, from, to);
	return ct_ffm_write_sequence(stdout, sequences, job->sequence - 1, from - 1, to - 1,
				     &job->view);
}

static int print_sequence(const struct job *job)
{
	struct ct_ffm_sequences sequences;
	int err = ct_ffm_sequences_init(&sequences, &job->study);

	if (err == 0)
		err = write_sequence(job, &sequences);
	ct_ffm_sequences_fini(&sequences);
	return err;
}

/* 0, a negative error, or the exit status with call->why set. */
static int print(struct job *job)
{
	struct ctpost_call *call = job->call;
	int err;

	if (job->problem > job->study.entries)
		return ctpost_fail(call, CTPOST_FAILED, "%s: there is no problem %s, but %zu",
				   call->operand[0], ctpost_value(call, "problem"),
				   job->study.entries);
	if (ctpost_value(call, "json"))
		err = ct_ffm_write_json(stdout, &job->study, call->operand[0]);
	else if (job->problem)
		err = ct_ffm_write_problem(stdout, &job->study, job->problem - 1, &job->view);
	else if (job->sequence)
		err = print_sequence(job);
	else if (ctpost_value(call, "stacks"))
		err = write_problems(job);
	else
		err = ct_ffm_write(stdout, &job->study, &job->view);
	return err;
}

struct side {
	struct ctpost_ffm_files files;
	struct ct_ffm_study study;
};

static int open_side(struct ctpost_call *call, unsigned number,
		     const struct ct_ffm_options *options, struct side *side)
{
	const char *path = call->operand[number];
	int status = ctpost_open_ffm(call, path, &side->files), err;

	if (status != CTPOST_OK)
		return status;
	err = ct_ffm_study_init(&side->study, side->files.calls, side->files.uses,
				side->files.first_uses, options);
	if (err == 0)
		return CTPOST_OK;
	ctpost_explain(call, err, path, "");
	return CTPOST_FAILED;
}

static int print_both(struct ctpost_call *call, const struct side side[2],
		      const struct ct_ffm_view *view)
{
	const char *const name[2] = {call->operand[0], call->operand[1]};
	struct ct_ffm_comparison comparison;
	int err = ct_ffm_compare(&comparison, &side[0].study, &side[1].study);

	if (err == 0)
		err = ctpost_value(call, "json")
			  ? ct_ffm_write_comparison_json(stdout, &comparison, name)
			  : ct_ffm_write_comparison(stdout, &comparison, name, view);
	ct_ffm_comparison_fini(&comparison);
	ctpost_explain(call, err, name[0], "");
	return err == 0 ? CTPOST_OK : CTPOST_FAILED;
}

/* Two studies beside each other. Returns the command's status. */
static int compare(struct ctpost_call *call, const struct ct_ffm_options *options,
		   const struct ct_ffm_view *view)
{
	struct side side[2] = {{.files = {.calls = NULL}}, {.files = {.calls = NULL}}};
	int status = open_side(call, 0, options, &side[0]);

	if (status == CTPOST_OK)
		status = open_side(call, 1, options, &side[1]);
	if (status == CTPOST_OK)
		status = print_both(call, side, view);
	for (unsigned i = 0; i < 2; i++) {
		ct_ffm_study_fini(&side[i].study);
		ctpost_close_ffm(&side[i].files);
	}
	return status;
}

static int run(struct ctpost_call *call)
{
	struct job job = {.call = call};
	int status = read_options(&job), err;

	if (status != CTPOST_OK)
		return status;
	if (ctpost_value(call, "compare"))
		return compare(call, &job.options, &job.view);
	status = ctpost_open_ffm(call, call->operand[0], &job.files);
	if (status == CTPOST_OK) {
		err = ct_ffm_study_init(&job.study, job.files.calls, job.files.uses,
					job.files.first_uses, &job.options);
		if (err == 0) {
			warn(&job.study);
			err = print(&job);
		}
		if (err != 0)
			status = CTPOST_FAILED;
		ctpost_explain(call, err < 0 ? err : 0, call->operand[0], "");
		ct_ffm_study_fini(&job.study);
	}
	ctpost_close_ffm(&job.files);
	return status;
}

const struct ctpost_command ctpost_ffm = {
    .name = "ffm",
    .summary = "show which waits and copies are not needed, and what each is worth",
    .description =
	"Shows what the runs of ctrun ffm say together (feed-forward measurement): waits for the\n"
	"device after which nothing of what they wait for is accessed, or only long after; copies\n"
	"of bytes that were there already; for each what the program would gain without it, by\n"
	"replaying its graph of calls and device work, and its bound. The largest stand first. "
	"What\n"
	"is gained by one may be lost by another: they must not be added up.\n\n"
	"STUDY is the directory of ctrun ffm, or a trace of one run with calls, uses and contents\n"
	"(ctrun --calls=only --uses=auto --contents=on).\n\n"
	"docs/ffm.md says what each figure means.",
    .operands = "STUDY [AFTER]",
    .operands_min = 1,
    .operands_max = 2,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the study cannot be read or lacks what is needed, 2 for a "
		   "wrong option.",
    .example = "ctpost ffm --problem=1 solver.study",
    .run = run,
};
