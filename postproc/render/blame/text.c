/* SPDX-License-Identifier: Apache-2.0 */
/* Blame in sentences. */
#include "base/quantity.h"
#include "postproc/render/blame/blame.h"
#include "postproc/sass/weigh.h"

#define FIX_MIN 1.05 /* times as fast: what to do is said of */

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void write_sampling(FILE *out, const struct ct_blame_weighing *weighing)
{
	const struct ct_sampled_facts *facts = weighing->sampled;
	char buffers[2][CT_NUMBER_BYTES];

	fprintf(out,
		"Weights are samples of where warps were: %s, one every %s cycles of an SM%s\n",
		ct_number(weighing->blame->samples->total, buffers[0]),
		ct_number(facts->period_min, buffers[1]),
		facts->period_max != facts->period_min ? " or more" : "");
}

void ct_blame_write(FILE *out, const struct ct_blame_weighing *weighing)
{
	const struct ct_blame *blame = weighing->blame;

	if (!(blame->total > 0))
		return;
	if (weighing->sampled)
		write_sampling(out, weighing);
	else
		fprintf(out,
			"Weights are dynamic instruction counts, of %s: executions of basic blocks "
			"times their instructions\n",
			weighing->is_of_warps ? "warps" : "lanes");
	fprintf(out,
		"Coverage: %.1f %% have a variable, %.1f %% a path of calls that is known "
		"(%.1f %% by the static call graph alone); %.1f %% flow into no variable of their "
		"kernel\n",
		percent(blame->blamed, blame->total), percent(blame->resolved, blame->total),
		percent(blame->one_path, blame->total), percent(blame->unattributed, blame->total));
}

void ct_blame_write_cpu(FILE *out, const struct ct_blame_weighing *weighing)
{
	if (weighing->blame->cpu_total > 0)
		fprintf(out,
			"CPU: of %.0f samples of host threads, one every 10 ms of processor time "
			"outside of the kernel\n",
			weighing->blame->cpu_total);
	if (*weighing->cpu_missing)
		fprintf(out, "CPU: not all was sampled: %s\n", weighing->cpu_missing);
}

void ct_blame_write_fixes(FILE *out, const struct ct_advices *advices, size_t rows, bool has_causes)
{
	if (!advices->count)
		return;
	fputs("gain at most: how many times as fast the kernel is, or all of them are, without "
	      "these samples, T / (T - M)\n",
	      out);
	if (has_causes)
		fputs("if cached: sectors that caches can serve are no gain\n", out);
	for (size_t i = 0; i < advices->count && i < rows; i++) {
		const struct ct_advice *advice = &advices->list[i];

		if (ct_advice_gain(advice) >= FIX_MIN)
			fprintf(
			    out, "%s%s%s:%u: %s\n", advice->variable ? advice->variable->name : "",
			    advice->variable ? ", " : "", advice->file, advice->line, advice->fix);
	}
}
