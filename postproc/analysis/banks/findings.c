/* SPDX-License-Identifier: Apache-2.0 */
/* The lines whose lanes meet in banks of shared memory, and what to do there. */
#include "base/array.h"
#include "base/quantity.h"
#include "postproc/analysis/banks/analysis.h"
#include "postproc/analysis/finder.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/place.h"
#include "postproc/facts/source_name.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 5u
#define EXCESS_MIN 0.1 /* of a line's wavefronts */
#define SHARE_MIN 0.01 /* of those of all lines */

/* Loads or stores of a line in a function: copies of its code, as of an unrolled loop, are sites of
 * their own. */
struct line {
	const struct ct_unit *unit;
	uint32_t site; /* the first of them */
	struct ct_place place;
	uint32_t operation;
	struct ct_banks_figures figures;
};

struct lines {
	struct line *list;
	size_t count;
	uint64_t wavefronts;
};

static uint64_t excess_of(const struct line *line)
{
	return line->figures.wavefronts - line->figures.ideal;
}

static const char *function_of(const struct line *line)
{
	return ct_unit_string(line->unit, line->unit->sites[line->site].function);
}

/* What has no line is nobody's copy. */
static bool is_of(const struct line *line, const struct line *other)
{
	return line->place.line && line->place.line == other->place.line &&
	       line->operation == other->operation &&
	       !strcmp(line->place.file, other->place.file) &&
	       !strcmp(function_of(line), function_of(other));
}

/* As in the source where that is known. */
static const char *name_of(const struct line *line)
{
	uint32_t kernel = line->unit->sites[line->site].kernel;

	return kernel == CT_NONE ? function_of(line)
				 : ct_unit_string(line->unit, line->unit->kernels[kernel].display);
}

static int add_site(struct lines *lines, const struct ct_unit *unit, uint32_t site,
		    const struct ct_banks_figures *figures)
{
	struct line line = {
	    .unit = unit,
	    .site = site,
	    .place = ct_place_of(unit, &unit->sites[site]),
	    .operation = unit->sites[site].operation,
	    .figures = *figures,
	};
	size_t i = 0;
	int err;

	lines->wavefronts += figures->wavefronts;
	while (i < lines->count && !is_of(&lines->list[i], &line))
		i++;
	if (i < lines->count) {
		ct_banks_figures_add(&lines->list[i].figures, figures);
		return 0;
	}
	err = ct_array_grow(&lines->list, lines->count, sizeof(line));
	if (err == 0)
		lines->list[lines->count++] = line;
	return err;
}

static int add_sites(struct lines *lines, const struct ct_banks_job *job)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(job->trace, &units);
	int err = 0;

	for (size_t i = 0; i < count; i++)
		for (uint32_t s = 0; s < units[i].header->site_count && err == 0; s++)
			if (job->site[i][s].requests)
				err = add_site(lines, &units[i], s, &job->site[i][s]);
	return err;
}

static int compare(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if (excess_of(a) != excess_of(b))
		return excess_of(a) > excess_of(b) ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

/* What most of the excess comes from. */
static enum ct_banks_stride stride_of(const struct line *line)
{
	enum ct_banks_stride most = CT_BANKS_IRREGULAR;

	for (int i = 0; i < CT_BANKS_STRIDES; i++)
		if (line->figures.excess[i] > line->figures.excess[most])
			most = (enum ct_banks_stride)i;
	return most;
}

static const char *fix_of(const struct line *line)
{
	switch (stride_of(line)) {
	case CT_BANKS_COLUMN:
		return "Pad each row by one element, or swizzle the index: neighbouring lanes are "
		       "a multiple of 32 words apart, so all are in one bank.";
	case CT_BANKS_CONSTANT:
		return "Let neighbouring lanes access neighbouring elements, or pad the rows to an "
		       "odd number of them: their constant distance reaches some banks only.";
	default:
		return "Let the lanes of a warp access words of different banks, or the same word: "
		       "here no constant distance between lanes explains where they meet.";
	}
}

static void add_line(struct ct_findings *findings, const struct line *line)
{
	const struct ct_banks_figures *f = &line->figures;
	const struct ct_finding like = {
	    .analysis = "banks",
	    .name = "bank-conflicts",
	    .kind = CT_FINDING_RESULT,
	    .section = "sources",
	    .figure = {(double)excess_of(line), "wavefronts"},
	    .worth = {(double)excess_of(line), "wavefronts"},
	};
	char number[3][CT_NUMBER_BYTES], least[32] = "", path[1024], brief[CT_BRIEF_NAME_BYTES];
	const char *file = ct_place_path(line->place.file, path, sizeof(path));
	const char *last = strrchr(file, '/');

	if (f->least_ways < f->most_ways)
		snprintf(least, sizeof(least), "%llu- to ", (unsigned long long)f->least_ways);
	ct_findings_add(findings, &like,
			"%s%llu-way bank conflicts at %s:%u: %s of %s wavefronts are excess.",
			least, (unsigned long long)f->most_ways,
			*file ? (last ? last + 1 : file) : "an unknown line", line->place.line,
			ct_number(excess_of(line), number[0]), ct_number(f->wavefronts, number[1]));
	ct_findings_because(findings, "%s warp-wide %ss of shared memory in %s",
			    ct_number(f->requests, number[2]), ct_operation_text(line->operation),
			    ct_source_name_brief(name_of(line), brief));
	ct_findings_fix(findings, "%s", fix_of(line));
	ct_findings_at_site(findings, line->unit, line->site);
	ct_findings_at_kernel(findings, name_of(line));
}

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	struct ct_banks_job *own = calloc(1, sizeof(*own));

	*job = own;
	if (!own)
		return -ENOMEM;
	own->trace = inquiry->trace;
	own->filter = inquiry->filter;
	return 0;
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	struct lines lines = {.count = 0};
	int err = add_sites(&lines, job);

	(void)inquiry;
	if (lines.count)
		qsort(lines.list, lines.count, sizeof(*lines.list), compare);
	for (size_t i = 0; i < lines.count && i < LINES_MAX && err == 0; i++) {
		const struct line *line = &lines.list[i];
		double excess = (double)excess_of(line);

		if (excess > 0 && excess >= EXCESS_MIN * (double)line->figures.wavefronts &&
		    excess >= SHARE_MIN * (double)lines.wavefronts)
			add_line(findings, line);
	}
	free(lines.list);
	return err;
}

static void close_job(void *job)
{
	if (job)
		ct_banks_job_fini(job);
	free(job);
}

const struct ct_finder ct_banks_finder = {
    .analysis = &ct_banks_analysis,
    .open = open_job,
    .find = find,
    .close = close_job,
};
