/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost export --format=sqlite|csv|json|hdf5: tables. */
#include "base/quantity.h"
#include "postproc/analysis/totals/analysis.h"
#include "postproc/cmd/base/meta.h"
#include "postproc/cmd/base/pass.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/export.h"
#include "postproc/facts/counted.h"
#include "postproc/render/base/start.h"
#include "postproc/render/export/tables.h"
#include "postproc/tables/output.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 10000000u /* of a large table that is not asked for */

struct job {
	struct ctpost_call *call;
	struct ctpost_study study;
	struct ctpost_known known;
	struct ctpost_gathered *gathered; /* the study's lists of communication */
	struct ct_export export;
	struct ct_totals_job totals; /* of all that the trace has, whatever is selected */
	struct ct_sampling sampling; /* that they are estimated by */
	struct ct_order *order;
	struct ct_table_sink sink;
	const struct ctpost_tables *asked;
	const char *list; /* of tables; NULL: the default's */
	struct ct_export_entries all;
	const struct ct_export_entry **entries; /* of these, the chosen ones; ends with NULL */
	const struct ct_table_def **tables;     /* likewise */
	char left_out[CTPOST_META_BYTES];
	struct ctpost_meta meta;
};

/* Is it the name of the table, or of one whose rows belong to its rows? */
static bool is_name_of(const struct ct_table_def *table, const char *word, size_t length)
{
	if (strlen(table->name) == length && !memcmp(table->name, word, length))
		return true;
	for (const struct ct_table_child *child = table->child; child && child->key; child++)
		if (is_name_of(child->table, word, length))
			return true;
	return false;
}

/* Does a word of the list choose the table? */
static bool is_chosen_by(const struct ct_export_entry *entry, const char *word, size_t length)
{
	if (length == 3 && !memcmp(word, "all", 3))
		return !(entry->needs & CT_IS_ON_REQUEST);
	if (length == 5 && !memcmp(word, "trace", 5))
		return !(entry->needs & (CT_STUDY_ALL | CT_IS_ON_REQUEST));
	if (length == 4 && !memcmp(word, "comm", 4))
		return (entry->needs & CT_STUDY_ALL) == CT_STUDY(comm);
	if (length == 6 && !memcmp(word, "values", 6))
		return (entry->needs & CT_STUDY_ALL) == CT_STUDY(values);
	return is_name_of(entry->table, word, length);
}

/* Is the table on the list of --tables by its name? */
static bool is_named(const struct job *job, const struct ct_table_def *table)
{
	const char *list = job->asked->list;

	for (const char *word = list; word && *word;) {
		size_t length = strcspn(word, ",");

		if (is_name_of(table, word, length))
			return true;
		word += length + (word[length] == ',');
	}
	return false;
}

static bool is_chosen(const struct job *job, const struct ct_export_entry *entry)
{
	const char *list = job->list;

	if (entry->needs & CT_IS_ALWAYS)
		return true;
	if (!strcmp(entry->table->name, "history") && job->asked->history)
		return true;
	if (entry->needs & CT_STUDY(races) && job->asked->has_races)
		return true;
	if (!list)
		return is_chosen_by(entry, "all", 3);
	for (const char *word = list; *word;) {
		size_t length = strcspn(word, ",");

		if (is_chosen_by(entry, word, length))
			return true;
		word += length + (word[length] == ',');
	}
	return false;
}

static int check_list(struct job *job)
{
	for (const char *word = job->asked->list; word && *word;) {
		size_t length = strcspn(word, ",");
		bool found = false;

		for (size_t i = 0; i < job->all.count; i++)
			found |= is_chosen_by(job->all.list[i], word, length);
		if (!found)
			return ctpost_fail(job->call, CTPOST_USAGE,
					   "export: --tables: there is no table '%.*s'; "
					   "docs/export.md lists them",
					   (int)length, word);
		word += length + (word[length] == ',');
	}
	return CTPOST_OK;
}

/* Where nothing in the trace has addresses there is no communication to be looked at. What cannot
 * be read, who reads it says. */
static void choose_list(struct job *job)
{
	char why[CTPOST_WHY_BYTES], *path;
	struct ct_trace *trace = NULL;

	job->list = job->asked->list;
	path = job->list ? NULL : ctpost_calls_path(job->call->operand[0]);
	if (!path || ct_trace_open(&trace, path, why, sizeof(why)) < 0) {
		free(path);
		return;
	}
	if (ct_counted_launches(trace) && !ct_counted_has_others(trace))
		job->list = ct_counted_launches_of(trace, "values") ? "trace,values" : "trace";
	ct_trace_close(trace);
	free(path);
}

static int choose_tables(struct job *job)
{
	size_t count = 0;
	int err = ct_export_entries_init(&job->all);

	if (err == 0) {
		job->entries = calloc(job->all.count + 1, sizeof(*job->entries));
		job->tables = calloc(job->all.count + 1, sizeof(*job->tables));
	}
	if (!job->entries || !job->tables)
		return ctpost_fail(job->call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
	for (size_t i = 0; i < job->all.count; i++)
		if (is_chosen(job, job->all.list[i]))
			job->entries[count++] = job->all.list[i];
	return check_list(job);
}

/* Large tables that were not asked for by name go, with a warning. */
static void leave_out_large(struct job *job)
{
	size_t kept = 0;

	for (size_t i = 0; job->entries[i]; i++) {
		const struct ct_export_entry *entry = job->entries[i];
		uint64_t rows = entry->needs & CT_IS_LARGE ? entry->count(&job->export) : 0;
		size_t used = strlen(job->left_out);

		if (rows <= ROWS_MAX || is_named(job, entry->table)) {
			job->entries[kept++] = entry;
			continue;
		}
		fprintf(stderr,
			"ctpost: warning: table %s would have up to %llu rows and is left out; "
			"--tables=all,%s writes it\n",
			entry->table->name, (unsigned long long)rows, entry->table->name);
		snprintf(job->left_out + used, sizeof(job->left_out) - used, "%s%s",
			 used ? ", " : "", entry->table->name);
	}
	job->entries[kept] = NULL;
}

static uint64_t needs_of(const struct job *job)
{
	uint64_t needs = 0;

	for (size_t i = 0; job->entries[i]; i++)
		needs |= job->entries[i]->needs;
	return needs;
}

/* All tables into the output, which is open. 0 or a negative error */
static int write_tables(struct job *job)
{
	struct ct_table_sink *sink = &job->sink;
	int err;

	for (size_t i = 0; job->entries[i]; i++)
		job->tables[i] = job->entries[i]->table;
	sink->tables = job->tables;
	sink->views = ct_export_views;
	ct_trace_units(job->export.trace, &sink->unit);
	if (sink->format != &ct_format_json)
		return ct_export_write(&job->export, sink, job->entries);
	sink->out = ct_output_file(sink->output, NULL);
	if (!sink->out)
		return -errno;
	err = ct_export_write(&job->export, sink, job->entries);
	return fclose(sink->out) != 0 && err == 0 ? -errno : err;
}

static int write_output(struct job *job)
{
	const char *path = ctpost_value(job->call, "output");
	struct ct_table_sink *sink = &job->sink;
	int err = ct_output_open(&sink->output, path, sink->format->is_directory, job->call->why,
				 sizeof(job->call->why));

	if (err < 0)
		return CTPOST_FAILED;
	err = write_tables(job);
	if (err < 0) {
		ct_output_discard(sink->output);
		return ctpost_fail(job->call, CTPOST_FAILED, "%s: %s", path,
				   *sink->why ? sink->why : ct_strerror(err));
	}
	err = ct_output_commit(sink->output);
	return err < 0 ? ctpost_fail(job->call, CTPOST_FAILED, "%s: %s", path, ct_strerror(err))
		       : CTPOST_OK;
}

/* The ranks are done with what they do together: this one reads again. */
static int read_each(const struct ct_export *export, const struct ct_each *each)
{
	const struct job *job = export->user;
	const struct ct_comm_options *options = &job->study.options;
	const struct ct_pass_options pass = {
	    .threads = options->threads,
	    .memory_bytes = options->memory_bytes,
	    .directory = options->directory,
	};

	return ctpost_each(job->call, export->trace, each, &pass);
}

/* Prepares what the chosen tables are made from. */
static int prepare(struct job *job)
{
	struct ct_export *export = &job->export;
	struct ctpost_study *study = &job->study;
	uint64_t needs = needs_of(job);
	int err = ct_numbered_kernels_init(&export->kernels, export->trace);

	if (err == 0 && needs & CT_NEEDS_ORDER)
		err = ct_order_open(&job->order, export->trace);
	if (err == 0 && needs & CT_NEEDS_STACKS)
		err = ct_stacks_init(&export->stacks, export->trace);
	if (err == 0 && (needs & CT_STUDY_FINDINGS) == CT_STUDY_FINDINGS)
		err = ctpost_study_judge(study, &job->known, NULL);
	if (study->comm)
		export->shown.lists = ctpost_gathered_lists(job->gathered);
	export->order = job->order;
	export->facts = (struct ct_trace_facts){
	    .trace = export->trace,
	    .summary = &study->summary,
	    .kernels = &export->kernels,
	    .paths = study->paths,
	    .start_ns = ct_start_ns(export->trace),
	    .totals = job->totals.totals,
	    .estimates = job->totals.estimates,
	};
	export->inquiry = &study->inquiry;
	export->findings = &study->findings;
	export->verdict = &job->known.verdict;
	export->job = job->study.job;
	export->each = read_each;
	export->user = job;
	return err;
}

/* Rank 0 only. 0 or a negative error, with call->why set */
static int export_trace(struct job *job)
{
	const struct ctpost_study *study = &job->study;
	int err;

	if (study->comm)
		ctpost_comm_warn(study->comm);
	else
		ctpost_warn_incomplete(study->trace,
				       study->wanted & CT_STUDY(values) ? "values" : NULL);
	err = prepare(job);
	if (err == 0) {
		ctpost_meta_init(&job->meta, job->call, &job->export.facts, job->left_out);
		job->export.meta = job->meta.pair;
		err = write_output(job) == CTPOST_OK ? 0 : -EIO;
	}
	ct_order_close(job->order);
	ct_stacks_fini(&job->export.stacks);
	ct_numbered_kernels_fini(&job->export.kernels);
	return ctpost_explain(job->call, err, study->path, "");
}

static int read_options(struct job *job)
{
	const char *history = job->asked->history;
	struct ctpost_study *study = &job->study;
	int status = ctpost_study_read(study, job->call);

	job->export.history_last = UINT64_MAX;
	if (history && strcmp(history, "all") &&
	    ct_parse_addresses(history, &job->export.history_first, &job->export.history_last) < 0)
		return ctpost_fail(job->call, CTPOST_USAGE,
				   "export: --history='%s': expected LO-HI or all", history);
	if (status == CTPOST_OK && job->asked->has_runs)
		status = ctpost_study_read_runs(study);
	study->wanted |= needs_of(job) & CT_STUDY_BITS;
	study->options.transfers = true;
	return status;
}

/* Lists that are spread over ranks. Rank 0 knows what is left out. Collective. */
static int gather(struct job *job)
{
	struct ctpost_study *study = &job->study;
	struct ct_ranks *ranks = study->ranks;
	unsigned what = 0;
	uint64_t needs;

	if (study->comm)
		job->export.shown = (struct ct_comm_shown){
		    .figures = ct_comm_figures(study->comm),
		    .kernels = &job->export.kernels,
		    .program = study->summary.program,
		    .has_self = study->options.self,
		};
	if (ranks->rank == 0)
		leave_out_large(job);
	if (!study->comm)
		return 0;
	if (ranks->rank == 0) {
		needs = needs_of(job);
		what = (needs & CT_NEEDS_TRANSFERS ? CTPOST_GATHER_TRANSFERS : 0) |
		       (needs & CT_NEEDS_CTAS ? CTPOST_GATHER_CTAS : 0);
	}
	what = (unsigned)ranks->greatest(ranks, what);
	return ctpost_explain(job->call,
			      ctpost_gather(&job->gathered, study->comm, &study->options, what),
			      study->path, "");
}

static int analyse(struct job *job)
{
	const struct ct_task totals = {&ct_totals_analysis, &job->totals};
	struct ctpost_study *study = &job->study;
	int err = ctpost_study_open(study);

	job->export.trace = study->trace;
	job->totals.trace = study->trace;
	if (needs_of(job) & CT_NEEDS_SCAN && err == 0) {
		err = ctpost_explain(job->call, ct_sampling_init(&job->sampling, study->trace),
				     study->path, "");
		if (ct_sampling_is_sampled(&job->sampling))
			job->totals.sampling = &job->sampling;
		study->beside = &totals;
		study->besides = 1;
	}
	if (err == 0)
		err = ctpost_study_run(study);
	return err == 0 ? gather(job) : err;
}

int ctpost_export_tables(struct ctpost_call *call, const struct ctpost_tables *tables)
{
	struct job job = {
	    .call = call,
	    .asked = tables,
	    .study.lists_all = true,
	    .sink.format = ct_table_format_of(ctpost_value(call, "format")),
	};
	int status, err;

	choose_list(&job);
	status = choose_tables(&job);
	if (status == CTPOST_OK)
		status = read_options(&job);
	if (status == CTPOST_OK)
		status = ctpost_known_read(&job.known, call);
	if (status == CTPOST_OK)
		status = ctpost_study_meet(&job.study);
	if (status == CTPOST_OK) {
		err = analyse(&job);
		if (err == 0 && job.study.ranks->rank == 0)
			err = export_trace(&job);
		status = ctpost_study_end(&job.study, err);
	}
	ct_totals_job_fini(&job.totals);
	ct_sampling_fini(&job.sampling);
	ctpost_gathered_close(job.gathered);
	ctpost_known_close(&job.known);
	ctpost_study_close(&job.study);
	ct_export_entries_fini(&job.all);
	free(job.entries);
	free(job.tables);
	return status;
}
