/* SPDX-License-Identifier: Apache-2.0 */
/* All advice about values has this in common. */
#include "base/array.h"
#include "postproc/analysis/values/findings/findings.h"

#include <stdio.h>

struct ct_values_advice *ct_values_advice_add(struct ct_values_advices *advices,
					      enum ct_finding_id id,
					      const struct ct_values_subject *subject,
					      double saved_bytes)
{
	struct ct_values_advice *advice;

	if (ct_array_grow(&advices->list, advices->count, sizeof(*advices->list)) < 0)
		return NULL;
	advice = &advices->list[advices->count++];
	*advice = (struct ct_values_advice){
	    .id = id,
	    .kernel = CT_NONE,
	    .subject = *subject,
	    .saved_bytes = saved_bytes < subject->moved_bytes ? saved_bytes : subject->moved_bytes,
	};
	return advice;
}

/* Sectors of a kernel's requests to global memory. */
static double kernel_sectors(const struct ct_values_figures *figures, uint32_t kernel)
{
	uint64_t sectors = 0;

	for (size_t i = 0; i < figures->rows; i++)
		sectors += figures->row[i].kernel == kernel ? figures->row[i].counts.sectors : 0;
	return (double)sectors;
}

static void add_kernel(struct ct_values_advice *advice, const struct ct_values_figures *figures,
		       uint32_t kernel)
{
	advice->kernel = advice->kernels++ ? advice->kernel : kernel;
	advice->launches += figures->kernel[kernel].launches;
}

void ct_values_advice_avoid(struct ct_values_advice *advice,
			    const struct ct_values_figures *figures, uint32_t kernel,
			    double sectors, const struct ct_values_traffic *avoided)
{
	double all = kernel_sectors(figures, kernel), seconds, estimate;

	add_kernel(advice, figures, kernel);
	advice->sectors += sectors;
	if (!figures->seconds || !(all > 0))
		return;
	seconds = sectors / all * figures->seconds[kernel];
	estimate = ct_values_worth_of(figures, kernel, avoided);
	advice->seconds += seconds;
	advice->estimate += estimate < seconds ? estimate : seconds;
}

void ct_values_advice_skip(struct ct_values_advice *advice, const struct ct_values_figures *figures,
			   uint32_t kernel, double part)
{
	add_kernel(advice, figures, kernel);
	advice->sectors += part * kernel_sectors(figures, kernel);
	if (!figures->seconds)
		return;
	advice->seconds += part * figures->seconds[kernel];
	advice->estimate += part * figures->seconds[kernel];
}

void ct_values_advice_set_line(struct ct_values_advice *advice, const struct ct_unit *unit,
			       uint32_t site)
{
	struct ct_place place = ct_place_of(unit, &unit->sites[site]);

	advice->unit = unit;
	advice->site = site;
	advice->line = place.line;
	snprintf(advice->file, sizeof(advice->file), "%s", place.file);
}
