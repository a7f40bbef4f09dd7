/* SPDX-License-Identifier: Apache-2.0 */
/* Problems by function: each function of the API, and below it the functions that call it. */
#include "postproc/analysis/ffm/place.h"
#include "postproc/render/ffm/cells.h"
#include "postproc/render/ffm/ffm.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void put_fold(struct ct_table *table, const struct ct_ffm_study *study, size_t number,
		     const struct ct_ffm_fold *fold, const char *name)
{
	const struct ct_ffm_benefit benefit = {fold->expected_ns, study->run_ns, fold->replayed_ns,
					       fold->is_replayed};

	ct_ffm_cells(table, number, &benefit);
	ct_table_text(table, name);
	ct_ffm_cell_count(table, fold->count, fold->occurrences);
	ct_cell_time(table, fold->call_ns);
	ct_table_text(table, fold->count < fold->occurrences ? "conditionally unnecessary" : "");
}

/* "  solve<...> at solver.cu:88" with the place of its largest problem, and how many others. */
static int put_function(struct ct_table *table, const struct ct_ffm_study *study,
			const struct ct_ffm_fold *fold)
{
	const struct ct_code_frame *frame =
	    ct_ffm_study_frame(study, study->entry[fold->entry[0]].site.stack);
	char place[CT_FFM_PLACE_BYTES], *name, more[32] = "";

	ct_ffm_place(frame, place);
	if (fold->entries > 1)
		snprintf(more, sizeof(more), " and %zu more", fold->entries - 1);
	if (asprintf(&name, "  %s%s%s%s", *fold->function ? fold->function : "[unknown]",
		     *place ? " " : "", place, more) < 0)
		return -ENOMEM;
	put_fold(table, study, 0, fold, name);
	free(name);
	return 0;
}

static int put_call(struct ct_table *table, const struct ct_ffm_study *study,
		    const struct ct_ffm_folds *folds, size_t number, const struct ct_ffm_view *view)
{
	const struct ct_ffm_fold *call = &folds->call[number];
	size_t shown = 0;
	int err = 0;

	put_fold(table, study, number + 1, call, call->call);
	for (size_t i = 0; i < folds->functions && shown < view->rows && err == 0; i++)
		if (strcmp(folds->function[i].call, call->call) == 0) {
			err = put_function(table, study, &folds->function[i]);
			shown++;
		}
	return err;
}

int ct_ffm_write_folds(FILE *out, const struct ct_ffm_folds *folds,
		       const struct ct_ffm_study *study, const struct ct_ffm_view *view)
{
	static const struct ct_column column[] = {
	    CT_FFM_BENEFIT_COLUMNS, {"function", .least = 24, .keep_start = 1},
	    {"calls", .right = 1},  {"in calls", .right = 1},
	    {.title = "of these"},
	};
	struct ct_table *table;
	int err = ct_table_open(&table, column, sizeof(column) / sizeof(*column));

	if (err < 0)
		return err;
	ct_table_detail(table, 6);
	for (size_t i = 0; i < folds->calls && i < view->rows && err == 0; i++)
		err = put_call(table, study, folds, i, view);
	ct_emphasise(out, &view->style, CT_BOLD, "Problems by function (they overlap: no sums)");
	fputc('\n', out);
	if (err == 0)
		err = ct_table_write(table, out, &view->style);
	if (folds->calls > view->rows)
		fprintf(out, "%zu more (--rows=all)\n", folds->calls - view->rows);
	ct_table_close(table);
	return err < 0 ? err : 0;
}
