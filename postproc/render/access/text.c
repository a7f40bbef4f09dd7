/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses for a terminal: what is moved in all, and what to do, in sentences. */
#include "base/quantity.h"
#include "postproc/analysis/access/words.h"
#include "postproc/render/access/access.h"
#include "postproc/render/findings/findings.h"

#define SHOWN_SIZE 2u /* of the lines of table reuse */

static void write_total(FILE *out, const struct ct_access_results *results)
{
	struct ct_access_figures sum = {0};
	char number[6][CT_NUMBER_BYTES];

	for (size_t i = 0; i < results->rows; i++)
		if (ct_access_space(results, results->row[i].group) == CT_SPACE_GLOBAL)
			ct_access_figures_add(&sum, &results->row[i].figures);
	fprintf(out,
		"Global memory: %s requests take %s sectors (%s); %s would do (%.1f %%)\n"
		"Lanes ask for %s, of which %s distinct in their requests; %.1f of 32 lanes are "
		"active\n",
		ct_number(sum.requests, number[0]), ct_number(sum.sectors, number[1]),
		ct_size(sum.sectors * CT_SECTOR_BYTES, number[2]), ct_number(sum.ideal, number[3]),
		100 * ct_access_efficiency(&sum), ct_size(sum.asked, number[4]),
		ct_size(sum.used, number[5]),
		sum.requests ? (double)sum.lanes / (double)sum.requests : 0);
	if (results->hots)
		fprintf(out, "%s atomics at %s addresses, by launch\n",
			ct_number(results->atomic_lanes, number[0]),
			ct_number(results->atomic_addresses, number[1]));
}

/* Writes the branches of all kernels together; nothing without blocks in the trace. */
static void write_branches(FILE *out, const struct ct_branches_results *results)
{
	struct ct_branches_kernel all = {.blocks = 0};
	char number[3][CT_NUMBER_BYTES];

	if (!results->is_recorded)
		return;
	for (uint32_t k = 0; k < results->kernels.count; k++) {
		all.figures.branches += results->kernel[k].figures.branches;
		all.figures.divergent += results->kernel[k].figures.divergent;
		all.blocks += results->kernel[k].blocks;
		all.lanes += results->kernel[k].lanes;
	}
	fprintf(out,
		"%s of %s branches are divergent; %.1f of 32 lanes are active in the mean of %s "
		"blocks\n",
		ct_number(all.figures.divergent, number[0]),
		ct_number(all.figures.branches, number[1]),
		all.blocks ? (double)all.lanes / (double)all.blocks : 0,
		ct_number(all.blocks, number[2]));
}

static void write_races(FILE *out, const struct ct_races_results *results)
{
	char number[3][CT_NUMBER_BYTES];

	if (!results)
		return;
	if (!results->races)
		fprintf(out, "No races were found. ");
	fprintf(out,
		"Of %s launches the order is not known: between thread blocks of %s (atomics whose "
		"results "
		"are used, volatile "
		"accesses, grids that synchronise, or something is not recorded), between warps of "
		"a thread block of %s (likewise, or --ct-events=barrier is missing); nothing is "
		"said of "
		"these.\n",
		ct_number(results->launches, number[0]),
		ct_number(results->unknown_ctas, number[1]),
		ct_number(results->unknown_warps, number[2]));
}

static void write_reuse(FILE *out, const struct ct_reuse_results *results)
{
	if (results && results->sampled[SHOWN_SIZE])
		fprintf(out, "Reuse is of one line of memory in %u\n",
			1u << results->sampled[SHOWN_SIZE]);
}

void ct_access_write(FILE *out, const struct ct_access_output *output, const struct ct_style *style)
{
	write_total(out, output->results);
	write_branches(out, output->branches);
	write_races(out, output->races);
	write_reuse(out, output->reuse);
	ct_findings_write(out, output->findings, SIZE_MAX, style);
}
