/* SPDX-License-Identifier: Apache-2.0 */
/* Branches as a section: each line with a branch, the most divergent first. */
#include "postproc/analysis/branches/section.h"

enum { LINE, KERNEL, BRANCHES, DIVERGENT, EFFICIENCY, LANES };

static const struct ct_section_column columns[] = {
    [LINE] = {"line", "line", NULL, CT_SECTION_LINE, NULL, false},
    [KERNEL] = {"kernel", "kernel", NULL, CT_SECTION_NAME, NULL, false},
    [BRANCHES] = {"branches", "branches", "How often a warp executes a branch of the line.",
		  CT_SECTION_NUMBER, "branches", false},
    [DIVERGENT] = {"divergent", "divergent",
		   "Of these, such as have lanes that go different ways, one after another.",
		   CT_SECTION_NUMBER, "branches", false},
    [EFFICIENCY] = {"efficiency_percent", "efficiency", "Branches that are not divergent, of all.",
		    CT_SECTION_NUMBER, "%", false},
    [LANES] = {"lanes", "lanes", "Active lanes at the branch, of 32, in the mean.",
	       CT_SECTION_NUMBER, "lanes", true},
};

void ct_branches_show(struct ct_sections *sections, const struct ct_branches_results *results)
{
	static const struct ct_section like = {
	    .analysis = "branches",
	    .name = CT_BRANCHES_SECTION,
	    .title = "Branches",
	    .about = "Lines with branches between basic blocks, and how often lanes of a warp part "
		     "there (docs/access.md). The compiler may make predicates of short ones.",
	    .column = columns,
	    .columns = sizeof(columns) / sizeof(*columns),
	    .order = DIVERGENT,
	};

	ct_sections_add(sections, &like);
	for (size_t i = 0; i < results->lines; i++) {
		const struct ct_branches_line *line = &results->line[i];
		const struct ct_branches_figures *f = &line->figures;

		ct_sections_line(sections, line->unit, line->site);
		ct_sections_name(sections, results->kernels.list[line->kernel].name);
		ct_sections_number(sections, (double)f->branches);
		ct_sections_number(sections, (double)f->divergent);
		ct_sections_number(sections, 100 * ct_branches_efficiency(f));
		ct_sections_number(sections, (double)f->lanes / (double)f->branches);
	}
}
