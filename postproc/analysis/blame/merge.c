/* SPDX-License-Identifier: Apache-2.0 */
/* The variables of all units: what is declared at the same place is the same. */
#include "postproc/analysis/blame/state.h"

#include "base/array.h"
#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "s.p", "t[]" of a part; freed by the caller. */
static char *full_name(const struct ct_blame *blame, uint32_t parent, const char *name)
{
	const char *of = parent == CT_NONE ? "" : blame->variable[parent].name;
	const char *dot = parent == CT_NONE || *name == '[' ? "" : ".";
	char *text = NULL;

	return asprintf(&text, "%s%s%s", of, dot, name) < 0 ? NULL : text;
}

static int add_variable(struct ct_blame *blame, const struct ct_unit *unit,
			const struct ct_unit_variable *from, uint32_t parent, uint32_t *index)
{
	struct ct_blame_state *state = blame->state;
	const char *function = ct_unit_string(unit, from->function);
	const char *name = ct_unit_string(unit, from->name);
	uint64_t hash = ct_hash_join_string(ct_hash_join_string(parent, function), name);
	union ct_map_value *known =
	    ct_map_put(&state->variable_of,
		       ct_hash_join_string(hash, ct_unit_string(unit, from->file)), from->line);

	if (!known)
		return -ENOMEM;
	if (known->number) {
		*index = (uint32_t)known->number - 1;
		return 0;
	}
	if (ct_array_reserve(&blame->variable, &state->variable_room, blame->variables + 1,
			     sizeof(*blame->variable)) < 0)
		return -ENOMEM;
	blame->variable[blame->variables] = (struct ct_blame_variable){
	    .name = full_name(blame, parent, name),
	    .type = ct_unit_string(unit, from->type),
	    .function = function,
	    .file = ct_unit_string(unit, from->file),
	    .line = from->line,
	    .parent = parent,
	    .kind = from->kind,
	    .parameter = from->parameter,
	};
	*index = (uint32_t)blame->variables;
	known->number = ++blame->variables;
	return blame->variable[*index].name ? 0 : -ENOMEM;
}

int ct_blame_merge(struct ct_blame *blame)
{
	struct ct_blame_state *state = blame->state;
	const struct ct_blame_weights *weights = state->weights;
	int err = 0;

	state->merged = calloc(weights->unit_count + 1, sizeof(*state->merged));
	for (size_t u = 0; state->merged && u < weights->unit_count && err == 0; u++) {
		const struct ct_unit *unit = &weights->units[u];
		bool is_host = unit->header->events & CT_UNIT_HOST; /* the run scope's */
		uint32_t count = is_host ? 0 : unit->header->variable_count;
		uint32_t *merged = malloc((count + 1u) * sizeof(*merged));

		state->merged[u] = merged;
		blame->has_variables |= count > 0;
		if (!merged)
			return -ENOMEM;
		for (uint32_t v = 0; v < count && err == 0; v++) {
			const struct ct_unit_variable *from = &unit->variables[v];
			bool is_part = from->parent != CT_NONE;

			merged[v] = CT_NONE;
			if (from->kind != CT_VARIABLE_EXIT)
				err = add_variable(blame, unit, from,
						   is_part ? merged[from->parent] : CT_NONE,
						   &merged[v]);
		}
	}
	return state->merged ? err : -ENOMEM;
}
