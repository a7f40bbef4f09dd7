/* SPDX-License-Identifier: Apache-2.0 */
/* The top of the report: what stands out, with places that open their source. */
#include "postproc/render/findings/findings.h"
#include "postproc/facts/words.h"
#include "postproc/render/report/parts.h"

static void put_finding(const struct ct_report_writer *w, const struct ct_finding *finding)
{
	char worth[CT_WORTH_BYTES], name[256];

	ct_out_object(w->out, NULL);
	ct_out_text(w->out, "analysis", finding->analysis);
	ct_out_text(w->out, "finding", finding->name);
	ct_out_text(w->out, "kind", ct_finding_kind_text(finding->kind));
	ct_out_text(w->out, "section", finding->section);
	ct_out_text(w->out, "text", finding->text);
	if (finding->evidence)
		ct_out_text(w->out, "evidence", finding->evidence);
	if (finding->fix)
		ct_out_text(w->out, "fix", finding->fix);
	if (*ct_finding_worth(finding, worth))
		ct_out_text(w->out, "worth", worth);
	ct_out_array(w->out, "places");
	for (size_t i = 0; i < finding->sites; i++)
		ct_sources_put_site(w->sources, w->out, NULL, finding->site[i].unit,
				    finding->site[i].site);
	ct_out_end(w->out);
	ct_out_array(w->out, "objects");
	for (size_t i = 0; i < finding->objects; i++)
		ct_out_text(w->out, NULL, ct_words_object(finding->object[i], name, sizeof(name)));
	ct_out_end(w->out);
	ct_out_end(w->out);
}

void ct_report_put_findings(const struct ct_report_writer *w)
{
	const struct ct_findings *findings = w->report->findings;

	ct_out_array(w->out, "findings");
	for (size_t i = 0; i < findings->count; i++)
		put_finding(w, &findings->list[i]);
	ct_out_end(w->out);
}
