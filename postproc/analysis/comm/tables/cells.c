/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of the tables of communication that take more than an expression. */
#include "postproc/analysis/comm/tables/cells.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ct_source_line ct_comm_place_of(const char *descriptor, char *file, size_t bytes)
{
	char line[32];

	ct_site_field(descriptor, 1, file, bytes);
	ct_site_field(descriptor, 2, line, sizeof(line));
	return (struct ct_source_line){file, (uint32_t)strtoul(line, NULL, 10)};
}

void ct_comm_tell_extent(const uint32_t extent[3], char text[CT_COMM_EXTENT_BYTES])
{
	ct_words_extent(extent, text, CT_COMM_EXTENT_BYTES);
	for (char *at = text; (at = strchr(at, ',')); at++)
		*at = 'x';
}

void ct_comm_tell_recorded(const struct ct_sampling *sampling, const struct ct_launch_info *launch,
			   char text[CT_COMM_TEXT_BYTES])
{
	const struct ct_launch_sample *sample = ct_sampling_of(sampling, launch);
	bool is_lossy = sample->lost_unknown || sample->lost_chunks;

	if (!(launch->event->flags & CT_LAUNCH_TRACED))
		snprintf(text, CT_COMM_TEXT_BYTES, "no: %s", launch->reason);
	else if (sample->recorded < sample->ctas)
		snprintf(text, CT_COMM_TEXT_BYTES, "%llu of %llu thread blocks%s",
			 (unsigned long long)sample->recorded, (unsigned long long)sample->ctas,
			 is_lossy ? "; chunks LOST" : "");
	else
		snprintf(text, CT_COMM_TEXT_BYTES, "%s", is_lossy ? "chunks LOST" : "yes");
}

struct ct_source_line ct_comm_place_of_kernel(const struct ct_numbered_kernel *kernel)
{
	const struct ct_unit_kernel *in_unit =
	    kernel->unit ? &kernel->unit->kernels[kernel->index] : NULL;

	return in_unit ? (struct ct_source_line){ct_unit_string(kernel->unit, in_unit->file),
						 in_unit->line}
		       : (struct ct_source_line){NULL, 0};
}

static const struct ct_unit_site *site_of(const struct ct_unit *unit, uint32_t site)
{
	return unit && site < unit->header->site_count ? &unit->sites[site] : NULL;
}

const char *ct_comm_function_of(const struct ct_unit *unit, uint32_t number)
{
	const struct ct_unit_site *site = site_of(unit, number);

	if (!site)
		return NULL;
	return ct_unit_string(unit, site->kernel == CT_NONE ? site->function
							    : unit->kernels[site->kernel].display);
}

void ct_comm_tell_access(const struct ct_unit *unit, uint32_t number, char text[CT_COMM_TEXT_BYTES])
{
	const struct ct_unit_site *site = site_of(unit, number);
	char type[32];

	if (site)
		snprintf(text, CT_COMM_TEXT_BYTES, "%s %s %s", ct_operation_text(site->operation),
			 ct_words_type(site, type, sizeof(type)),
			 ct_unit_string(unit, site->variable));
	else
		snprintf(text, CT_COMM_TEXT_BYTES, "unknown");
}
