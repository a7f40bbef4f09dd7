/* SPDX-License-Identifier: Apache-2.0 */
/* Branches of the machine code, kernel by kernel. */
#include "postproc/analysis/branches/machine.h"
#include "postproc/analysis/branches/fates.h"
#include "postproc/analysis/model/kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct work {
	struct ct_branches_results *results;
	const struct ct_trace *trace;
	const struct ct_model_cubin *cubins;
	size_t cubin_count;
	struct ct_branches_kernel_sites sites; /* of the kernel at hand */
	uint32_t *first_site;
	size_t units;
	uint32_t blocks;
	uint64_t *executed;            /* by block of all units */
	struct ct_branches_left *left; /* by number of lines */
	/* The counters of the kernel at hand. */
	struct ct_branches_machine *to;
	struct ct_loop_pairs pairs;
	struct ct_branches_code code;
	struct ct_branches_fates fates;
};

static void say(struct ct_branches_machine *to, const char *why, const char *file, uint32_t line)
{
	if (to->why)
		return;
	to->why = why;
	snprintf(to->file, sizeof(to->file), "%s", file);
	to->line = line;
}

static void count_blocks(struct work *w)
{
	uint32_t at = 0;

	for (size_t u = 0; u < w->units; u++)
		for (uint32_t b = 0; b < w->sites.units[u].header->block_count; b++, at++) {
			uint32_t site = w->sites.units[u].blocks[b].site;
			const struct ct_branches_site *found =
			    site == CT_NONE
				? NULL
				: ct_branches_find_site(&w->sites, w->first_site[u] + site);

			w->executed[at] = found ? found->executed : 0;
		}
}

/* Adds what is left of the branches of the blocks. */
static void add_own(struct work *w)
{
	for (size_t i = 0; i < w->fates.count; i++) {
		const struct ct_branches_own *own = &w->fates.own[i];
		const struct ct_branches_figures *f;
		struct ct_branches_left *left;

		if (!own->site || !own->site->figures.branches)
			continue;
		f = &own->site->figures;
		left = &w->left[own->site->line];
		if (own->fate == CT_BRANCHES_UNKNOWN) {
			left->is_known = w->to->is_counted = false;
			if (f->divergent) {
				w->to->is_divergence_known = false;
				say(w->to, "which branches of a line are left", own->file,
				    own->line);
			}
			continue;
		}
		if (own->fate == CT_BRANCHES_GONE) {
			/* Unless the stray one is what it became. */
			left->is_known &= !w->fates.stray;
			continue;
		}
		left->branches += f->branches;
		left->divergent += f->divergent;
		w->to->branches += f->branches;
		w->to->divergent += f->divergent;
	}
}

/* The way back that an instruction is, of the loop of ours that has it. */
static bool way_back(const struct work *w, const struct ct_branches_instruction *in, uint64_t *ways)
{
	const struct ct_loops *machines = &w->pairs.machines.loops;

	if (ct_branches_only_back(&w->code, in->to) != in)
		return false;
	for (uint32_t l = 1; l < w->pairs.ours.loops.loops; l++)
		if (w->pairs.found[l] != CT_LOOPS_NONE &&
		    machines->loop[w->pairs.found[l]].header == in->to)
			return ct_branches_is_same_loop(&w->pairs, l) &&
			       ct_branches_ways_back(&w->sites, &w->pairs, l, ways);
	return false;
}

static void add_ways_back(struct work *w)
{
	for (size_t i = 0; i < w->code.count; i++) {
		uint64_t ways = 0;

		if (w->code.of[i].kind != CT_BRANCHES_WAY_BACK)
			continue;
		if (!way_back(w, &w->code.of[i], &ways))
			w->to->is_counted = false;
		w->to->ways_back += ways;
		w->to->branches += ways;
	}
}

/* As many tests as there are divisions, or copies of them: each execution of one is one. */
static void add_tests(struct work *w)
{
	const struct ct_unit *unit = w->pairs.unit;
	uint64_t divisions = 0, executed = 0, tests = 0;

	for (uint32_t b = 0; b < w->pairs.ours.blocks; b++) {
		const struct ct_unit_block *block = &unit->blocks[w->pairs.first_of_unit + b];

		for (uint32_t m = 0; m < block->mix_count; m++) {
			const struct ct_unit_mix *mix = &unit->mix[block->mix_first + m];

			if (mix->instruction != CT_IN_DIVIDE32 &&
			    mix->instruction != CT_IN_DIVIDE64)
				continue;
			divisions += mix->count;
			executed += mix->count * w->pairs.executed[b];
		}
	}
	for (size_t i = 0; i < w->code.count; i++)
		tests += w->code.of[i].kind == CT_BRANCHES_TEST;
	if (!tests)
		return;
	if (!divisions || tests % divisions) {
		w->to->has_tests = true;
		w->to->is_counted = false;
		return;
	}
	w->to->has_tests = executed > 0;
	w->to->tests = executed;
	w->to->branches += executed;
}

static void add_all(struct work *w)
{
	struct ct_branches_machine *to = w->to;

	to->is_counted = to->is_divergence_known = true;
	if (w->code.why)
		say(to, w->code.why, w->code.file, w->code.line);
	if (w->fates.stray)
		say(to,
		    w->fates.stray->line ? "what a branch of the machine code comes from"
					 : "lines of the machine code",
		    w->fates.stray->file, w->fates.stray->line);
	if (w->code.why || w->fates.stray)
		to->is_counted = to->is_divergence_known = false;
	add_own(w);
	add_ways_back(w);
	add_tests(w);
	if (to->has_tests)
		say(to, "how often divisions go their slow way", "", 0);
	if (!to->is_counted)
		say(to, "how often loops that were unrolled branch", "", 0);
}

static int read_kernel(struct work *w, const char *symbol, const struct ct_model_cubin *found)
{
	struct ct_cubin *cubin = NULL;
	struct ct_elf elf;
	int err = 1;

	if (ct_elf_view(&elf, found->bytes, found->size) == 0)
		err = ct_loop_pairs_find(&w->pairs, w->sites.units, w->units, w->executed, symbol,
					 &elf);
	if (err == 0)
		err = ct_cubin_open(&cubin, found->bytes, found->size);
	if (err == 0)
		err = ct_branches_code_read(&w->code, &w->pairs.code, cubin, symbol);
	if (err == 0)
		err = ct_branches_fates_find(&w->fates, &w->sites, &w->pairs, &w->code);
	if (err == 0)
		add_all(w);
	else
		say(w->to, "what its machine code is", "", 0);
	ct_branches_fates_fini(&w->fates);
	ct_branches_code_fini(&w->code);
	ct_loop_pairs_fini(&w->pairs);
	ct_cubin_close(cubin);
	return err;
}

static void forget_lines(struct work *w)
{
	for (size_t i = 0; i < w->sites.count; i++)
		if (w->sites.site[i].figures.branches)
			w->left[w->sites.site[i].line].is_known = false;
}

static int set_kernel(struct work *w, uint32_t kernel)
{
	const struct ct_kernel_entry *entry = &w->results->kernels.list[kernel];
	struct ct_model_cubin found;
	int err;

	w->to = &w->results->kernel[kernel].machine;
	*w->to = (struct ct_branches_machine){.why = NULL};
	if (!w->results->kernel[kernel].blocks ||
	    !ct_model_find_cubin(&found, NULL, w->trace, w->cubins, w->cubin_count,
				 entry->symbol)) {
		forget_lines(w);
		return 0;
	}
	w->results->has_code = w->to->has_code = true;
	count_blocks(w);
	err = read_kernel(w, entry->symbol, &found);
	if (err != 0)
		forget_lines(w);
	return err == -ENOMEM ? err : 0;
}

static int set_kernels(struct work *w)
{
	struct ct_branches_results *results = w->results;
	size_t first = 0, end;
	int err = 0;

	for (size_t i = 0; i < results->lines; i++)
		w->left[i].is_known = true;
	for (uint32_t k = 0; k < results->kernels.count && err == 0; k++, first = end) {
		for (end = first; end < results->sites && results->site[end].kernel == k;)
			end++;
		w->sites.site = &results->site[first];
		w->sites.count = end - first;
		err = set_kernel(w, k);
	}
	for (size_t i = 0; i < results->lines; i++)
		results->line[i].left = w->left[results->line[i].number];
	return err;
}

int ct_branches_set_code(struct ct_branches_results *results, const struct ct_trace *trace,
			 const struct ct_model_cubin *cubins, size_t count)
{
	struct work w = {
	    .results = results, .trace = trace, .cubins = cubins, .cubin_count = count};
	int err = -ENOMEM;

	if (!results->is_recorded || !results->sites)
		return 0;
	w.units = ct_trace_units(trace, &w.sites.units);
	w.first_site = calloc(w.units + 1, sizeof(*w.first_site));
	for (size_t u = 0; w.first_site && u < w.units; u++) {
		w.first_site[u + 1] = w.first_site[u] + w.sites.units[u].header->site_count;
		w.blocks += w.sites.units[u].header->block_count;
	}
	w.sites.first_site = w.first_site;
	w.executed = calloc(w.blocks + 1u, sizeof(*w.executed));
	w.left = calloc(results->lines + 1, sizeof(*w.left));
	if (w.first_site && w.executed && w.left)
		err = set_kernels(&w);
	free(w.first_site);
	free(w.executed);
	free(w.left);
	return err;
}
