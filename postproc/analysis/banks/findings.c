/* SPDX-License-Identifier: Apache-2.0 */
/* The lines whose lanes meet in banks of shared memory, and what to do there. */
#include "base/quantity.h"
#include "postproc/analysis/banks/analysis.h"
#include "postproc/analysis/banks/lines.h"
#include "postproc/analysis/banks/tables.h"
#include "postproc/analysis/finder.h"
#include "postproc/facts/folded_name.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/worthwhile.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 5u
#define EXCESS_MIN 0.1 /* of a line's wavefronts */

/* The engine knows the first member alone. */
struct finder_job {
	struct ct_banks_job banks;
	struct ct_banks_lines lines; /* after find */
};

static const char *fix_of(const struct ct_banks_line *line)
{
	switch (ct_banks_line_stride(line)) {
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

/* Loads and stores of a line have one cause: the index. */
struct reported {
	const struct ct_banks_line *most;
	uint64_t requests, wavefronts, excess, least_ways, most_ways;
	bool are_mixed; /* loads and stores */
};

static bool are_of_one_line(const struct ct_banks_line *a, const struct ct_banks_line *b)
{
	return a->place.line == b->place.line && !strcmp(a->place.file, b->place.file) &&
	       !strcmp(ct_banks_line_function(a), ct_banks_line_function(b));
}

/* false: one before it stands for it. */
static bool join(struct reported *reported, const struct ct_banks_lines *lines, size_t number)
{
	const struct ct_banks_line *line = &lines->list[number];

	*reported = (struct reported){.most = line,
				      .least_ways = line->figures.least_ways,
				      .most_ways = line->figures.most_ways};
	for (size_t i = 0; i < lines->count; i++) {
		const struct ct_banks_line *other = &lines->list[i];

		if (!are_of_one_line(line, other) || !ct_banks_line_excess(other))
			continue;
		if (i < number)
			return false;
		reported->requests += other->figures.requests;
		reported->wavefronts += other->figures.wavefronts;
		reported->excess += ct_banks_line_excess(other);
		reported->are_mixed |= other->operation != line->operation;
	}
	return true;
}

/* Returns the wavefronts of its function, which may be of several kernels. */
static uint64_t wavefronts_of_function(const struct reported *reported,
				       const struct ct_banks_lines *lines)
{
	uint64_t wavefronts = 0;

	for (size_t i = 0; i < lines->count; i++)
		if (!strcmp(ct_banks_line_function(&lines->list[i]),
			    ct_banks_line_function(reported->most)))
			wavefronts += lines->list[i].figures.wavefronts;
	return wavefronts;
}

static bool is_reported(const struct reported *reported, uint64_t wavefronts, double all)
{
	return (double)reported->excess >= EXCESS_MIN * (double)reported->wavefronts &&
	       ct_is_worthwhile((double)reported->excess, (double)wavefronts, all);
}

/* wavefronts: of its function */
static void add_line(struct ct_findings *findings, const struct reported *reported,
		     uint64_t wavefronts)
{
	const struct ct_banks_line *line = reported->most;
	const struct ct_finding like = {
	    .analysis = "banks",
	    .id = CT_ID_BANK_CONFLICTS,
	    .kind = CT_FINDING_RESULT,
	    .section = CT_BANKS_SECTION,
	    .figure = {(double)reported->excess, "wavefronts"},
	    .worth = {(double)reported->excess, "wavefronts"},
	    .kernel_share = (double)reported->excess / (double)wavefronts,
	    .change = CT_CHANGE_BANKS,
	};
	char number[3][CT_NUMBER_BYTES], least[32] = "", path[1024], brief[CT_BRIEF_NAME_BYTES];
	const char *file = ct_place_path(line->place.file, path, sizeof(path));
	const char *last = strrchr(file, '/');

	if (reported->least_ways < reported->most_ways)
		snprintf(least, sizeof(least), "%llu- to ",
			 (unsigned long long)reported->least_ways);
	ct_findings_add(
	    findings, &like, "%s%llu-way bank conflicts at %s:%u: %s of %s wavefronts are excess.",
	    least, (unsigned long long)reported->most_ways,
	    *file ? (last ? last + 1 : file) : "an unknown line", line->place.line,
	    ct_number(reported->excess, number[0]), ct_number(reported->wavefronts, number[1]));
	ct_findings_because(findings, "%s warp-wide %ss of shared memory in %s",
			    ct_number(reported->requests, number[2]),
			    reported->are_mixed ? "accesse" : ct_operation_text(line->operation),
			    ct_shown_name(ct_banks_line_function(line), brief));
	ct_findings_fix(findings, "%s", fix_of(line));
	ct_findings_at_site(findings, line->unit, line->site);
	ct_findings_at_kernel(findings, ct_banks_line_function(line));
}

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	struct finder_job *own = calloc(1, sizeof(*own));

	*job = own;
	if (!own)
		return -ENOMEM;
	own->banks.trace = inquiry->trace;
	own->banks.filter = inquiry->filter;
	return 0;
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	struct finder_job *own = job;
	const struct ct_banks_lines *lines = &own->lines;
	int err = ct_banks_lines_init(&own->lines, &own->banks);

	(void)inquiry;
	for (size_t i = 0, count = 0; i < lines->count && count < LINES_MAX && err == 0; i++) {
		struct reported reported;
		uint64_t wavefronts;

		if (!join(&reported, lines, i))
			continue;
		wavefronts = wavefronts_of_function(&reported, lines);
		if (!is_reported(&reported, wavefronts, (double)lines->wavefronts))
			continue;
		add_line(findings, &reported, wavefronts);
		count++;
	}
	return err;
}

static const void *lines_of(const void *job, const struct ct_inquiry *inquiry)
{
	(void)inquiry;
	return &((const struct finder_job *)job)->lines;
}

static const struct ct_finder_table tables[] = {
    {&ct_bank_conflicts_table, lines_of, true},
    {NULL, NULL, false},
};

static void close_job(void *job)
{
	struct finder_job *own = job;

	if (!own)
		return;
	ct_banks_job_fini(&own->banks);
	ct_banks_lines_fini(&own->lines);
	free(own);
}

const struct ct_finder ct_banks_finder = {
    .analysis = &ct_banks_analysis,
    .open = open_job,
    .find = find,
    .tables = tables,
    .close = close_job,
};
