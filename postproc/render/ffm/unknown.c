/* SPDX-License-Identifier: Apache-2.0 */
/* Waits of which it is not known whether they are needed: how long they are, why, what to do. */
#include "postproc/analysis/ffm/place.h"
#include "postproc/render/ffm/cells.h"
#include "postproc/render/ffm/ffm.h"
#include "postproc/tables/wrap.h"
#include <stdlib.h>
#include <string.h>

static void put_row(struct ct_table *table, const struct ct_ffm_study *study,
		    const struct ct_ffm_unknown *unknown)
{
	const struct ct_code_frame *frame = ct_ffm_study_frame(study, unknown->site.stack);
	char place[CT_FFM_PLACE_BYTES];

	ct_cell_time(table, unknown->wait_ns);
	ct_cell_share(table, unknown->wait_ns, study->run_ns);
	ct_table_number(table, unknown->site.count);
	ct_table_text(table, unknown->site.call);
	ct_table_name(table, frame ? frame->function : "");
	ct_table_text(table, ct_ffm_place(frame, place));
	ct_table_text(table, *unknown->reason ? unknown->reason : "nothing is recorded of it");
}

/* Each advice once, with all the time that it is about. */
static void write_hows(FILE *out, const struct ct_ffm_study *study, const struct ct_ffm_view *view)
{
	for (size_t i = 0; i < study->unknowns; i++) {
		const char *how = ct_ffm_how_to_know(study->unknown[i].reason);
		uint64_t wait_ns = 0, calls = 0;
		char time[CT_AMOUNT_BYTES], *line;
		size_t first = 0;

		while (how && ct_ffm_how_to_know(study->unknown[first].reason) != how)
			first++;
		if (!how || first != i)
			continue;
		for (size_t j = i; j < study->unknowns; j++)
			if (ct_ffm_how_to_know(study->unknown[j].reason) == how) {
				wait_ns += study->unknown[j].wait_ns;
				calls += study->unknown[j].site.count;
			}
		if (asprintf(&line, "To know it of %llu of them, %s: %s.",
			     (unsigned long long)calls, ct_ffm_time((int64_t)wait_ns, time),
			     how) < 0)
			return;
		ct_write_wrapped(out, line, 0, view->style.width);
		free(line);
	}
}

int ct_ffm_write_unknown(FILE *out, const struct ct_ffm_study *study,
			 const struct ct_ffm_view *view)
{
	static const struct ct_column column[] = {
	    {"waits", .right = 1},
	    {"share", .right = 1},
	    {"calls", .right = 1},
	    {.title = "call"},
	    {"function", .least = 8, .keep_start = 1},
	    {"at", .least = 12},
	    {"not known because", .least = 16, .keep_start = 1},
	};
	struct ct_table *table;
	int err;

	if (!study->unknowns)
		return 0;
	err = ct_table_open(&table, column, sizeof(column) / sizeof(*column));
	if (err < 0)
		return err;
	for (size_t i = 0; i < study->unknowns && i < view->rows; i++)
		put_row(table, study, &study->unknown[i]);
	ct_emphasise(out, &view->style, CT_BOLD,
		     "Waits of which it is not known whether they are needed");
	fputc('\n', out);
	err = ct_table_write(table, out, &view->style);
	if (study->unknowns > view->rows)
		fprintf(out, "%zu more (--rows=all)\n", study->unknowns - view->rows);
	write_hows(out, study, view);
	ct_table_close(table);
	return err < 0 ? err : 0;
}
