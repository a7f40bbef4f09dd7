/* SPDX-License-Identifier: Apache-2.0 */
/* The part of ctpost info about what is recorded and what is not. */
#include "info.h"
#include "words.h"
#include <string.h>

#define LOCATION_BYTES 1024

/* " before a, b" for the bits of mask. */
static void write_list(FILE *out, const char *before, uint32_t mask,
		       const char *(*text)(uint32_t bit))
{
	for (uint32_t bit = 0; bit < 32; bit++) {
		if (!(mask >> bit & 1))
			continue;
		fprintf(out, "%s%s", before, text(bit));
		before = ", ";
	}
}

static int is_default(const struct ct_unit_header *header)
{
	return header->spaces == 1u << CT_SPACE_GLOBAL &&
	       header->kinds == (CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC) &&
	       !header->events && !header->values;
}

static int is_same(const struct ct_unit_header *a, const struct ct_unit_header *b)
{
	return a->spaces == b->spaces && a->kinds == b->kinds && a->events == b->events &&
	       a->values == b->values;
}

static void write_unit_options(FILE *out, const struct ct_unit *unit, int with_source)
{
	const struct ct_unit_header *header = unit->header;

	fprintf(out, "recorded");
	if (with_source)
		fprintf(out, " of %s", ct_unit_string(unit, header->source));
	write_list(out, ": ", header->kinds, ct_words_kind);
	write_list(out, " in ", header->spaces, ct_words_space);
	write_list(out, "; ", header->events, ct_words_event);
	fprintf(out, "%s\n", header->values ? "; values" : "");
}

void ct_info_write_options(FILE *out, const struct ct_info *info)
{
	const struct ct_unit *units, *first = NULL;
	size_t count = ct_trace_units(info->trace, &units);
	int differ = 0, is_any = 0;

	for (size_t u = 0; u < count; u++) {
		if (!ct_coverage_counts(info->trace, &units[u]))
			continue;
		first = first ? first : &units[u];
		differ |= !is_same(units[u].header, first->header);
		is_any |= !is_default(units[u].header);
	}
	for (size_t u = 0; is_any && u < count; u++)
		if (ct_coverage_counts(info->trace, &units[u]) && (differ || &units[u] == first))
			write_unit_options(out, &units[u], differ);
}

int ct_info_write_coverage(FILE *out, const struct ct_info *info, const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"kernel or function", 0, 12, 0},
	    {"class", 0, 0, 0},
	    {"space", 0, 0, 0},
	    {"definite", 1, 0, 0},
	    {"checked", 1, 0, 0},
	    {"elsewhere", 1, 0, 0},
	    {"filtered", 1, 0, 0},
	    {"skipped", 1, 0, 0},
	};
	const struct ct_coverage *coverage = info->coverage;
	struct ct_table *table;
	char name[LOCATION_BYTES];
	int err;

	if (!coverage->count)
		return 0;
	err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));
	if (err < 0)
		return err;
	for (size_t i = 0; i < coverage->count; i++) {
		const struct ct_cover_row *row = &coverage->row[i];

		snprintf(name, sizeof(name), "%s%s%s", row->in, *row->pattern ? "." : "",
			 row->pattern);
		ct_table_text(table, name);
		ct_table_text(table, ct_cover_class(row));
		ct_table_text(table, ct_words_space(row->space));
		for (int cover = 0; cover < CT_COVERS; cover++)
			ct_table_number(table, row->sites[cover]);
	}
	fputc('\n', out);
	err = ct_table_write(table, out, style);
	ct_table_close(table);
	return err;
}

static void write_sites(FILE *out, const char *what, const struct ct_reasons *reasons)
{
	char location[LOCATION_BYTES], number[CT_NUMBER_BYTES];

	for (size_t i = 0; i < reasons->count; i++) {
		const struct ct_reason *reason = &reasons->list[i];

		ct_words_location(reason->unit, &reason->unit->sites[reason->site], location,
				  sizeof(location));
		fprintf(out, "%s: %s %s: %s (%s%s)\n", what, ct_number(reason->count, number),
			reason->count == 1 ? "site" : "sites",
			*reason->text ? reason->text : "unknown reason", location,
			reason->count > 1 ? ", …" : "");
	}
}

void ct_info_write_not_recorded(FILE *out, const struct ct_info *info)
{
	const struct ct_summary *s = info->summary;
	const struct ct_unit *units;
	size_t count = ct_trace_units(info->trace, &units);
	char number[CT_NUMBER_BYTES];

	for (size_t i = 0; i < s->launches.count; i++)
		fprintf(out, "not traced: %s %s: %s\n",
			ct_number(s->launches.list[i].count, number),
			s->launches.list[i].count == 1 ? "launch" : "launches",
			*s->launches.list[i].text ? s->launches.list[i].text : "unknown reason");
	for (size_t u = 0; u < count; u++)
		for (uint32_t k = 0; ct_coverage_counts(info->trace, &units[u]) &&
				     k < units[u].header->kernel_count;
		     k++)
			if (units[u].kernels[k].reason)
				fprintf(out, "not instrumented: kernel %s: %s\n",
					ct_unit_string(&units[u], units[u].kernels[k].display),
					ct_unit_string(&units[u], units[u].kernels[k].reason));
	write_sites(out, "not instrumented", &s->sites);
	write_sites(out, "left out", &s->filtered);
}
