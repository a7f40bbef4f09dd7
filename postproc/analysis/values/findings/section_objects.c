/* SPDX-License-Identifier: Apache-2.0 */
/* The sections on objects: memory over time, and what flows between those who use it. */
#include "postproc/analysis/values/findings/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FROM, TO, OBJECT, READ, OVER, SAME };

static const struct ct_section_column flow_columns[] = {
    [FROM] = {"from", "from", "Who wrote these bytes last.", CT_SECTION_TEXT, NULL, false},
    [TO] = {"to", "to", "Who reads or overwrites them.", CT_SECTION_TEXT, NULL, false},
    [OBJECT] = {"object", "object", NULL, CT_SECTION_TEXT, NULL, false},
    [READ] = {"read", "read", NULL, CT_SECTION_NUMBER, "B", false},
    [OVER] = {"overwritten", "overwritten", NULL, CT_SECTION_NUMBER, "B", false},
    [SAME] = {"same_percent", "as they were",
	      "Of the bytes overwritten: they were as they are written.", CT_SECTION_NUMBER, "%",
	      false},
};

enum {
	LIFE_OBJECT,
	LIFE_BYTES,
	LIFE_ADDRESS,
	LIFE_BORN,
	LIFE_FIRST,
	LIFE_LAST,
	LIFE_DIED,
	LIFE_USED,
	LIFE_REDUNDANT,
	LIFE_DEAD,
	LIFE_PATTERNS,
	LIFE_PART
};

static const struct ct_section_column life_columns[] = {
    [LIFE_OBJECT] = {"object", "object", NULL, CT_SECTION_TEXT, NULL, false},
    [LIFE_BYTES] = {"bytes", "bytes", NULL, CT_SECTION_NUMBER, "B", false},
    [LIFE_ADDRESS] = {"address", "address", NULL, CT_SECTION_TEXT, NULL, true},
    [LIFE_BORN] = {"born", "allocated",
		   "Before this superstep: launches, copies and memsets in "
		   "the order of calls.",
		   CT_SECTION_NUMBER, "superstep", false},
    [LIFE_FIRST] = {"first_use", "first use", NULL, CT_SECTION_NUMBER, "superstep", false},
    [LIFE_LAST] = {"last_use", "last use", NULL, CT_SECTION_NUMBER, "superstep", false},
    [LIFE_DIED] = {"died", "freed", NULL, CT_SECTION_NUMBER, "superstep", false},
    [LIFE_USED] = {"used_percent", "used", "Of its bytes, by launches.", CT_SECTION_NUMBER, "%",
		   true},
    [LIFE_REDUNDANT] = {"redundant_percent", "redundant",
			"Of the accesses to it and others of its name and allocation site.",
			CT_SECTION_NUMBER, "%", false},
    [LIFE_DEAD] = {"dead_percent", "dead", "Of the bytes written to it: nobody reads them.",
		   CT_SECTION_NUMBER, "%", true},
    [LIFE_PATTERNS] = {"patterns", "patterns", NULL, CT_SECTION_TEXT, NULL, false},
    [LIFE_PART] = {"part", "process", "Part of the trace: addresses of each are its own.",
		   CT_SECTION_NUMBER, NULL, true},
};

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : NAN;
}

void ct_values_show_flows(struct ct_sections *sections, const struct ct_values_figures *figures)
{
	static const struct ct_section like = {
	    .analysis = "values",
	    .name = "value-flow",
	    .title = "Who writes what others read",
	    .about = "Launches of a kernel from one place, copies and memsets: how many bytes of "
		     "an object one of them wrote last and another one read or overwrote "
		     "(docs/values.md).",
	    .column = flow_columns,
	    .columns = sizeof(flow_columns) / sizeof(*flow_columns),
	    .order = READ,
	};
	char text[CT_VALUES_NODE_BYTES];

	ct_sections_add(sections, &like);
	for (size_t i = 0; i < figures->flows; i++) {
		const struct ct_values_flow *flow = &figures->flow[i];

		ct_sections_text(sections, ct_values_node_text(figures, flow->from, text));
		ct_sections_text(sections, ct_values_node_text(figures, flow->to, text));
		ct_sections_text(sections, ct_values_group_text(figures, flow->group));
		ct_sections_number(sections, (double)flow->read);
		ct_sections_number(sections, (double)flow->over);
		ct_sections_number(sections, percent(flow->same, flow->over));
	}
}

/* By group: elements and those of them that are redundant. */
struct moved {
	uint64_t elements, redundant;
};

static struct moved *count_moved(const struct ct_values_figures *figures)
{
	struct moved *moved = calloc(figures->groups + 1, sizeof(*moved));

	for (size_t i = 0; i < figures->rows && moved; i++) {
		const struct ct_values_row *row = &figures->row[i];

		moved[row->group].elements += row->counts.elements;
		moved[row->group].redundant += ct_values_redundant(&row->counts, row->class);
	}
	return moved;
}

static const char *patterns_text(const struct ct_values_lifetime *life, char text[256])
{
	int used = 0;

	text[0] = 0;
	for (unsigned p = 0; p < CT_LIFE_PATTERNS && used < 256; p++)
		if (life->patterns >> p & 1)
			used += snprintf(text + used, 256 - (size_t)used, "%s%s", used ? ", " : "",
					 ct_values_life_text((enum ct_values_life_id)p));
	return text[0] ? text : NULL;
}

static void show_life(struct ct_sections *sections, const struct ct_values_figures *figures,
		      const struct ct_values_lifetime *life, const struct moved *moved)
{
	const struct ct_event_alloc *event = life->object->event;
	const struct ct_values_usage *usage = &life->usage;
	bool is_used = life->first != CT_NONE;
	char text[256];

	ct_sections_text(sections, ct_values_group_text(figures, life->group));
	ct_sections_number(sections, (double)event->bytes);
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)event->address);
	ct_sections_text(sections, text);
	ct_sections_number(sections, life->born);
	ct_sections_number(sections, is_used ? (double)life->first : NAN);
	ct_sections_number(sections, is_used ? (double)life->last : NAN);
	ct_sections_number(sections, life->died);
	ct_sections_number(sections,
			   figures->has_values ? percent(usage->used, event->bytes) : NAN);
	ct_sections_number(sections, percent(moved->redundant, moved->elements));
	ct_sections_number(sections, percent(usage->dead, usage->written));
	ct_sections_text(sections, patterns_text(life, text));
	ct_sections_number(sections, life->object->part);
}

/* The largest first. */
static int compare_bytes(const void *a, const void *b)
{
	const struct ct_values_lifetime *x = *(const struct ct_values_lifetime *const *)a;
	const struct ct_values_lifetime *y = *(const struct ct_values_lifetime *const *)b;
	uint64_t p = x->object->event->bytes, q = y->object->event->bytes;

	return p != q ? (p > q ? -1 : 1) : x < y ? -1 : x > y;
}

void ct_values_show_lives(struct ct_sections *sections, const struct ct_values_figures *figures)
{
	static const struct ct_section like = {
	    .analysis = "values",
	    .name = "value-memory",
	    .title = "Memory over time",
	    .about = "When objects are allocated, first and last used, and freed, and what is made "
		     "of their memory (docs/values.md).",
	    .column = life_columns,
	    .columns = sizeof(life_columns) / sizeof(*life_columns),
	    .order = LIFE_BYTES,
	};
	const struct ct_values_lifetime **list = calloc(figures->lives + 1, sizeof(*list));
	struct moved *moved = count_moved(figures);

	ct_sections_add(sections, &like);
	for (size_t i = 0; i < figures->lives && list; i++)
		list[i] = &figures->life[i];
	if (list && figures->lives)
		qsort(list, figures->lives, sizeof(*list), compare_bytes);
	for (size_t i = 0; i < figures->lives && list && moved; i++)
		if (list[i]->object->event->kind != CT_OBJECT_HOST)
			show_life(sections, figures, list[i], &moved[list[i]->group]);
	free(list);
	free(moved);
}
