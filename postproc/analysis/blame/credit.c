/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what an instruction is to blame on. */
#include "postproc/analysis/blame/credit.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A callee leaves behind, or finds, these as its callers call it. */
enum { EXITS, LEAVING, READ, WRITTEN, KINDS };

struct walk {
	struct ct_blame_credit *credit;
	const struct ct_unit *units;
	struct ct_blame_set exits[KINDS]; /* of the function at hand */
	int err;
};

static void add(struct walk *walk, struct ct_blame_set *set, uint64_t variable)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->of[i] == variable)
			return;
	if (walk->err == 0)
		walk->err = ct_array_grow(&set->of, set->count, sizeof(*set->of));
	if (walk->err == 0)
		set->of[set->count++] = variable;
}

/* Variables of a list go to one set, exits to the other; either may be NULL. */
static void add_list(struct walk *walk, uint32_t unit, uint32_t list,
		     struct ct_blame_set *variables, struct ct_blame_set *exits)
{
	const struct ct_unit *of = &walk->units[unit];

	for (uint32_t i = 1; list && i <= of->list[list]; i++) {
		uint32_t variable = of->list[list + i];
		bool is_exit = of->variables[variable].kind == CT_VARIABLE_EXIT;
		struct ct_blame_set *to = is_exit ? exits : variables;

		if (to)
			add(walk, to, (uint64_t)unit << 32 | variable);
	}
}

/* Adds the nearest variables of the function at hand. A variable and its parts are one of those
 * that share. */
static void add_nearest(struct walk *walk, const struct ct_blame_set *found)
{
	struct ct_blame_credit *credit = walk->credit;
	uint32_t count = 0;

	credit->is_nearest = found->count > 0;
	for (size_t i = 0; i < found->count; i++) {
		const struct ct_unit *of = &walk->units[found->of[i] >> 32];

		count += of->variables[(uint32_t)found->of[i]].parent == CT_NONE;
	}
	for (size_t i = 0; i < found->count && walk->err == 0; i++) {
		size_t before = credit->nearest.count;

		add(walk, &credit->nearest, found->of[i]);
		if (walk->err == 0)
			walk->err = ct_array_reserve(&credit->share, &credit->share_room,
						     credit->nearest.count, sizeof(*credit->share));
		if (walk->err == 0 && credit->nearest.count > before)
			credit->share[before] = count ? count : 1;
	}
}

static bool has_exit(const struct walk *walk, const struct ct_blame_set *exits, const char *name)
{
	for (size_t i = 0; i < exits->count; i++) {
		const struct ct_unit *of = &walk->units[exits->of[i] >> 32];

		if (strcmp(ct_unit_string(of, of->variables[(uint32_t)exits->of[i]].exit), name) ==
		    0)
			return true;
	}
	return false;
}

static void begin(struct walk *walk, uint32_t unit, const struct ct_unit_statement *at)
{
	struct ct_blame_credit *credit = walk->credit;
	struct ct_blame_set nearest = {0};

	add_list(walk, unit, at->blamed, &credit->blamed, &walk->exits[EXITS]);
	add_list(walk, unit, at->nearest, &nearest, NULL);
	add_list(walk, unit, at->leaving, NULL, &walk->exits[LEAVING]);
	add_list(walk, unit, at->read, &credit->read, &walk->exits[READ]);
	add_list(walk, unit, at->written, NULL, &walk->exits[WRITTEN]);
	add_nearest(walk, &nearest);
	free(nearest.of);
}

/* From a callee to its caller. */
static void step(struct walk *walk, uint32_t unit, const struct ct_unit_call *call)
{
	const struct ct_unit *of = &walk->units[unit];
	struct ct_blame_credit *credit = walk->credit;
	struct ct_blame_set next[KINDS] = {{0}}, nearest = {0};

	for (uint32_t o = 0; o < call->outcome_count; o++) {
		const struct ct_unit_outcome *outcome = &of->outcomes[call->outcome_first + o];
		const char *name = ct_unit_string(of, outcome->exit);

		if (has_exit(walk, &walk->exits[EXITS], name))
			add_list(walk, unit, outcome->blamed, &credit->blamed, &next[EXITS]);
		if (has_exit(walk, &walk->exits[LEAVING], name)) {
			add_list(walk, unit, outcome->nearest, &nearest, NULL);
			add_list(walk, unit, outcome->leaving, NULL, &next[LEAVING]);
		}
		if (has_exit(walk, &walk->exits[READ], name))
			add_list(walk, unit, outcome->direct, &credit->read, &next[READ]);
		if (has_exit(walk, &walk->exits[WRITTEN], name))
			add_list(walk, unit, outcome->direct, NULL, &next[WRITTEN]);
	}
	add_nearest(walk, &nearest);
	free(nearest.of);
	for (int kind = 0; kind < KINDS; kind++) {
		free(walk->exits[kind].of);
		walk->exits[kind] = next[kind];
	}
}

static void clear(struct ct_blame_credit *credit)
{
	credit->blamed.count = credit->read.count = credit->nearest.count = 0;
	credit->exits.count = credit->leaving.count = 0;
	credit->read_exits.count = credit->written_exits.count = 0;
}

int ct_blame_credit_make(struct ct_blame_credit *credit, const struct ct_blame_places *places,
			 const struct ct_unit *units, struct ct_blame_chain *chain)
{
	const struct ct_unit_statement *at = ct_blame_statement(places, chain->frame, chain->depth);
	struct walk walk = {.credit = credit, .units = units};
	struct ct_blame_set *const out[KINDS] = {
	    [EXITS] = &credit->exits,
	    [LEAVING] = &credit->leaving,
	    [READ] = &credit->read_exits,
	    [WRITTEN] = &credit->written_exits,
	};

	clear(credit);
	credit->is_known = credit->is_resolved = at != NULL;
	credit->is_nearest = false;
	if (at)
		chain->frame[0].function =
		    ct_unit_string(&units[chain->frame[0].unit], at->function);
	if (at)
		begin(&walk, chain->frame[0].unit, at);
	for (uint32_t i = 1; i < chain->depth && credit->is_resolved && walk.err == 0; i++) {
		const struct ct_unit_call *call =
		    ct_blame_call(places, &chain->frame[i], chain->frame[i - 1].function);

		credit->is_resolved = call != NULL;
		if (!call)
			break;
		chain->frame[i].function =
		    ct_unit_string(&units[chain->frame[i].unit], call->function);
		step(&walk, chain->frame[i].unit, call);
	}
	for (int kind = 0; kind < KINDS; kind++) {
		for (size_t i = 0; i < walk.exits[kind].count && credit->is_resolved; i++)
			add(&walk, out[kind], walk.exits[kind].of[i]);
		free(walk.exits[kind].of);
	}
	return walk.err;
}

void ct_blame_credit_fini(struct ct_blame_credit *credit)
{
	free(credit->blamed.of);
	free(credit->read.of);
	free(credit->nearest.of);
	free(credit->share);
	free(credit->exits.of);
	free(credit->leaving.of);
	free(credit->read_exits.of);
	free(credit->written_exits.of);
	*credit = (struct ct_blame_credit){.share_room = 0};
}
