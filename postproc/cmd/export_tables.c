/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost export --format=sqlite|csv|json|hdf5: tables. */
#include "../model/summary.h"
#include "../render/export/tables.h"
#include "export.h"
#include "trace_file.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define META_MAX 16

struct job {
	struct ctpost_call *call;
	struct ct_export export;
	struct ct_totals *totals;
	struct ct_sink sink;
	const struct ct_table *tables[CT_EXPORT_TABLES_MAX];
	struct ct_export_pair meta[META_MAX];
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

/* Does a word of the list choose the table? */
static bool is_chosen_by(const struct ct_table *table, const char *word, size_t length)
{
	if (length == 3 && !memcmp(word, "all", 3))
		return !(table->needs & CT_IS_ON_REQUEST);
	if (length == 5 && !memcmp(word, "trace", 5))
		return !(table->needs & (CT_NEEDS_COMM | CT_IS_ON_REQUEST));
	return strlen(table->name) == length && !memcmp(table->name, word, length);
}

/* Tables in their order, meta and schema always. */
static int choose_tables(struct job *job)
{
	const char *list = job->call->option[CTPOST_EXPORT_TABLES];
	size_t count = 0;

	for (const char *word = list; word && *word;) {
		size_t length = strcspn(word, ",");
		bool found = false;

		for (size_t i = 0; ct_export_tables[i]; i++)
			found |= is_chosen_by(ct_export_tables[i], word, length);
		if (!found)
			return ctpost_fail(job->call, CTPOST_USAGE,
					   "export: --tables: there is no table '%.*s'; "
					   "docs/export.md lists them",
					   (int)length, word);
		word += length + (word[length] == ',');
	}
	for (size_t i = 0; ct_export_tables[i]; i++) {
		bool chosen = i < 2 || (!list && is_chosen_by(ct_export_tables[i], "all", 3));

		for (const char *word = list; word && *word && !chosen;) {
			size_t length = strcspn(word, ",");

			chosen = is_chosen_by(ct_export_tables[i], word, length);
			word += length + (word[length] == ',');
		}
		if (chosen)
			job->tables[count++] = ct_export_tables[i];
	}
	return CTPOST_OK;
}

static unsigned needs_of(const struct job *job)
{
	unsigned needs = 0;

	for (size_t i = 0; job->tables[i]; i++)
		needs |= job->tables[i]->needs;
	return needs;
}

static int count_access(void *user, const struct ct_access *access)
{
	return ct_totals_add(user, access);
}

static int count_event(void *user, const struct ct_event *event)
{
	return ct_totals_add_event(user, event);
}

static int scan_totals(struct job *job)
{
	struct ct_scan scan = {.access = count_access, .event = count_event};
	int err = ct_totals_open(&job->totals, job->export.trace);

	if (err < 0)
		return err;
	job->export.totals = job->totals;
	scan.user = job->totals;
	err = ctpost_scan(job->call, job->export.trace, &scan);
	return err < 0 ? err : ct_totals_settle(job->totals);
}

static void fill_meta(struct job *job)
{
	const struct ct_summary *summary = &job->summary;
	const char *tables = job->call->option[CTPOST_EXPORT_TABLES];
	static char schema[16], start[24];
	const struct ct_export_pair meta[] = {
	    {"schema", schema},
	    {"generator", "ctpost (cuda-trace) " CT_VERSION},
	    {"trace", job->call->operand[0]},
	    {"program", summary->program},
	    {"command", summary->command},
	    {"host", summary->host},
	    {"started", summary->started},
	    {"start_ns", start},
	    {"complete", summary->complete ? "yes" : "no"},
	    {"option_tables", tables ? tables : ""},
	    {"manifest", ct_trace_manifest(job->export.trace)},
	};

	snprintf(schema, sizeof(schema), "%d", CT_EXPORT_SCHEMA);
	snprintf(start, sizeof(start), "%llu", (unsigned long long)job->export.start_ns);
	memcpy(job->meta, meta, sizeof(meta));
	job->export.meta = job->meta;
}

static int write_output(struct job *job)
{
	const char *path = job->call->option[CTPOST_EXPORT_OUTPUT];
	struct ct_sink *sink = &job->sink;
	int err = ct_output_open(&sink->output, path, sink->format->is_directory, job->call->why,
				 sizeof(job->call->why));

	if (err < 0)
		return CTPOST_FAILED;
	sink->tables = job->tables;
	err = ct_export_write(&job->export, sink);
	if (err < 0) {
		ct_output_discard(sink->output);
		return ctpost_fail(job->call, CTPOST_FAILED, "%s: %s", path, sink->why);
	}
	err = ct_output_commit(sink->output);
	return err < 0 ? ctpost_fail(job->call, CTPOST_FAILED, "%s: %s", path, ct_strerror(err))
		       : CTPOST_OK;
}

static int export_trace(struct job *job)
{
	struct ct_export *export = &job->export;
	int err = ct_export_kernels_init(&export->kernels, export->trace);
	int status = CTPOST_FAILED;

	if (err == 0 && needs_of(job) & CT_NEEDS_SCAN)
		err = scan_totals(job);
	if (err == 0)
		err = ct_summary_init(&job->summary, export->trace);
	if (err == 0) {
		fill_meta(job);
		status = write_output(job);
		ct_summary_fini(&job->summary);
	} else if (!job->call->why[0]) {
		ctpost_fail(job->call, 0, "%s: %s", job->call->operand[0], ct_strerror(err));
	}
	ct_totals_close(job->totals);
	ct_export_kernels_fini(&export->kernels);
	return status;
}

int ctpost_export_tables(struct ctpost_call *call)
{
	struct job job = {
	    .call = call,
	    .sink.format = format_of(call->option[CTPOST_EXPORT_FORMAT]),
	};
	int status = choose_tables(&job);

	if (status != CTPOST_OK)
		return status;
	job.export.trace = ctpost_open_trace(call, call->operand[0]);
	if (!job.export.trace)
		return CTPOST_FAILED;
	job.export.start_ns = ct_export_start_ns(job.export.trace);
	ctpost_warn_incomplete(job.export.trace);
	status = export_trace(&job);
	ct_trace_close(job.export.trace);
	return status;
}
