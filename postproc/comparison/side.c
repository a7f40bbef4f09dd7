/* SPDX-License-Identifier: Apache-2.0 */
/* Opens what was recorded of a study, with its kernels and lines. */
#include "postproc/comparison/side.h"
#include "postproc/comparison/kernels.h"
#include "postproc/comparison/lines.h"

#include "postproc/analysis/access/analysis.h"
#include "postproc/analysis/model/machine.h"
#include "postproc/analysis/values/analysis.h"

#include <stdlib.h>
#include <string.h>

/* Recording of memory is so for all kernels. */
static void note_recorded(struct ct_side *side)
{
	const struct ct_access_results *access = side->inquiry->access;
	const struct ct_values_figures *values = side->inquiry->values;
	const struct ct_unit *unit;
	size_t units = ct_trace_units(side->inquiry->trace, &unit);

	side->has_accesses = access && access->rows;
	for (size_t i = 0; values && i < values->rows && !side->has_values; i++)
		side->has_values =
		    values->row[i].counts.elements > values->row[i].counts.unreported;
	for (size_t i = 0; i < units && !side->has_shared; i++)
		side->has_shared = unit[i].header->spaces >> CT_SPACE_SHARED & 1;
}

int ct_side_init(struct ct_side *side)
{
	int err = ct_side_add_kernels(side);

	side->is_cpu = ct_machine_is_cpu(side->inquiry->trace);
	note_recorded(side);
	if (err == 0) {
		err = ct_side_add_lines(side);
	}
	return err;
}

void ct_side_fini(struct ct_side *side)
{
	for (size_t i = 0; i < side->kernels; i++)
		free(side->kernel[i].folded);
	for (size_t i = 0; i < side->lines; i++) {
		free(side->line[i].signature);
		free(side->line[i].text);
	}
	free(side->kernel);
	free(side->line);
	*side = (struct ct_side){.kernels = 0};
}

bool ct_side_sees(const struct ct_side *side, const char *analysis)
{
	const struct ct_inquiry *inquiry = side->inquiry;

	if (!strcmp(analysis, "ffm"))
		return inquiry->ffm != NULL;
	if (!strcmp(analysis, "calls"))
		return inquiry->calls != NULL;
	if (!strcmp(analysis, "samples"))
		return inquiry->samples != NULL;
	if (!strcmp(analysis, "values"))
		return side->has_values;
	if (!strcmp(analysis, "banks"))
		return side->has_shared;
	if (!strcmp(analysis, "branches") || !strcmp(analysis, "model") ||
	    !strcmp(analysis, "blame"))
		return side->has_blocks;
	if (!strcmp(analysis, "races"))
		return inquiry->races != NULL;
	if (!strcmp(analysis, "ctas"))
		return true;
	return side->has_accesses;
}
