/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what the report says of the trace itself: program, machine, what was recorded and what
 * was not. */
#include "postproc/render/report/parts.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHOICE_BYTES 4096

struct row_page_trace {
	const struct ct_report *report;
	const struct ct_summary *s;
	const struct ct_comm_figures *f;
	uint64_t passing;
};

struct row_page_selection {
	const char *what, *choice;
};

struct row_not_recorded {
	const char *what;
	const struct ct_reason *of;
};

struct row_recorded_sites {
	const struct ct_cover_part *part;
	uint64_t sites[CT_COVERS];
	const char *reason;
	struct ct_source_line place;
};

#define CT_DESCRIBED "postproc/render/report/trace.def"
#include "postproc/tables/described.h"

static int rows_page_trace(const void *from, struct ct_table_sink *sink)
{
	const struct ct_report_writer *w = from;
	const struct row_page_trace row = {w->report, w->report->summary, w->figures,
					   ct_report_passing(w->figures)};

	return ct_table_put_row(sink, &row);
}

static int put_choice(struct ct_table_sink *sink, const char *what, const char *choice)
{
	return ct_table_put_row(sink, &(struct row_page_selection){what, choice});
}

static int put_spans(struct ct_table_sink *sink, const char *what, const struct ct_id_span *span,
		     size_t count)
{
	char text[CHOICE_BYTES];
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		snprintf(text, sizeof(text), span[i].first == span[i].last ? "%llu" : "%llu-%llu",
			 (unsigned long long)span[i].first, (unsigned long long)span[i].last);
		err = put_choice(sink, what, text);
	}
	return err;
}

static int put_cta(struct ct_table_sink *sink, const struct ct_cta_choice *choice)
{
	const unsigned long long *at = (const unsigned long long *)choice->at;
	char text[CHOICE_BYTES];

	if (!choice->axes)
		return put_spans(sink, "thread blocks", &choice->linear, 1);
	snprintf(text, sizeof(text), choice->axes == 3 ? "%llu:%llu:%llu" : "%llu:%llu", at[0],
		 at[1], at[2]);
	return put_choice(sink, "thread blocks", text);
}

static int put_site(struct ct_table_sink *sink, const struct ct_site_choice *choice)
{
	char text[CHOICE_BYTES];

	snprintf(text, sizeof(text), "%s%s%llu", choice->file ? choice->file : "",
		 choice->file ? ":" : "", (unsigned long long)choice->number);
	return put_choice(sink, "sites", text);
}

static int rows_page_selection(const void *from, struct ct_table_sink *sink)
{
	const struct ct_selection *of = ((const struct ct_report_writer *)from)->report->selection;
	int err = 0;

	if (!of)
		return 0;
	if (of->kernels)
		err = put_choice(sink, "kernels", of->kernels);
	if (err == 0)
		err = put_spans(sink, "launches", of->launch, of->launches);
	if (err == 0)
		err = put_spans(sink, "streams", of->stream, of->streams);
	for (size_t i = 0; i < of->objects && err == 0; i++)
		err = put_choice(sink, "objects", of->object[i]);
	for (size_t i = 0; i < of->ctas && err == 0; i++)
		err = put_cta(sink, &of->cta[i]);
	for (size_t i = 0; i < of->sites && err == 0; i++)
		err = put_site(sink, &of->site[i]);
	return err;
}

static int rows_not_recorded(const void *from, struct ct_table_sink *sink)
{
	const struct ct_summary *s = ((const struct ct_report_writer *)from)->report->summary;
	const struct {
		const char *what;
		const struct ct_reasons *reasons;
	} lists[] = {{"launches not traced", &s->launches},
		     {"sites not instrumented", &s->sites},
		     {"sites left out by an option", &s->filtered}};
	int err = 0;

	for (size_t l = 0; l < sizeof(lists) / sizeof(*lists); l++)
		for (size_t i = 0; i < lists[l].reasons->count && err == 0; i++)
			err = ct_table_put_row(
			    sink,
			    &(struct row_not_recorded){lists[l].what, &lists[l].reasons->list[i]});
	return err;
}

/* Sites of a kernel and of the device functions that it reaches. */
static void sum_sites(const struct ct_coverage *coverage, size_t index, unsigned char *reached,
		      uint64_t sites[CT_COVERS])
{
	memset(reached, 0, coverage->count);
	ct_coverage_reach(coverage, index, reached);
	reached[index] = 1;
	for (size_t i = 0; i < coverage->count; i++)
		for (size_t r = 0; reached[i] && r < coverage->part[i].count; r++)
			for (int cover = 0; cover < CT_COVERS; cover++)
				sites[cover] += coverage->part[i].row[r].sites[cover];
}

static int rows_recorded_sites(const void *from, struct ct_table_sink *sink)
{
	const struct ct_coverage *coverage =
	    ((const struct ct_report_writer *)from)->report->coverage;
	unsigned char *reached = malloc(coverage->count + 1);
	int err = reached ? 0 : -ENOMEM;

	for (size_t i = 0; i < coverage->count && err == 0; i++) {
		struct row_recorded_sites row = {.part = &coverage->part[i]};
		const struct ct_unit *unit = row.part->unit;
		const struct ct_unit_kernel *kernel;

		if (row.part->kernel == CT_NONE || !row.part->is_launched)
			continue;
		kernel = &unit->kernels[row.part->kernel];
		sum_sites(coverage, i, reached, row.sites);
		row.reason = ct_unit_string(unit, kernel->reason);
		row.place =
		    (struct ct_source_line){ct_unit_string(unit, kernel->file), kernel->line};
		err = ct_table_put_row(sink, &row);
	}
	free(reached);
	return err;
}

const struct ct_table_def ct_page_trace_table = {CT_TABLE_PARTS(page_trace, NULL)};
const struct ct_table_def ct_page_selection_table = {CT_TABLE_PARTS(page_selection, NULL)};
const struct ct_table_def ct_not_recorded_table = {CT_TABLE_SHOWN(not_recorded, NULL)};
const struct ct_table_def ct_recorded_sites_table = {CT_TABLE_SHOWN(recorded_sites, NULL)};
