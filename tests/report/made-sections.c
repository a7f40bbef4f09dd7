/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of a made-up analysis. */
#include "tests/report/made-sections.h"
#include "postproc/tables/sink.h"
#include <math.h>

/* Two processes with two objects each, at the same addresses; named as the page's picture expects.
 */
static const struct ct_column_def memory_column[] = {
    {"part", CT_COLUMN_UINT, CT_COLUMN_KEY_DETAIL, "process", "", ""},
    {"name", CT_COLUMN_TEXT, CT_COLUMN_ALWAYS, "object", "", ""},
    {"bytes", CT_COLUMN_UINT, CT_COLUMN_ALWAYS, "bytes", "bytes", ""},
    {"address", CT_COLUMN_ADDRESS, CT_COLUMN_DETAIL, "address", "", ""},
    {"allocated_at", CT_COLUMN_UINT, CT_COLUMN_ALWAYS, "allocated", "", ""},
    {"first_use", CT_COLUMN_UINT, CT_COLUMN_OPTIONAL, "first use", "", ""},
    {"last_use", CT_COLUMN_UINT, CT_COLUMN_OPTIONAL, "last use", "", ""},
    {"freed_at", CT_COLUMN_UINT, CT_COLUMN_ALWAYS, "freed", "", ""},
    {"redundant_share", CT_COLUMN_REAL, CT_COLUMN_OPTIONAL, "redundant", "share", ""},
    {"patterns", CT_COLUMN_TEXT, CT_COLUMN_OPTIONAL, "patterns", "", ""},
};

static int rows_memory(const void *from, struct ct_table_sink *sink)
{
	int err = 0;

	(void)from;
	for (uint32_t i = 0; i < 4 && err == 0; i++) {
		const union ct_cell cell[] = {
		    {.number = i / 2},
		    {.text = i % 2 ? "small" : "large"},
		    {.number = i % 2 ? 1000 : 4000},
		    {.number = i % 2 ? 0x9000 : 0x1000},
		    {.number = 0},
		    {.number = i ? 1 : CT_MISSING},
		    {.number = i ? 2 : CT_MISSING},
		    {.number = 3},
		    {.real = NAN},
		    {.text = NULL},
		};

		err = ct_table_put_cells(sink, cell);
	}
	return err;
}

static const struct ct_column_def thing_column[] = {
    {"line", CT_COLUMN_LINE, CT_COLUMN_OPTIONAL, "line", "", ""},
    {"function", CT_COLUMN_NAME, CT_COLUMN_ALWAYS, "function", "", ""},
    {"what", CT_COLUMN_TEXT, CT_COLUMN_OPTIONAL, "what", "", "<b>Said</b> of it."},
    {"count", CT_COLUMN_UINT, CT_COLUMN_ALWAYS, "count", "things", ""},
    {"bytes", CT_COLUMN_UINT, CT_COLUMN_DETAIL, "bytes", "bytes", ""},
    {"part", CT_COLUMN_REAL, CT_COLUMN_ALWAYS, "part", "share", ""},
    {"time", CT_COLUMN_REAL, CT_COLUMN_OPTIONAL, "time", "seconds", ""},
    {"hidden", CT_COLUMN_UINT, CT_COLUMN_ALWAYS, NULL, "", "for programs alone"},
    {"nothing", CT_COLUMN_REAL, CT_COLUMN_OPTIONAL, "nothing", "", "no row has it"},
};

struct things {
	const struct ct_unit *unit;
	const char *const *names;
	uint32_t rows;
};

static int rows_things(const void *from, struct ct_table_sink *sink)
{
	const struct things *things = from;
	int err = 0;

	for (uint32_t i = 0; i < things->rows && err == 0; i++) {
		bool lacks = i % 3 == 2;
		const union ct_cell cell[] = {
		    {.line = {lacks ? NULL : things->unit, i % things->unit->header->site_count}},
		    {.text = things->names[i % 3]},
		    {.text = lacks ? NULL : "a <b>"},
		    {.number = things->rows - i + 1000},
		    {.number = 1500 * (i + 1)},
		    {.real = .125 / (i + 1)},
		    {.real = lacks ? NAN : 0.0025 / (i + 1)},
		    {.number = i},
		    {.real = NAN},
		};

		err = ct_table_put_cells(sink, cell);
	}
	return err;
}

void made_sections(struct ct_sections *sections, const struct ct_unit *unit,
		   const char *const names[3], uint32_t rows)
{
	static const struct ct_table_def things = {
	    .name = "made_up_things",
	    .title = "Made-up <things>",
	    .help = "Each </script><!--<script> of the made-up ones.",
	    .order = "count",
	    .column = thing_column,
	    .columns = sizeof(thing_column) / sizeof(*thing_column),
	    .rows = rows_things,
	};
	static struct ct_table_def nothing;
	static const struct ct_table_def memory = {
	    .name = "value_lifetimes",
	    .title = "Made-up memory",
	    .help = "Of two processes.",
	    .order = "bytes",
	    .column = memory_column,
	    .columns = sizeof(memory_column) / sizeof(*memory_column),
	    .rows = rows_memory,
	};

	ct_sections_add(sections, "made-up", &things, &(struct things){unit, names, rows});
	nothing = things;
	nothing.name = "nothing";
	ct_sections_add(sections, "made-up", &nothing, &(struct things){unit, names, 0});
	ct_sections_add(sections, "made-up", &memory, sections);
}
