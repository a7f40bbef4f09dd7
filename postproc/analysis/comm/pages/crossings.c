/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a launch stores to bytes that another CTA of the launch right before it has read or
 * written: as one kernel, the two would race. Of each granule, which CTA read it in the last two
 * supersteps that read it.
 */
#include "postproc/analysis/comm/pages/page.h"

#define SEVERAL UINT32_MAX /* CTAs */
#define NONE (UINT32_MAX - 1)

void ct_page_note_last_readers(struct ct_pages *pages, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++) {
		struct ct_page_readers *of = &pages->last_readers[i];

		if (of->last.superstep != pages->superstep + 1) {
			of->before = of->last;
			of->last = (struct ct_page_reader){pages->superstep + 1, pages->cta};
		} else if (of->last.cta != pages->cta) {
			of->last.cta = SEVERAL;
		}
	}
}

/* Who read the granule in the superstep before the one at hand. */
static uint32_t reader_before(const struct ct_pages *pages, uint32_t granule)
{
	const struct ct_page_readers *of = &pages->last_readers[granule];

	if (of->last.superstep == pages->superstep)
		return of->last.cta;
	return of->before.superstep == pages->superstep ? of->before.cta : NONE;
}

static uint32_t writer_before(const struct ct_pages *pages, uint32_t granule)
{
	uint32_t version = CT_VERSION_OF(pages->granule[granule].version);
	const struct ct_version *of = &pages->version[version];

	if (!version || of->superstep + 1 != pages->superstep)
		return NONE;
	return of->count > 1 ? SEVERAL : of->last.cta;
}

void ct_page_note_crossings(struct ct_pages *pages, uint32_t first, uint32_t end)
{
	uint32_t writers = pages->granule[first].fresh & ~CT_READS_TOO;
	uint32_t cta = pages->writers[writers].count > 1 ? NONE : pages->writer_of[writers].cta;
	uint64_t granules = 0;

	if (!pages->is_launch)
		return;
	for (uint32_t i = first; i < end; i++) {
		uint32_t reader = reader_before(pages, i), writer = writer_before(pages, i);

		granules += (reader != NONE && reader != cta) || (writer != NONE && writer != cta);
	}
	if (granules)
		ct_page_fail(pages, ct_sums_add(pages->sums,
						CT_FACT_KEY(CT_FACT_STEP_CROSSED, pages->superstep),
						0, granules << pages->shift, 0));
}
