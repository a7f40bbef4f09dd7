/* SPDX-License-Identifier: Apache-2.0 */
/* The part of ctpost info about what is recorded and what is not. */
#include "postproc/facts/folded_name.h"
#include "postproc/facts/source_name.h"
#include "postproc/facts/words.h"
#include "postproc/render/info/info.h"
#include <errno.h>
#include <stdlib.h>
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

#define SPACE_WIDTH 8

/* The table of a kernel: its body, and the device functions that it reaches. */
struct cover_table {
	FILE *out;
	int width; /* of the longest operation's name */
	uint64_t total[CT_COVERS];
	int is_begun;
};

static void write_counts(FILE *out, const uint64_t sites[CT_COVERS])
{
	for (int cover = 0; cover < CT_COVERS; cover++)
		fprintf(out, "  %*llu", (int)strlen(ct_cover_text((enum ct_cover)cover)),
			(unsigned long long)sites[cover]);
	fputc('\n', out);
}

static void widen(struct cover_table *table, const char *text)
{
	if ((int)strlen(text) > table->width)
		table->width = (int)strlen(text);
}

static void begin_table(struct cover_table *table)
{
	if (table->is_begun)
		return;
	table->is_begun = 1;
	fprintf(table->out, "  %-*s  %-*s", table->width, "operation", SPACE_WIDTH, "space");
	for (int cover = 0; cover < CT_COVERS; cover++)
		fprintf(table->out, "  %s", ct_cover_text((enum ct_cover)cover));
	fputc('\n', table->out);
}

static void write_part(struct cover_table *table, const struct ct_cover_part *part)
{
	char name[CT_BRIEF_NAME_BYTES];

	begin_table(table);
	/* Parameters distinguish overloads, and the compiler's report has them. */
	if (part->kernel == CT_NONE)
		fprintf(table->out, "  + device function %s%s%s%s\n",
			ct_source_name_brief(part->name, name), *part->pattern ? " [" : "",
			part->pattern, *part->pattern ? "]" : "");
	for (size_t i = 0; i < part->count; i++) {
		const struct ct_cover_row *row = &part->row[i];

		fprintf(table->out, "  %-*s  %-*s", table->width, ct_operation_text(row->operation),
			SPACE_WIDTH,
			row->space == CT_SPACE_GENERIC ? "-" : ct_words_space(row->space));
		write_counts(table->out, row->sites);
		for (int cover = 0; cover < CT_COVERS; cover++)
			table->total[cover] += row->sites[cover];
	}
}

static void write_place(FILE *out, const struct ct_unit *unit, uint32_t file, uint32_t line)
{
	char path[LOCATION_BYTES];

	fprintf(out, " at %s:%u", ct_place_path(ct_unit_string(unit, file), path, sizeof(path)),
		line);
}

static void write_skipped(FILE *out, const struct ct_cover_part *part)
{
	for (uint32_t s = 0; s < part->unit->header->site_count; s++) {
		const struct ct_unit_site *site = &part->unit->sites[s];

		if (site->verdict != CT_VERDICT_SKIPPED || !ct_cover_holds(part, site))
			continue;
		fprintf(out, "  not instrumented: %s", ct_operation_text(site->operation));
		if (site->line)
			write_place(out, part->unit, site->file, site->line);
		fprintf(out, ": %s\n", ct_unit_string(part->unit, site->reason));
	}
}

/* One table of the parts that are chosen. */
static void write_table(FILE *out, const struct ct_coverage *coverage, const unsigned char *chosen)
{
	struct cover_table table = {.out = out, .width = (int)strlen("operation")};

	for (size_t i = 0; i < coverage->count; i++)
		for (size_t r = 0; chosen[i] && r < coverage->part[i].count; r++)
			widen(&table, ct_operation_text(coverage->part[i].row[r].operation));
	for (size_t i = 0; i < coverage->count; i++)
		if (chosen[i])
			write_part(&table, &coverage->part[i]);
	if (!table.is_begun)
		return;
	fprintf(out, "  %-*s  %-*s", table.width, "total", SPACE_WIDTH, "");
	write_counts(out, table.total);
	for (size_t i = 0; i < coverage->count; i++)
		if (chosen[i])
			write_skipped(out, &coverage->part[i]);
}

static void write_kernel(FILE *out, const struct ct_coverage *coverage, size_t index,
			 unsigned char *chosen)
{
	const struct ct_cover_part *part = &coverage->part[index];
	const struct ct_unit_kernel *kernel = &part->unit->kernels[part->kernel];
	char name[CT_BRIEF_NAME_BYTES];

	fprintf(out, "kernel %s", ct_shown_name(part->name, name));
	if (kernel->file && kernel->line)
		write_place(out, part->unit, kernel->file, kernel->line);
	fputc('\n', out);
	if (kernel->reason) {
		fprintf(out, "  no clone: %s\n", ct_unit_string(part->unit, kernel->reason));
		return;
	}
	memset(chosen, 0, coverage->count);
	ct_coverage_reach(coverage, index, chosen);
	chosen[index] = part->count != 0;
	write_table(out, coverage, chosen);
}

/* Functions that no call by name leads to: they are reached through pointers, if at all. */
static int choose_rest(const struct ct_coverage *coverage, unsigned char *chosen)
{
	int is_any = 0;

	memset(chosen, 0, coverage->count);
	for (size_t i = 0; i < coverage->count; i++)
		if (coverage->part[i].kernel != CT_NONE)
			ct_coverage_reach(coverage, i, chosen);
	for (size_t i = 0; i < coverage->count; i++) {
		chosen[i] = coverage->part[i].kernel == CT_NONE && !chosen[i];
		is_any |= chosen[i];
	}
	return is_any;
}

int ct_info_write_coverage(FILE *out, const struct ct_info *info)
{
	const struct ct_coverage *coverage = info->coverage;
	unsigned char *chosen = calloc(coverage->count + 1, 1);
	int is_first = 1;

	if (!chosen)
		return -ENOMEM;
	for (size_t i = 0; i < coverage->count; i++) {
		const struct ct_cover_part *part = &coverage->part[i];

		if (part->kernel == CT_NONE || !(part->is_launched || info->with_sites))
			continue;
		if (is_first)
			fputc('\n', out);
		is_first = 0;
		write_kernel(out, coverage, i, chosen);
	}
	if (choose_rest(coverage, chosen)) {
		fprintf(out, "device functions that no call by name leads to\n");
		write_table(out, coverage, chosen);
	}
	free(chosen);
	return 0;
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
	char number[CT_NUMBER_BYTES], name[CT_BRIEF_NAME_BYTES];

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
					ct_shown_name(
					    ct_unit_string(&units[u], units[u].kernels[k].display),
					    name),
					ct_unit_string(&units[u], units[u].kernels[k].reason));
	write_sites(out, "not instrumented", &s->sites);
	write_sites(out, "left out", &s->filtered);
}
