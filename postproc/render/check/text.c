/* SPDX-License-Identifier: Apache-2.0 */
/* One finding after another. */
#include "postproc/render/check/text.h"
#include "postproc/facts/place.h"

#include <string.h>

#define PLACE_BYTES 1024u

/* "heat.cu:12:3: ", of a site or a line of the host; "" not known. */
static void put_place(char text[PLACE_BYTES], const struct ct_finding *finding)
{
	char place[PLACE_BYTES - 3], path[PLACE_BYTES - 3];
	struct ct_place at = {.file = finding->file ? finding->file : "", .line = finding->line};

	if (finding->sites)
		at = ct_place_of(finding->site->unit,
				 &finding->site->unit->sites[finding->site->site]);
	*text = '\0';
	if (!*at.file)
		return;
	at.file = ct_place_path(at.file, path, sizeof(path));
	snprintf(text, PLACE_BYTES, "%s: ", ct_place_text(at, place, sizeof(place)));
}

void ct_check_write(FILE *out, const struct ct_findings *findings)
{
	size_t errors = 0, warnings = 0;
	char place[PLACE_BYTES];

	for (size_t i = 0; i < findings->count; i++) {
		const struct ct_finding *finding = &findings->list[i];

		if (finding->suppressed_by || finding->kind != CT_FINDING_PROBLEM)
			continue;
		put_place(place, finding);
		fprintf(out, "%s%s: %s [%s]\n", place,
			ct_check_is_error(finding->id) ? "error" : "warning", finding->text,
			ct_finding_id_text(finding->id));
		if (finding->evidence)
			fprintf(out, "    %s\n", finding->evidence);
		if (finding->fix)
			fprintf(out, "    %s\n", finding->fix);
		errors += ct_check_is_error(finding->id);
		warnings += !ct_check_is_error(finding->id);
	}
	if (errors || warnings)
		fprintf(out, "%zu error%s, %zu warning%s\n", errors, errors == 1 ? "" : "s",
			warnings, warnings == 1 ? "" : "s");
}

void ct_check_write_unknown(FILE *out, const struct ct_check_results *results)
{
	if (results->unseen)
		fprintf(out,
			"ctpost: warning: what %zu of %zu launches access is not recorded, or "
			"in part\n",
			results->unseen, results->launches);
	if (!results->knows_writes || results->unseen)
		fprintf(out, "ctpost: warning: reads of what nothing wrote are not found %s\n",
			results->knows_writes ? "in memory that these may write"
					      : "in this trace (docs/check.md)");
}
