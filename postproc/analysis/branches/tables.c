/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of branches: each line with a branch, the most divergent first, and each kernel. */
#include "postproc/analysis/branches/tables.h"
#include "postproc/analysis/branches/analysis.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <stdio.h>

#define UNKNOWN_BYTES 512u

struct row_branches {
	uint64_t number;
	const struct ct_branches_line *line;
	const struct ct_kernel_entry *kernel;
};

struct row_branch_kernels {
	const struct ct_kernel_entry *entry;
	const struct ct_branches_kernel *kernel;
	bool has_code;
	uint64_t branches, divergent;
	double efficiency, fast_efficiency;
	char unknown[UNKNOWN_BYTES];
};

#define CT_DESCRIBED "postproc/analysis/branches/tables.def"
#include "postproc/tables/described.h"

static int rows_branches(const void *from, struct ct_table_sink *sink)
{
	const struct ct_branches_results *results = from;
	int err = 0;

	for (size_t i = 0; i < results->lines && err == 0; i++) {
		const struct row_branches row = {i, &results->line[i],
						 &results->kernels.list[results->line[i].kernel]};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

/* Says what is not known, and where; what the efficiency is if divisions go their fast way. */
static void word_unknown(char text[UNKNOWN_BYTES], const struct ct_branches_machine *machine,
			 bool is_known, double efficiency)
{
	char place[CT_BRANCHES_FILE_BYTES + 24] = "", fast[48] = "";

	if (*machine->file)
		snprintf(place, sizeof(place), " (%s:%u)", machine->file, machine->line);
	if (!is_known && efficiency > 0)
		snprintf(fast, sizeof(fast), "; if never: %.1f %%", 100 * efficiency);
	snprintf(text, UNKNOWN_BYTES, "%s%s%s", machine->why ? machine->why : "", place, fast);
}

static void fill_machine(struct row_branch_kernels *row, const struct ct_branches_machine *machine)
{
	double efficiency;
	bool is_known = ct_branches_machine_efficiency(machine, &efficiency);

	row->has_code = true;
	if (machine->is_counted && !machine->has_tests)
		row->branches = machine->branches;
	if (machine->is_divergence_known && !machine->has_tests)
		row->divergent = machine->divergent;
	if (is_known && (machine->branches || !machine->is_counted))
		row->efficiency = efficiency;
	if (is_known || efficiency > 0)
		row->fast_efficiency = efficiency;
	word_unknown(row->unknown, machine, is_known, efficiency);
}

static int rows_branch_kernels(const void *from, struct ct_table_sink *sink)
{
	const struct ct_branches_results *results = from;
	int err = 0;

	for (uint32_t k = 0; k < results->kernels.count && err == 0; k++) {
		struct row_branch_kernels row = {
		    .entry = &results->kernels.list[k],
		    .kernel = &results->kernel[k],
		    .branches = CT_MISSING,
		    .divergent = CT_MISSING,
		    .efficiency = NAN,
		    .fast_efficiency = NAN,
		};

		if (!row.kernel->blocks)
			continue;
		if (row.kernel->machine.has_code)
			fill_machine(&row, &row.kernel->machine);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static const struct ct_table_link of_sites[] = {{"unit, site", "sites", "unit, site"}, {0}};

const struct ct_table_def ct_branches_table = {CT_TABLE_SHOWN(branches, of_sites)};
const struct ct_table_def ct_branch_kernels_table = {CT_TABLE_SHOWN(branch_kernels, NULL)};
