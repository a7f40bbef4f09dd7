/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost ctas: when CTAs ran, how evenly SMs were used, what the tails of launches cost. */
#include "postproc/render/ctas/ctas.h"
#include "base/error.h"
#include "postproc/analysis/ctas/tables.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/options/selection.h"
#include <errno.h>
#include <stdlib.h>

#define ROWS 20u

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
    {.name = "rows", .argument = "N|all", .help = "most rows of each table (default: 20)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, ctpost_selection_options, NULL};

static int write_text(struct ctpost_call *call, const struct ct_ctas *ctas,
		      const struct ctpost_shown *shown, size_t rows)
{
	const struct ct_ctas_launch **by_time = ct_ctas_by_time(ctas);
	struct ct_style style = ct_style_of_stdout();
	int status;

	if (!by_time)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0],
				   ct_strerror(-ENOMEM));
	status = ctpost_show_tables(call, shown, rows, &style);
	if (status == CTPOST_OK)
		ct_ctas_write_course(stdout, ctas, by_time[0], &style);
	free(by_time);
	return status;
}

static int write_ctas(struct ctpost_call *call, const struct ct_trace *trace,
		      const struct ct_ctas *ctas, const struct ct_table_format *format, size_t rows)
{
	const struct ctpost_shown shown[] = {{&ct_cta_kernels_table, ctas},
					     {&ct_cta_launches_table, ctas},
					     {&ct_cta_course_table, ctas},
					     {NULL, NULL}};

	if (!ctas->launches)
		return ctpost_fail(call, CTPOST_FAILED,
				   "%s: no times of blocks; compile with --ct-events=cta and trace "
				   "with ctrun --tier=clock",
				   call->operand[0]);
	return format ? ctpost_write_shown(call, format, trace, shown)
		      : write_text(call, ctas, shown, rows);
}

static int study(struct ctpost_call *call, struct ct_trace *trace, const struct ct_filter *filter,
		 const struct ct_table_format *format, size_t rows)
{
	struct ct_ctas ctas = {.launches = 0};
	int err = ct_ctas_init(&ctas, trace, filter), status;

	ctpost_warn_unread(trace);
	status =
	    err < 0 ? ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0], ct_strerror(err))
		    : write_ctas(call, trace, &ctas, format, rows);
	ct_ctas_fini(&ctas);
	return status;
}

static int run(struct ctpost_call *call)
{
	struct ct_selection selection;
	struct ct_filter *filter = NULL;
	struct ct_trace *trace;
	size_t rows;
	const struct ct_table_format *format = NULL;
	int status = ctpost_read_rows(call, ROWS, &rows);

	if (status == CTPOST_OK)
		status = ctpost_read_format(call, &format);
	if (status == CTPOST_OK)
		status = ctpost_read_selection(call, &selection);
	if (status != CTPOST_OK)
		return status;
	if (selection.objects || selection.ctas || selection.sites) {
		ct_selection_fini(&selection);
		return ctpost_fail(call, CTPOST_USAGE,
				   "ctas: --objects, --ctas and --sites choose accesses; here "
				   "--kernels, --launches and --streams do");
	}
	trace = ctpost_open_trace(call, call->operand[0]);
	status = trace ? ctpost_open_filter(call, call->operand[0], trace, &selection, &filter)
		       : CTPOST_FAILED;
	if (status == CTPOST_OK)
		status = study(call, trace, filter, format, rows);
	ct_filter_close(filter);
	ct_trace_close(trace);
	ct_selection_fini(&selection);
	return status;
}

const struct ctpost_command ctpost_ctas_command = {
    .name = "ctas",
    .summary = "show when thread blocks ran, how evenly SMs were used, what tails cost",
    .description =
	"Shows what the clock of thread blocks has recorded (compiled with --ct-events=cta, best "
	"traced with\n"
	"ctrun --tier=clock): for each kernel and launch the durations of its blocks, how many "
	"were\n"
	"resident at once, how evenly its SMs were busy, and the tail, in which fewer than half\n"
	"of the most blocks are left; and the course of the launch of the most time.\n\n"
	"docs/ctas.md says what each figure means.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read or has no times of blocks, 2 for a "
		   "wrong option.",
    .example = "ctpost ctas run.ctrace",
    .is_of_rank_0 = true,
    .run = run,
};
