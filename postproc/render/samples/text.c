/* SPDX-License-Identifier: Apache-2.0 */
/* How warps were sampled, in sentences. */
#include "base/quantity.h"
#include "postproc/render/samples/samples.h"

void ct_samples_write(FILE *out, const struct ct_samples_study *study)
{
	const struct ct_sampled_facts *facts = &study->facts;
	char buffers[4][CT_NUMBER_BYTES];

	fprintf(out, "%s samples", ct_number(study->weights.total, buffers[0]));
	if (!facts->is_concurrent)
		fprintf(out, " of %s launches", ct_number(facts->launches, buffers[1]));
	fprintf(out, ", one every %s cycles of an SM", ct_number(facts->period_min, buffers[2]));
	if (facts->period_max != facts->period_min)
		fprintf(out, " or more");
	fprintf(out, "; %s dropped\n", ct_number(facts->dropped, buffers[3]));
	if (facts->is_concurrent)
		fprintf(out, "Kernels ran at the same time: samples are of functions, not of "
			     "launches.\n");
	if (study->weights.unplaced)
		fprintf(out,
			"%.1f %% of the samples have no line: compile with -g1 (or more), or "
			"-lineinfo with nvcc.\n",
			100 * (double)study->weights.unplaced / (double)study->weights.total);
	if (facts->missing_cubins)
		fprintf(out, "%zu of %zu cubins are not in the trace.\n", facts->missing_cubins,
			facts->cubins);
	if (facts->damaged_cubins)
		fprintf(out, "%zu of %zu cubins have line tables that cannot be read.\n",
			facts->damaged_cubins, facts->cubins);
	if (*facts->missing)
		fprintf(out, "Not all is sampled: %s.\n", facts->missing);
}
