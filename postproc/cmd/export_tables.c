/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost export --format=sqlite|csv|json|hdf5: tables. */
#include "base/quantity.h"
#include "postproc/analysis/model/all.h"
#include "postproc/analysis/totals/analysis.h"
#include "postproc/cmd/base/pass.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/export.h"
#include "postproc/cmd/ffm_files.h"
#include "postproc/facts/counted.h"
#include "postproc/facts/summary.h"
#include "postproc/render/export/tables.h"
#include "postproc/tables/output.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define META_MAX 48
#define META_BYTES 128
#define ROWS_MAX 10000000u /* of a large table that is not asked for */

struct job {
	struct ctpost_call *call;
	struct ct_export export;
	struct ct_comm_options options;
	struct ct_selection selection;
	struct ct_totals_job totals;
	struct ct_values_job values;
	struct ct_access_job access;
	struct ct_model_job model;
	struct ct_model_all models;
	struct ct_order *order;
	struct ct_table_sink sink;
	const char *list; /* of tables; NULL: the default's */
	const struct ct_export_entry *entries[CT_EXPORT_TABLES_MAX];
	const struct ct_table_def *tables[CT_EXPORT_TABLES_MAX];
	char left_out[META_BYTES];
	struct ct_export_pair meta[META_MAX];
	char meta_key[CTPOST_OPTIONS_MAX][META_BYTES];
	struct ct_summary summary;
};

static const struct ct_table_format *format_of(const char *name)
{
	static const struct ct_table_format *const formats[] = {
	    &ct_format_sqlite,
	    &ct_format_csv,
	    &ct_format_json,
	    &ct_format_hdf5,
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

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
		return !(entry->needs & (CT_NEEDS_COMM | CT_IS_ON_REQUEST));
	if (length == 6 && !memcmp(word, "values", 6))
		return (entry->needs & CT_NEEDS_VALUES) == CT_NEEDS_VALUES;
	return is_name_of(entry->table, word, length);
}

/* Is the table on the list of --tables by its name? */
static bool is_named(const struct job *job, const struct ct_table_def *table)
{
	const char *list = ctpost_value(job->call, "tables");

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
	if (!strcmp(entry->table->name, "history") && ctpost_value(job->call, "history"))
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
	for (const char *word = ctpost_value(job->call, "tables"); word && *word;) {
		size_t length = strcspn(word, ",");
		bool found = false;

		for (size_t i = 0; ct_export_entries[i]; i++)
			found |= is_chosen_by(ct_export_entries[i], word, length);
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

	job->list = ctpost_value(job->call, "tables");
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

	for (size_t i = 0; ct_export_entries[i]; i++)
		if (is_chosen(job, ct_export_entries[i]))
			job->entries[count++] = ct_export_entries[i];
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

static unsigned needs_of(const struct job *job)
{
	unsigned needs = 0;

	for (size_t i = 0; job->entries[i]; i++)
		needs |= job->entries[i]->needs;
	return needs;
}

static bool has_values(const struct job *job)
{
	return (needs_of(job) & CT_NEEDS_VALUES) == CT_NEEDS_VALUES;
}

/* Bits of enum ctpost_gather. */
static unsigned lists_of(const struct job *job)
{
	unsigned needs = needs_of(job);

	return (needs & CT_NEEDS_TRANSFERS ? CTPOST_GATHER_TRANSFERS : 0) |
	       (needs & CT_NEEDS_CTAS ? CTPOST_GATHER_CTAS : 0);
}

/* The ranks are done with what they do together: this one writes. */
static struct ct_pass_options pass_of(const struct job *job)
{
	return (struct ct_pass_options){
	    .threads = job->options.threads,
	    .memory_bytes = job->options.memory_bytes,
	    .directory = job->options.directory,
	};
}

static int count_totals(struct job *job)
{
	const struct ct_pass_options pass = pass_of(job);
	const struct ct_task task = {&ct_totals_analysis, &job->totals};

	job->totals.trace = job->export.trace;
	return ctpost_pass_aloud(job->call, job->export.trace, &task, 1, &pass);
}

static int look_at_values(struct job *job)
{
	const struct ct_pass_options pass = pass_of(job);
	const struct ct_task task = {&ct_values_analysis, &job->values};

	job->values.trace = job->export.trace;
	job->export.values = &job->values.figures;
	return ctpost_pass_aloud(job->call, job->export.trace, &task, 1, &pass);
}

/* Tables of accesses are asked for by name: a pass of their own. */
static int look_at_accesses(struct job *job)
{
	const struct ct_pass_options pass = pass_of(job);
	const struct ct_task task = {&ct_access_analysis, &job->access};

	job->access.trace = job->export.trace;
	job->export.access = &job->access.results;
	return ctpost_pass_aloud(job->call, job->export.trace, &task, 1, &pass);
}

/* Likewise those of models. */
static int model_kernels(struct job *job)
{
	const struct ct_pass_options pass = pass_of(job);
	const struct ct_task task = {&ct_model_analysis, &job->model};
	int err;

	job->model = (struct ct_model_job){
	    .trace = job->export.trace, .sectors = CT_MODEL_ALL_SECTORS, .is_optional = true};
	job->export.model = &job->models;
	err = ctpost_pass_aloud(job->call, job->export.trace, &task, 1, &pass);
	return err == 0 && !job->model.is_silent
		   ? ct_model_all_make(&job->models, &job->model, NULL)
		   : err;
}

static void add_meta(struct job *job, const char *key, const char *value)
{
	size_t count = 0;

	while (job->meta[count].key)
		count++;
	if (count + 1 < META_MAX)
		job->meta[count] = (struct ct_export_pair){key, value};
}

static void fill_meta(struct job *job)
{
	struct ctpost_place place = {.group = 0};
	const struct ctpost_option *option;
	const struct ct_summary *summary = &job->summary;
	static char schema[16], start[24];

	snprintf(schema, sizeof(schema), "%d", CT_TABLES_SCHEMA);
	snprintf(start, sizeof(start), "%llu", (unsigned long long)job->export.start_ns);
	add_meta(job, "schema", schema);
	add_meta(job, "generator", "ctpost (cuda-trace) " CT_VERSION);
	add_meta(job, "trace", job->call->operand[0]);
	add_meta(job, "program", summary->program);
	add_meta(job, "command", summary->command);
	add_meta(job, "host", summary->host);
	add_meta(job, "started", summary->started);
	add_meta(job, "start_ns", start);
	add_meta(job, "complete", summary->complete ? "yes" : "no");
	add_meta(job, "left_out", job->left_out);
	add_meta(job, "manifest", ct_trace_manifest(job->export.trace));
	while ((option = ctpost_next_option(&ctpost_export, &place))) {
		const char *value = option->stands_for || !strcmp(option->name, "output")
					? NULL
					: ctpost_value(job->call, option->name);
		char *key = job->meta_key[place.number - 1];

		if (!value)
			continue;
		snprintf(key, META_BYTES, "option %s", option->name);
		add_meta(job, key, option->argument ? value : "yes");
	}
	job->export.meta = job->meta;
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

static int read_each(const struct ct_export *export, const struct ct_each *each)
{
	const struct job *job = export->user;
	const struct ct_pass_options pass = pass_of(job);

	return ctpost_each(job->call, export->trace, each, &pass);
}

/* What the chosen tables are made from. */
static int prepare(struct job *job)
{
	struct ct_export *export = &job->export;
	unsigned needs = needs_of(job);
	int err = ct_export_kernels_init(&export->kernels, export->trace);

	if (err == 0 && needs & CT_NEEDS_SCAN && !job->totals.totals)
		err = count_totals(job);
	if (err == 0 && has_values(job))
		err = look_at_values(job);
	if (err == 0 && needs & CT_NEEDS_ACCESS)
		err = look_at_accesses(job);
	if (err == 0 && needs & CT_NEEDS_MODEL)
		err = model_kernels(job);
	if (err == 0 && needs & CT_NEEDS_ORDER)
		err = ct_order_open(&job->order, export->trace);
	if (err == 0 && needs & CT_NEEDS_STACKS)
		err = ct_stacks_init(&export->stacks, export->trace);
	export->order = job->order;
	export->start_ns = ct_export_start_ns(export->trace);
	export->totals = job->totals.totals;
	export->each = read_each;
	export->user = job;
	return err == 0 ? ct_summary_init(&job->summary, export->trace) : err;
}

static int export_trace(struct job *job)
{
	int status = CTPOST_FAILED, err;

	if (job->export.comm)
		ctpost_comm_warn(job->export.comm);
	else
		ctpost_warn_incomplete(job->export.trace, has_values(job) ? "values" : NULL);
	err = prepare(job);
	if (err == 0) {
		fill_meta(job);
		status = write_output(job);
		ct_summary_fini(&job->summary);
	} else if (!job->call->why[0]) {
		ctpost_fail(job->call, 0, "%s: %s", job->call->operand[0], ct_strerror(err));
	}
	ct_access_job_fini(&job->access);
	ct_model_all_fini(&job->models);
	if (job->export.model)
		ct_model_job_fini(&job->model);
	ct_order_close(job->order);
	ct_stacks_fini(&job->export.stacks);
	ct_values_job_fini(&job->values);
	ct_export_kernels_fini(&job->export.kernels);
	return status;
}

static int read_options(struct job *job)
{
	const char *history = ctpost_value(job->call, "history");

	job->export.history_last = UINT64_MAX;
	if (history && strcmp(history, "all") &&
	    ct_parse_addresses(history, &job->export.history_first, &job->export.history_last) < 0)
		return ctpost_fail(job->call, CTPOST_USAGE,
				   "export: --history='%s': expected LO-HI or all", history);
	return ctpost_read_comm_options(job->call, &job->options, &job->selection);
}

/* Rank 0 knows what is left out, and writes. */
static int export_analysed(struct job *job)
{
	struct ctpost_export_comm comm;
	const struct ct_task totals = {&ct_totals_analysis, &job->totals};
	int status = ctpost_export_open(job->call, &job->options, &comm);
	unsigned what = 0;

	if (status != CTPOST_OK)
		return status;
	job->export.comm = comm.comm;
	job->export.trace = ct_comm_trace(comm.comm);
	job->totals.trace = job->export.trace;
	status = ctpost_export_run(&comm, &totals, (needs_of(job) & CT_NEEDS_SCAN) != 0);
	if (status != CTPOST_OK)
		return status;
	if (comm.ranks->rank == 0) {
		leave_out_large(job);
		what = lists_of(job);
	}
	status = ctpost_export_gather(&comm, what, &job->export.lists);
	if (status != CTPOST_OK)
		return status;
	if (comm.ranks->rank == 0)
		status = export_trace(job);
	ctpost_export_close(&comm);
	return status;
}

static int export_plain(struct job *job)
{
	int status;

	job->export.trace = ctpost_open_trace(job->call, job->call->operand[0]);
	if (!job->export.trace)
		return CTPOST_FAILED;
	status = export_trace(job);
	ct_trace_close(job->export.trace);
	return status;
}

int ctpost_export_tables(struct ctpost_call *call)
{
	struct job job = {
	    .call = call,
	    .sink.format = format_of(ctpost_value(call, "format")),
	};
	int status;

	choose_list(&job);
	status = choose_tables(&job);
	if (status == CTPOST_OK)
		status = read_options(&job);
	if (status == CTPOST_OK)
		status =
		    needs_of(&job) & CT_NEEDS_COMM ? export_analysed(&job) : export_plain(&job);
	ct_totals_job_fini(&job.totals);
	ct_selection_fini(&job.selection);
	return status;
}
