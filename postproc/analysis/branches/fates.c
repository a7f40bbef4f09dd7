/* SPDX-License-Identifier: Apache-2.0 */
/* Lines with branches in the blocks beside lines with branches in the machine code. */
#include "postproc/analysis/branches/fates.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE CT_LOOPS_NONE

/* The branches of a line: [first, end) of own, and what the machine has there. */
struct line {
	struct ct_branches_own *first, *end;
	uint32_t machines, back; /* those with a condition; of these, those that lead back */
};

struct ct_branches_site *ct_branches_find_site(const struct ct_branches_kernel_sites *sites,
					       uint32_t site)
{
	size_t low = 0, high = sites->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sites->site[middle].site < site)
			low = middle + 1;
		else
			high = middle;
	}
	return low < sites->count && sites->site[low].site == site ? &sites->site[low] : NULL;
}

static struct ct_branches_site *site_of_block(const struct ct_branches_kernel_sites *sites,
					      const struct ct_loop_pairs *pairs, uint32_t block)
{
	uint32_t site = pairs->unit->blocks[pairs->first_of_unit + block].site;

	return site == CT_NONE ? NULL
			       : ct_branches_find_site(
				     sites, sites->first_site[pairs->unit - sites->units] + site);
}

static bool is_in(const struct ct_loop_pairs *pairs, uint32_t block, uint32_t loop)
{
	const struct ct_loops *loops = &pairs->ours.loops;
	uint32_t at = loops->of[block];

	while (at != NONE && at != loop && at != 0)
		at = loops->loop[at].parent;
	return at == loop;
}

/* The loop whose turns a block may end, of ours; NONE: none's. */
static uint32_t loop_ended(const struct ct_loop_pairs *pairs, uint32_t block)
{
	const struct ct_loop_side *side = &pairs->ours;

	for (uint32_t e = side->first[block]; e < side->first[block + 1]; e++)
		for (uint32_t l = 1; l < side->loops.loops; l++)
			if (side->next[e] == side->loops.loop[l].header && is_in(pairs, block, l))
				return l;
	return NONE;
}

/* Counts for a block that ends turns how often warps went back from it. Where one of two ways
 * leads back, that is known of its branch. */
static bool went_back(const struct ct_branches_kernel_sites *sites,
		      const struct ct_loop_pairs *pairs, uint32_t block, uint64_t *ways)
{
	const struct ct_loop_side *side = &pairs->ours;
	const struct ct_branches_site *site = site_of_block(sites, pairs, block);
	uint32_t edges = side->first[block + 1] - side->first[block], back = 0;

	for (uint32_t e = side->first[block]; e < side->first[block + 1]; e++)
		back += side->next[e] <= block;
	if (!site)
		return pairs->executed[block] == 0;
	*ways += edges == 1 ? site->executed : site->back;
	return back == 1;
}

bool ct_branches_ways_back(const struct ct_branches_kernel_sites *sites,
			   const struct ct_loop_pairs *pairs, uint32_t loop, uint64_t *ways)
{
	bool is_known = true;

	*ways = 0;
	for (uint32_t b = 0; b < pairs->ours.blocks; b++)
		if (pairs->ours.loops.of[b] != NONE && loop_ended(pairs, b) == loop)
			is_known &= went_back(sites, pairs, b, ways);
	return is_known;
}

static bool is_found(const struct ct_loop_pairs *pairs, uint32_t machines)
{
	for (uint32_t i = 1; i < pairs->ours.loops.loops; i++)
		if (pairs->found[i] == machines)
			return true;
	return false;
}

bool ct_branches_is_same_loop(const struct ct_loop_pairs *pairs, uint32_t loop)
{
	const struct ct_loops *machines = &pairs->machines.loops;
	uint32_t found = pairs->found[loop];

	if (found == NONE || found == 0 || pairs->turns[loop] > 1)
		return false;
	for (uint32_t m = 1; m < machines->loops; m++)
		if (machines->loop[m].parent == machines->loop[found].parent && !is_found(pairs, m))
			return false;
	return true;
}

/* How many copies of a block unrolling makes; 0: not known. */
static double copies_of(const struct ct_branches_kernel_sites *sites,
			const struct ct_loop_pairs *pairs, uint32_t block)
{
	const struct ct_loops *loops = &pairs->ours.loops;
	double copies = 1;

	if (loops->of[block] == NONE)
		return 0;
	for (uint32_t l = loops->of[block]; l != 0; l = loops->loop[l].parent) {
		double turns = ct_loop_pairs_executed(pairs, l);
		uint64_t ways;

		if (pairs->found[l] != NONE) {
			copies *= pairs->turns[l];
			continue;
		}
		if (!pairs->inside[l] || !ct_branches_ways_back(sites, pairs, l, &ways) ||
		    turns <= (double)ways)
			return 0;
		turns /= turns - (double)ways;
		if (turns != floor(turns))
			return 0;
		copies *= turns;
	}
	return copies;
}

static int compare_own(const void *left, const void *right)
{
	const struct ct_branches_own *a = left, *b = right;
	int order = strcmp(a->file, b->file);

	if (order)
		return order;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->unit_site < b->unit_site ? -1 : a->unit_site > b->unit_site;
}

static void add_own(struct ct_branches_fates *fates, const struct ct_unit *unit, uint32_t at,
		    struct ct_branches_site *site, uint32_t block)
{
	const struct ct_unit_site *of = &unit->sites[at];

	fates->own[fates->count++] = (struct ct_branches_own){
	    .site = site,
	    .unit = unit,
	    .unit_site = at,
	    .block = block,
	    .loop = NONE,
	    .file = of->branch_line ? ct_branches_file(ct_unit_string(unit, of->file)) : "",
	    .line = of->branch_line,
	};
}

static int list_own(struct ct_branches_fates *fates, const struct ct_branches_kernel_sites *sites,
		    const struct ct_loop_pairs *pairs)
{
	const struct ct_unit_block *block = &pairs->unit->blocks[pairs->first_of_unit];

	fates->own = calloc(pairs->ours.blocks + sites->count + 1, sizeof(*fates->own));
	if (!fates->own)
		return -ENOMEM;
	for (uint32_t b = 0; b < pairs->ours.blocks; b++) {
		struct ct_branches_own *own = &fates->own[fates->count];

		if (block[b].site == CT_NONE ||
		    !(pairs->unit->sites[block[b].site].flags & CT_SITE_BRANCH))
			continue;
		add_own(fates, pairs->unit, block[b].site, site_of_block(sites, pairs, b), b);
		if (pairs->ours.loops.of[b] != NONE)
			own->loop = loop_ended(pairs, b);
		own->copies = copies_of(sites, pairs, b);
	}
	for (size_t i = 0, u = 0; i < sites->count; i++) {
		struct ct_branches_site *site = &sites->site[i];
		uint32_t at;

		while (site->site >= sites->first_site[u + 1])
			u++;
		at = site->site - sites->first_site[u];
		if (site->figures.branches && sites->units[u].sites[at].kernel == CT_NONE)
			add_own(fates, &sites->units[u], at, site, NONE);
	}
	qsort(fates->own, fates->count, sizeof(*fates->own), compare_own);
	return 0;
}

static uint32_t ends_of(const struct ct_branches_fates *fates, uint32_t loop)
{
	uint32_t count = 0;

	for (size_t i = 0; i < fates->count; i++)
		count += fates->own[i].loop == loop;
	return count;
}

/* A loop that has one end with a condition on either side, whatever its lines. */
static void pair_ends(struct ct_branches_fates *fates, const struct ct_loop_pairs *pairs,
		      const struct ct_branches_code *code)
{
	for (size_t i = 0; i < fates->count; i++) {
		struct ct_branches_own *own = &fates->own[i];
		struct ct_branches_instruction *end;

		if (own->loop == NONE || !ct_branches_is_same_loop(pairs, own->loop) ||
		    ends_of(fates, own->loop) > 1)
			continue;
		end = ct_branches_only_back(
		    code, pairs->machines.loops.loop[pairs->found[own->loop]].header);
		if (!end || end->kind != CT_BRANCHES_GUARDED)
			continue;
		own->is_paired = end->is_paired = true;
		own->fate = CT_BRANCHES_KEPT;
	}
}

static uint32_t ways_of(const struct ct_loop_pairs *pairs, const struct ct_branches_own *own)
{
	return own->block == NONE
		   ? 2
		   : pairs->ours.first[own->block + 1] - pairs->ours.first[own->block];
}

/* Ends of turns of loops that were unrolled completely, if nothing leads back. */
static uint32_t drop_unrolled(const struct line *line, const struct ct_loop_pairs *pairs)
{
	uint32_t left = 0;

	for (struct ct_branches_own *own = line->first; own < line->end; own++) {
		if (own->loop != NONE && pairs->inside[own->loop] && !line->back)
			own->fate = CT_BRANCHES_GONE;
		left += own->fate == CT_BRANCHES_UNKNOWN;
	}
	return left;
}

/* A test that was in the middle of a loop, and now is before it and at its end: of each of those
 * that are left. */
static bool is_turned(const struct line *line, uint32_t left)
{
	return line->back == left && line->machines == 2 * left;
}

/* Whether what is left of a line are those of the machine: left of the blocks'. */
static bool fits(const struct line *line, const struct ct_loop_pairs *pairs, uint32_t left)
{
	uint32_t ends = 0;

	if (!left || line->machines % left)
		return false;
	for (const struct ct_branches_own *own = line->first; own < line->end; own++) {
		uint32_t inside;

		if (own->fate != CT_BRANCHES_UNKNOWN)
			continue;
		if (own->block == NONE || ways_of(pairs, own) > 2)
			return false;
		inside = pairs->ours.loops.of[own->block];
		if (own->loop != NONE) {
			ends++;
			if (line->machines != left || !ct_branches_is_same_loop(pairs, own->loop))
				return false;
		} else if (own->copies < 1 || line->machines / left < own->copies ||
			   (line->back && !ct_branches_is_same_loop(pairs, inside))) {
			return false;
		}
	}
	return line->back <= ends || (!ends && is_turned(line, left));
}

static void decide(const struct line *line, const struct ct_loop_pairs *pairs)
{
	enum ct_branches_fate fate;
	uint32_t left;

	for (struct ct_branches_own *own = line->first; own < line->end; own++)
		own->fate = own->is_paired ? CT_BRANCHES_KEPT : CT_BRANCHES_UNKNOWN;
	left = drop_unrolled(line, pairs);
	fate = !line->machines           ? CT_BRANCHES_GONE
	       : fits(line, pairs, left) ? CT_BRANCHES_KEPT
					 : CT_BRANCHES_UNKNOWN;
	for (struct ct_branches_own *own = line->first; own < line->end; own++)
		if (own->fate == CT_BRANCHES_UNKNOWN)
			own->fate = fate;
}

static bool is_at(const struct ct_branches_instruction *in, const struct ct_branches_own *own)
{
	return in->line == own->line && !strcmp(in->file, own->file);
}

/* A branch of the machine where the blocks have none, or one whose line is not known. */
static void find_stray(struct ct_branches_fates *fates, const struct ct_branches_code *code)
{
	for (size_t i = 0; i < code->count && !fates->stray; i++) {
		bool is_known = code->of[i].kind != CT_BRANCHES_GUARDED || code->of[i].is_paired;

		for (size_t j = 0; j < fates->count && !is_known; j++)
			is_known = fates->own[j].line && is_at(&code->of[i], &fates->own[j]);
		if (!is_known)
			fates->stray = &code->of[i];
	}
}

int ct_branches_fates_find(struct ct_branches_fates *fates,
			   const struct ct_branches_kernel_sites *sites,
			   const struct ct_loop_pairs *pairs, struct ct_branches_code *code)
{
	*fates = (struct ct_branches_fates){.own = NULL};
	if (list_own(fates, sites, pairs) < 0)
		return -ENOMEM;
	pair_ends(fates, pairs, code);
	find_stray(fates, code);
	for (size_t i = 0, end; i < fates->count; i = end) {
		struct line line = {.first = &fates->own[i]};

		for (end = i; end < fates->count && fates->own[end].line == fates->own[i].line &&
			      !strcmp(fates->own[end].file, fates->own[i].file);)
			end++;
		line.end = &fates->own[end];
		for (size_t m = 0; m < code->count; m++) {
			if (code->of[m].kind != CT_BRANCHES_GUARDED || code->of[m].is_paired ||
			    !is_at(&code->of[m], &fates->own[i]))
				continue;
			line.machines++;
			line.back += code->of[m].goes_back;
		}
		decide(&line, pairs);
		/* Where it stands is not known, so a stray one is what it became, or none is. */
		for (size_t j = i; j < end && !fates->own[i].line && fates->stray; j++)
			fates->own[j].fate = CT_BRANCHES_UNKNOWN;
	}
	return 0;
}

void ct_branches_fates_fini(struct ct_branches_fates *fates)
{
	free(fates->own);
	*fates = (struct ct_branches_fates){.own = NULL};
}
