/* SPDX-License-Identifier: Apache-2.0 */
/* The section of the report on races. */
#include "postproc/facts/section.h"
#include "postproc/analysis/races/analysis.h"

#include <stdio.h>

#define WHO_BYTES 64u

static const struct ct_section_column columns[] = {
    {"kernel", "kernel", NULL, CT_SECTION_NAME, NULL, false},
    {"launch", "launch", NULL, CT_SECTION_NUMBER, NULL, true},
    {"between", "between", "Who is not ordered.", CT_SECTION_TEXT, NULL, false},
    {"bytes", "bytes", "Bytes of the stores and accesses that meet, at least.", CT_SECTION_NUMBER,
     "B", false},
    {"values", "values", "same: all who store there store one value, which does no harm.",
     CT_SECTION_TEXT, NULL, false},
    {"store", "store", NULL, CT_SECTION_LINE, NULL, false},
    {"store_by", "by", NULL, CT_SECTION_TEXT, NULL, true},
    {"other", "and", "What else accesses the bytes.", CT_SECTION_LINE, NULL, false},
    {"other_by", "by", NULL, CT_SECTION_TEXT, NULL, true},
};

enum { BYTES_COLUMN = 3 };

static void put_access(struct ct_sections *sections, const struct ct_races_access *access)
{
	char who[WHO_BYTES];

	snprintf(who, sizeof(who), "CTA %llu warp %u", (unsigned long long)access->cta,
		 access->warp);
	ct_sections_line(sections, access->unit, access->site);
	ct_sections_text(sections, who);
}

void ct_races_show(struct ct_sections *sections, const struct ct_races_results *results)
{
	static const struct ct_section like = {
	    .analysis = "races",
	    .name = CT_RACES_SECTION,
	    .title = "Races",
	    .about = "Accesses of one launch to the same bytes that nothing orders, one of them a "
		     "store. Only what is sure is listed: launches with atomics or volatile "
		     "accesses are left out, and warps of a CTA are compared where barriers are "
		     "recorded.",
	    .column = columns,
	    .columns = sizeof(columns) / sizeof(*columns),
	    .order = BYTES_COLUMN,
	};

	ct_sections_add(sections, &like);
	for (size_t i = 0; i < results->races; i++) {
		const struct ct_race *race = &results->race[i];

		ct_sections_name(sections, race->launch->kernel);
		ct_sections_number(sections, (double)race->launch->event->launch);
		ct_sections_text(sections,
				 race->between == CT_RACES_CTAS ? "CTAs" : "warps of a CTA");
		ct_sections_number(sections, (double)race->bytes);
		ct_sections_text(sections, ct_races_values_text(race->values));
		put_access(sections, &race->store);
		put_access(sections, &race->other);
	}
}
