/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost ffm: which waits and copies a program does not need, and what each costs it. */
#include "postproc/render/ffm/ffm.h"
#include "base/error.h"
#include "base/large.h"
#include "base/quantity.h"
#include "base/room.h"
#include "postproc/analysis/ffm/findings/tables.h"
#include "postproc/cmd/base/ffm_files.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/options/host_paths.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 20u

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
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
	const struct ct_table_format *format;
	const char *group; /* how problems are listed */
	bool is_all;       /* those that are worth next to nothing, too */
	struct ct_ffm_options options;
	uint64_t problem;            /* from 1; 0: all */
	uint64_t sequence, from, to; /* likewise */
	struct ctpost_ffm_files files;
	struct ct_ffm_study study;
};

/* One output at a time. */
static int read_outputs(struct ctpost_call *call, const struct ct_table_format *format)
{
	static const char *const outputs[] = {"problem", "stacks", "group", "sequence"};
	const char *first = format ? "format" : NULL;

	for (size_t i = 0; i < sizeof(outputs) / sizeof(*outputs); i++) {
		if (!ctpost_value(call, outputs[i]))
			continue;
		if (first)
			return ctpost_fail(call, CTPOST_USAGE,
					   "ffm: --%s and --%s are different outputs", first,
					   outputs[i]);
		first = outputs[i];
	}
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
	status = ctpost_read_format(call, &job->format);
	if (status == CTPOST_OK)
		status = read_outputs(call, job->format);
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
	job->is_all = job->format || ctpost_value(call, "all");
	job->group = ctpost_value(call, "group") ? ctpost_value(call, "group") : "site";
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

/* An exit status. */
static int write_tables(const struct job *job, const struct ct_ffm_grouped *grouped)
{
	const struct ct_ffm_study *study = &job->study;
	const bool is_all = job->format != NULL, has_any = is_all || study->entries;
	const bool by_function = has_any && (is_all || !strcmp(job->group, "function"));
	const bool by_sequence = has_any && (is_all || !strcmp(job->group, "sequence"));
	const bool by_site = has_any && (is_all || !strcmp(job->group, "site"));
	const struct ctpost_shown shown[] = {
	    {&ct_ffm_totals_table, study},
	    {&ct_needless_calls_table, by_site ? study : NULL},
	    {&ct_needless_functions_table, by_function ? grouped : NULL},
	    {&ct_needless_sequences_table, by_sequence ? grouped : NULL},
	    {&ct_unknown_waits_table, study},
	    {&ct_call_profile_table, study},
	    {&ct_ffm_stages_table, study},
	    {NULL, NULL},
	};

	if (job->format)
		return ctpost_write_shown(job->call, job->format, study->calls, shown);
	ct_ffm_write(stdout, study, &job->view);
	return ctpost_show_tables(job->call, shown, job->view.rows, &job->view.style);
}

/* 0, a negative error, or the exit status with call->why set, as the next. */
static int print_tables(struct job *job)
{
	struct ct_ffm_grouped grouped = {.study = &job->study};
	int err = 0;

	if (job->format || !strcmp(job->group, "function"))
		err = ct_ffm_folds_init(&grouped.folds, &job->study);
	if (err == 0 && (job->format || !strcmp(job->group, "sequence")))
		err = ct_ffm_sequences_init(&grouped.sequences, &job->study);
	if (err == 0)
		err = write_tables(job, &grouped);
	ct_ffm_sequences_fini(&grouped.sequences);
	ct_ffm_folds_fini(&grouped.folds);
	return err;
}

static int print(struct job *job)
{
	struct ctpost_call *call = job->call;

	job->study.lists_all = job->is_all;
	if (job->problem > job->study.entries)
		return ctpost_fail(call, CTPOST_FAILED, "%s: there is no problem %s, but %zu",
				   call->operand[0], ctpost_value(call, "problem"),
				   job->study.entries);
	if (job->problem)
		return ct_ffm_write_problem(stdout, &job->study, job->problem - 1, &job->view);
	if (job->sequence)
		return print_sequence(job);
	return ctpost_value(call, "stacks") ? write_problems(job) : print_tables(job);
}

static int run(struct ctpost_call *call)
{
	struct job job = {.call = call};
	int status = read_options(&job), err;

	if (status != CTPOST_OK)
		return status;
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

const struct ctpost_command ctpost_ffm_command = {
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
	"(ctrun --calls=only --uses=auto --contents=on). Two studies compares compare.\n\n"
	"docs/ffm.md says what each figure means.",
    .operands = "STUDY",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the study cannot be read or lacks what is needed, 2 for a "
		   "wrong option.",
    .example = "ctpost ffm --problem=1 solver.study",
    .is_of_rank_0 = true,
    .run = run,
};
