/* SPDX-License-Identifier: Apache-2.0 */
/* Which branches are worth a word. */
#include "postproc/analysis/branches/advice.h"
#include "base/quantity.h"
#include "postproc/facts/folded_name.h"
#include "postproc/facts/worthwhile.h"

#include <cudatrace/record.h>
#include <stdio.h>
#include <string.h>

#define ONE_LANE 0.9 /* of the idle lanes' instructions */

static double slots_of(const struct ct_branches_line *line)
{
	return (double)line->figures.idle / CT_WARP_LANES;
}

static double share_of(const struct ct_branches_results *results,
		       const struct ct_branches_line *line)
{
	uint64_t all = results->kernel[line->kernel].instructions;

	return all ? slots_of(line) / (double)all : 0;
}

static bool is_one_lane(const struct ct_branches_line *line)
{
	return (double)line->figures.idle_beside_one >= ONE_LANE * (double)line->figures.idle;
}

/* No more than one warp of each launch parts: that with the last elements, or the only one, whose
 * issue slots nothing waits for. */
static bool is_boundary(const struct ct_branches_results *results,
			const struct ct_branches_line *line)
{
	uint64_t launches = results->kernels.list[line->kernel].launches;

	return line->figures.parted_warps <= launches ||
	       results->kernel[line->kernel].warps <= launches;
}

static bool is_reported(const struct ct_branches_results *results,
			const struct ct_branches_line *line, double run)
{
	double slots = slots_of(line);

	return slots >= CT_WORTHWHILE_EVENTS && slots >= CT_WORTHWHILE_RUN * run &&
	       share_of(results, line) >=
		   (is_one_lane(line) ? CT_WORTHWHILE_ONE_LANE : CT_WORTHWHILE_LANES) &&
	       !is_boundary(results, line);
}

static void write_place(char *text, size_t bytes, const struct ct_place *place)
{
	const char *slash = strrchr(place->file, '/');

	if (place->line)
		snprintf(text, bytes, "at %s:%u", slash ? slash + 1 : place->file, place->line);
	else
		snprintf(text, bytes, "of code without lines (compile with -g)");
}

static void make(struct ct_branches_advice *advice, const struct ct_branches_results *results,
		 const struct ct_branches_line *line)
{
	const struct ct_branches_figures *f = &line->figures;
	char number[2][CT_NUMBER_BYTES], place[256], brief[CT_BRIEF_NAME_BYTES];

	*advice = (struct ct_branches_advice){
	    .line = line, .share = share_of(results, line), .slots = slots_of(line)};
	write_place(place, sizeof(place), &line->place);
	snprintf(advice->text, sizeof(advice->text),
		 "Lanes part in %s of %s branches %s: idle lanes take %.1f %% of the issue slots "
		 "of %s.",
		 ct_number(f->divergent, number[0]), ct_number(f->branches, number[1]), place,
		 100 * advice->share,
		 ct_shown_name(results->kernels.list[line->kernel].name, brief));
	snprintf(advice->evidence, sizeof(advice->evidence),
		 "%.1f of 32 lanes execute what is behind it in the mean, until they meet the "
		 "others again",
		 f->behind ? (double)f->lanes_behind / (double)f->behind : 0);
	advice->fix = is_one_lane(line)
			  ? "Give all lanes a part of what one lane does there alone: the others "
			    "of its warp wait for it."
			  : "Let the threads of a warp go the same way: branch on what is the "
			    "same in 32 neighbouring threads, or sort or compact the work so "
			    "that it is.";
}

/* The one that costs most of those that cost less than `below`, or as much and come after it. */
static const struct ct_branches_line *next_of(const struct ct_branches_results *results,
					      const struct ct_branches_line *below, double run)
{
	const struct ct_branches_line *most = NULL;

	for (size_t i = 0; i < results->lines; i++) {
		const struct ct_branches_line *line = &results->line[i];

		if (below && (slots_of(line) > slots_of(below) ||
			      (slots_of(line) >= slots_of(below) && line <= below)))
			continue;
		if ((!most || slots_of(line) > slots_of(most)) && is_reported(results, line, run))
			most = line;
	}
	return most;
}

size_t ct_branches_advise(struct ct_branches_advice advice[CT_BRANCHES_ADVICES],
			  const struct ct_branches_results *results)
{
	const struct ct_branches_line *line = NULL;
	double run = 0;
	size_t count = 0;

	for (uint32_t k = 0; k < results->kernels.count; k++)
		run += (double)results->kernel[k].instructions;
	while (count < CT_BRANCHES_ADVICES && (line = next_of(results, line, run)))
		make(&advice[count++], results, line);
	return count;
}
