/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost compare: two studies of a program, before and after it was changed. */
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/comparison.h"
#include "postproc/cmd/options/sources.h"
#include "postproc/comparison/tables.h"
#include "postproc/render/compare/comparison.h"

#include <errno.h>

#define ROWS 10u

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
    {.name = "all",
     .help = "also problems that are worth less than a thousandth of the run, and lines that have "
	     "not changed"},
    {.name = "rows",
     .argument = "N|all",
     .help = "most rows of each table; other formats have all (default: 10)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own,
						      ctpost_source_options,
						      ctpost_debug_options,
						      ctpost_selection_options,
						      ctpost_comm_options,
						      ctpost_resource_options,
						      NULL};

/* On rank 0. An exit status */
static int print(struct ctpost_comparison *both, struct ctpost_call *call,
		 const struct ct_table_format *format, size_t rows)
{
	struct ctpost_shown shown[CT_COMPARISON_TABLES + 1] = {{NULL, NULL}};
	struct ct_style style = ct_style_of_stdout();
	const bool is_all = ctpost_value(call, "all") != NULL;

	both->comparison.lists_all = format || is_all;
	for (size_t i = 0; i < CT_COMPARISON_TABLES; i++)
		shown[i] = (struct ctpost_shown){ct_comparison_tables[i], &both->comparison};
	if (format)
		return ctpost_write_shown(call, format, NULL, shown);
	ct_comparison_write(stdout, &both->comparison, is_all, &style);
	return both->comparison.is_other_program ? CTPOST_OK
						 : ctpost_show_tables(call, shown, rows, &style);
}

static int compare(struct ctpost_call *call, const struct ctpost_source_choice *from,
		   const struct ct_table_format *format, size_t rows)
{
	struct ctpost_comparison both = {.from = from};
	struct ct_ranks *ranks;
	char why[CTPOST_WHY_BYTES] = "";
	int err = ct_ranks_open(&ranks, why, sizeof(why));

	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s", why);
	err = ctpost_comparison_run(&both, call, ranks, NULL);
	if (err == 0 && ranks->rank == 0)
		err = print(&both, call, format, rows) == CTPOST_OK ? 0 : -EIO;
	err = ctpost_explain(call, ct_ranks_agree(ranks, err), call->operand[0], "");
	if (ranks->rank != 0)
		ctpost_leave_to_rank_0(call);
	ctpost_comparison_close(&both);
	ct_ranks_close(ranks);
	return err == 0 ? CTPOST_OK : CTPOST_FAILED;
}

static int run(struct ctpost_call *call)
{
	const struct ct_table_format *format = NULL;
	struct ctpost_source_choice from;
	size_t rows = 0;
	int status = ctpost_source_choice_read(&from, call, 2);

	if (status == CTPOST_OK)
		status = ctpost_read_rows(call, ROWS, &rows);
	if (status == CTPOST_OK)
		status = ctpost_read_format(call, &format);
	if (status == CTPOST_OK)
		status = compare(call, &from, format, rows);
	ctpost_source_choice_fini(&from);
	return status;
}

const struct ctpost_command ctpost_compare_command = {
    .name = "compare",
    .summary = "show what changing a program gained, beside what was predicted",
    .description =
	"Compares two studies of a program (directories of ctrun profile or ctrun ffm, or "
	"traces):\n"
	"which problems are gone, new and remain; of those that are gone what fixing them was\n"
	"predicted to save, beside what the runs say: the time of the kernels, the calls and the\n"
	"whole run. Then kernels, lines and calls before and after: time, sectors, efficiency,\n"
	"redundant values, instructions. Lines are found again where an edit has moved them.\n\n"
	"What only one of both has recorded is listed as unknown, not as gone. The same as a "
	"page:\n"
	"ctpost report BEFORE AFTER. docs/compare.md says what each figure means. Whether two "
	"runs\n"
	"access the same, one by one, says diff.",
    .operands = "BEFORE AFTER",
    .operands_min = 2,
    .operands_max = 2,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, whatever has changed, 1 if a study cannot be read, 2 for a wrong "
		   "option.",
    .example = "ctpost compare study after",
    .run = run,
};
