/* SPDX-License-Identifier: Apache-2.0 */
/* Values in sentences: what is moved redundantly in all, what is not known. */
#include "base/quantity.h"
#include "postproc/render/values/values.h"
#include "postproc/tables/amount.h"

#include <string.h>

static void write_total(FILE *out, const struct ct_values_figures *figures, enum ct_class class,
			const char *what)
{
	struct ct_values_counts sum;
	uint64_t redundant;
	char number[2][CT_NUMBER_BYTES];

	ct_values_sum(figures, class, &sum);
	redundant = ct_values_redundant(&sum, class);
	if (sum.elements && class != CT_CLASS_STORE && figures->is_summarised)
		fprintf(out, "%s %s\n", what, ct_number(sum.elements, number[0]));
	else if (sum.elements)
		fprintf(out, "%s %s, of which %s (%.1f %%) redundant\n", what,
			ct_number(sum.elements, number[0]), ct_number(redundant, number[1]),
			100.0 * (double)redundant / (double)sum.elements);
}

static void write_sample(FILE *out, const struct ct_values_figures *figures)
{
	struct ct_values_spatial loads = ct_values_spatial_of(figures, false);
	struct ct_values_spatial stores = ct_values_spatial_of(figures, true);
	char number[CT_NUMBER_BYTES];

	fprintf(out,
		"Of %s launches some thread blocks alone are recorded: of all of them threads load "
		"again "
		"what they had loaded in %.2f %% +- %.2f (standard error), and store what they "
		"know to be there in %.2f %% +- %.2f; values that others have, too, are about %.2f "
		"to %.2f %% of what they load and %.2f to %.2f %% of what they store; all else is "
		"of those thread blocks\n",
		ct_number(figures->sampled_launches, number), 100 * figures->load_estimate.share,
		100 * figures->load_estimate.error, 100 * figures->store_estimate.share,
		100 * figures->store_estimate.error, 100 * loads.least, 100 * loads.most,
		100 * stores.least, 100 * stores.most);
}

static void write_limits(FILE *out, const struct ct_values_figures *figures)
{
	uint64_t all = 0, unreported = 0, candidates = 0;
	char number[2][CT_NUMBER_BYTES];

	for (size_t i = 0; i < figures->rows; i++) {
		all += figures->row[i].counts.elements;
		unreported += figures->row[i].counts.unreported;
	}
	if (unreported && figures->has_values)
		fprintf(
		    out,
		    "Of %s of %s accesses the trace has no value: they come from units compiled "
		    "without --ct-values, are ranges, or lost theirs\n",
		    ct_number(unreported, number[0]), ct_number(all, number[1]));
	if (figures->sampled_launches && !figures->is_summarised)
		write_sample(out, figures);
	if (figures->opaque_launches && !figures->is_summarised)
		fprintf(out,
			"%s of %s launches may store what the trace does not record; what memory "
			"held before them is not known behind them\n",
			ct_number(figures->opaque_launches, number[0]),
			ct_number(figures->launches, number[1]));
	for (size_t i = 0; i < figures->cell_count; i++)
		candidates += figures->cells[i].candidates;
	if (candidates)
		fprintf(out,
			"%s stores are to places where threads of a launch store different values: "
			"thread blocks and warps have no order, so which is the last, and what it "
			"finds, is "
			"not known\n",
			ct_number(candidates, number[0]));
	if (figures->surprises)
		fprintf(out,
			"%s loads found other values than had been left: something that is not "
			"traced stores there, so stores may be less redundant than they seem\n",
			ct_number(figures->surprises, number[0]));
}

static void write_tier(FILE *out, const struct ct_values_figures *figures)
{
	if (figures->is_summarised)
		fputs("tier values: summarised on the device, without addresses. Stores count as "
		      "redundant if memory held the value right before; whether loads and "
		      "atomics are is not known; values of atomics are what they are given. "
		      "Numbers of values are estimates (8 %)\n",
		      out);
}

static void write_memory(FILE *out, const struct ct_values_memory *memory)
{
	const struct ct_amount peak = {(double)memory->peak, "B"};
	const struct ct_amount needed = {(double)memory->needed_peak, "B"};
	char text[2][CT_AMOUNT_BYTES];

	if (memory->peak)
		fprintf(out,
			"Memory:  %s at the peak; %s if objects lived from their first to their "
			"last use\n",
			ct_amount_text(&peak, text[0]), ct_amount_text(&needed, text[1]));
	for (unsigned p = 0; p < CT_LIFE_PATTERNS && memory->peak; p++) {
		const struct ct_amount without = {(double)memory->without[p], "B"};

		if (memory->without[p] < memory->peak)
			fprintf(out, "         %s without %s\n", ct_amount_text(&without, text[0]),
				ct_values_life_text((enum ct_values_life_id)p));
	}
}

void ct_values_write(FILE *out, const struct ct_values_figures *figures)
{
	write_tier(out, figures);
	write_total(out, figures, CT_CLASS_LOAD, "Loads:  ");
	write_total(out, figures, CT_CLASS_STORE, "Stores: ");
	write_total(out, figures, CT_CLASS_ATOMIC, "Atomics:");
	write_memory(out, &figures->memory);
	write_limits(out, figures);
}
