/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of a made-up analysis. */
#include "tests/report/made-sections.h"
#include <math.h>

/* Two processes with two objects each, at the same addresses. */
static void made_memory(struct ct_sections *sections)
{
	static const struct ct_section_column column[] = {
	    {"object", "object", NULL, CT_SECTION_TEXT, NULL, false},
	    {"bytes", "bytes", NULL, CT_SECTION_NUMBER, "B", false},
	    {"address", "address", NULL, CT_SECTION_TEXT, NULL, true},
	    {"born", "allocated", NULL, CT_SECTION_NUMBER, NULL, false},
	    {"first_use", "first use", NULL, CT_SECTION_NUMBER, NULL, false},
	    {"last_use", "last use", NULL, CT_SECTION_NUMBER, NULL, false},
	    {"died", "freed", NULL, CT_SECTION_NUMBER, NULL, false},
	    {"redundant_percent", "redundant", NULL, CT_SECTION_NUMBER, "%", false},
	    {"patterns", "patterns", NULL, CT_SECTION_TEXT, NULL, false},
	    {"part", "process", NULL, CT_SECTION_NUMBER, NULL, true},
	};
	static const struct ct_section like = {.analysis = "made-up",
					       .name = "value-memory",
					       .title = "Made-up memory",
					       .about = "Of two processes.",
					       .column = column,
					       .columns = sizeof(column) / sizeof(*column),
					       .order = 1};

	ct_sections_add(sections, &like);
	for (uint32_t i = 0; i < 4; i++) {
		ct_sections_text(sections, i % 2 ? "small" : "large");
		ct_sections_number(sections, i % 2 ? 1000 : 4000);
		ct_sections_text(sections, i % 2 ? "0x9000" : "0x1000");
		ct_sections_number(sections, 0);
		ct_sections_number(sections, i ? 1 : NAN);
		ct_sections_number(sections, i ? 2 : NAN);
		ct_sections_number(sections, 3);
		ct_sections_number(sections, NAN);
		ct_sections_text(sections, NULL);
		ct_sections_number(sections, i / 2);
	}
}

void made_sections(struct ct_sections *sections, const struct ct_unit *unit,
		   const char *const names[3], uint32_t rows)
{
	static const struct ct_section_column column[] = {
	    {"line", "line", NULL, CT_SECTION_LINE, NULL, false},
	    {"function", "function", NULL, CT_SECTION_NAME, NULL, false},
	    {"what", "what", "<b>Said</b> of it.", CT_SECTION_TEXT, NULL, false},
	    {"count", "count", NULL, CT_SECTION_NUMBER, "things", false},
	    {"bytes", "bytes", NULL, CT_SECTION_NUMBER, "B", true},
	    {"part", "part", NULL, CT_SECTION_NUMBER, "%", false},
	    {"time", "time", NULL, CT_SECTION_NUMBER, "s", false},
	};
	struct ct_section like = {.analysis = "made-up",
				  .name = "made-up-things",
				  .title = "Made-up <things>",
				  .about = "Each </script><!--<script> of the made-up ones.",
				  .column = column,
				  .columns = sizeof(column) / sizeof(*column),
				  .order = 3};

	ct_sections_add(sections, &like);
	for (uint32_t i = 0; i < rows; i++) {
		ct_sections_line(sections, i % 3 == 2 ? NULL : unit, i % unit->header->site_count);
		ct_sections_name(sections, names[i % 3]);
		ct_sections_text(sections, i % 3 == 2 ? NULL : "a <b>");
		ct_sections_number(sections, rows - i + 1000);
		ct_sections_number(sections, 1500 * (i + 1));
		ct_sections_number(sections, 12.5 / (i + 1));
		ct_sections_number(sections, i % 3 == 2 ? NAN : 0.0025 / (i + 1));
	}
	like.name = "nothing";
	ct_sections_add(sections, &like);
	made_memory(sections);
}
