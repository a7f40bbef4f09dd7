/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost info: what sites did and what was touched, of launches of tier counts. */
#include "postproc/facts/counted.h"
#include "postproc/render/info/info.h"
#include "postproc/tables/sections.h"
#include <string.h>

int ct_info_write_counts(FILE *out, const struct ct_info *info, const struct ct_style *style)
{
	size_t launches = ct_counted_launches(info->trace);
	const struct ct_trace_facts *facts = &info->facts;
	char number[CT_NUMBER_BYTES];
	int err;

	if (!launches)
		return 0;
	fprintf(out, "\ntier %s: %s %s counted on the device, without addresses",
		ct_counted_tier_of_trace(info->trace), ct_number(launches, number),
		launches == 1 ? "launch" : "launches");
	if (strcmp(ct_counted_tier_of_trace(info->trace), "counts") == 0)
		fprintf(out, "; sectors have %u bytes", CT_COUNTED_SECTOR_BYTES);
	fputs("\n", out);
	err = ct_table_show(out, &ct_counted_sites_table, facts, SIZE_MAX, style);
	return err == 0 ? ct_table_show(out, &ct_counted_objects_table, facts, SIZE_MAX, style)
			: err;
}
