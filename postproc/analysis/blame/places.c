/* SPDX-License-Identifier: Apache-2.0 */
/* Statements and calls by their keys. */
#include "postproc/analysis/blame/places.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A call, and the next one that may reach the same function. */
struct caller {
	uint32_t unit, call;
	uint32_t next; /* index + 1; 0: none */
};

struct ct_blame_places {
	const struct ct_unit *units;
	size_t count;
	struct ct_map statements; /* key: unit and place, function; of indices + 1 */
	struct ct_map lines;      /* likewise, without columns */
	struct ct_map nameless;   /* key: unit and place, which of those there; likewise */
	struct ct_map calls;      /* likewise, with the callee */
	struct ct_map anywhere;   /* calls without their functions */
	struct ct_map callers;    /* key: callee; of indices in caller + 1: the first */
	struct caller *caller;
	size_t callers_count;
};

static uint64_t place_key(uint32_t unit, const char *file, uint32_t line, uint32_t column)
{
	uint64_t hash = ct_hash_join_string(unit, file);

	return ct_hash_join(ct_hash_join(hash, line), column);
}

static uint64_t name_key(const char *function, const char *callee)
{
	return ct_hash_join_string(ct_hash_join_string(1, function), callee);
}

static int put(struct ct_map *map, uint64_t key0, uint64_t key1, uint64_t value)
{
	union ct_map_value *known = ct_map_put(map, key0, key1);

	if (!known)
		return -ENOMEM;
	if (!known->number)
		known->number = value;
	return 0;
}

static int add_statement(struct ct_blame_places *places, uint32_t unit, uint32_t i)
{
	const struct ct_unit *of = &places->units[unit];
	const struct ct_unit_statement *s = &of->statements[i];
	const char *file = ct_unit_string(of, s->file);
	uint64_t name = name_key(ct_unit_string(of, s->function), "");
	uint64_t place = place_key(unit, file, s->line, s->column), at = 0;
	int err = put(&places->statements, place, name, i + 1u);

	if (err == 0)
		err = put(&places->lines, place_key(unit, file, s->line, 0), name, i + 1u);
	while (ct_map_find(&places->nameless, place, at))
		at++;
	return err < 0 ? err : put(&places->nameless, place, at, i + 1u);
}

static int add_call(struct ct_blame_places *places, uint32_t unit, uint32_t i)
{
	const struct ct_unit *of = &places->units[unit];
	const struct ct_unit_call *c = &of->calls[i];
	const char *callee = ct_unit_string(of, c->callee);
	uint64_t place = place_key(unit, ct_unit_string(of, c->file), c->line, c->column);
	union ct_map_value *first;
	int err =
	    put(&places->calls, place, name_key(ct_unit_string(of, c->function), callee), i + 1u);

	if (err == 0)
		err = put(&places->anywhere, place, name_key("", callee), i + 1u);
	if (err == 0)
		err =
		    ct_array_grow(&places->caller, places->callers_count, sizeof(*places->caller));
	first = err == 0 ? ct_map_put(&places->callers, name_key("", callee), 0) : NULL;
	if (!first)
		return -ENOMEM;
	places->caller[places->callers_count++] = (struct caller){unit, i, (uint32_t)first->number};
	first->number = places->callers_count;
	return 0;
}

int ct_blame_places_open(struct ct_blame_places **out, const struct ct_unit *units, size_t count)
{
	struct ct_blame_places *places = calloc(1, sizeof(*places));
	int err = places ? 0 : -ENOMEM;

	*out = places;
	if (!places)
		return err;
	places->units = units;
	places->count = count;
	for (uint32_t u = 0; u < count && err == 0; u++) {
		for (uint32_t i = 0; i < units[u].header->statement_count && err == 0; i++)
			err = add_statement(places, u, i);
		for (uint32_t i = 0; i < units[u].header->call_count && err == 0; i++)
			err = add_call(places, u, i);
	}
	return err;
}

void ct_blame_places_close(struct ct_blame_places *places)
{
	if (!places)
		return;
	ct_map_fini(&places->statements);
	ct_map_fini(&places->lines);
	ct_map_fini(&places->nameless);
	ct_map_fini(&places->calls);
	ct_map_fini(&places->anywhere);
	ct_map_fini(&places->callers);
	free(places->caller);
	free(places);
}

/* It is not said of inlined code which function it is of. Instances of a template share the
 * place: it is the one that is called there. */
static const struct ct_unit_statement *called(const struct ct_blame_places *places,
					      const struct ct_blame_frame *at,
					      const struct ct_blame_frame *caller)
{
	const struct ct_unit *of = &places->units[at->unit];
	uint64_t place = place_key(at->unit, at->file, at->line, at->column);
	const union ct_map_value *known;

	for (uint64_t i = 0; (known = ct_map_find(&places->nameless, place, i)); i++) {
		const struct ct_unit_statement *s = &of->statements[known->number - 1];

		if (ct_blame_call(places, caller, ct_unit_string(of, s->function)))
			return s;
	}
	return NULL;
}

const struct ct_unit_statement *ct_blame_statement(const struct ct_blame_places *places,
						   const struct ct_blame_frame *at, uint32_t depth)
{
	uint64_t name = name_key(at->function, "");
	const union ct_map_value *known = ct_map_find(
	    &places->statements, place_key(at->unit, at->file, at->line, at->column), name);

	if (!*at->function && depth > 1)
		return called(places, at, at + 1);
	if (!known)
		known =
		    ct_map_find(&places->lines, place_key(at->unit, at->file, at->line, 0), name);
	return known ? &places->units[at->unit].statements[known->number - 1] : NULL;
}

const struct ct_unit_call *ct_blame_call(const struct ct_blame_places *places,
					 const struct ct_blame_frame *at, const char *callee)
{
	uint64_t place = place_key(at->unit, at->file, at->line, at->column);
	const union ct_map_value *known =
	    *at->function ? ct_map_find(&places->calls, place, name_key(at->function, callee))
			  : ct_map_find(&places->anywhere, place, name_key("", callee));

	return known ? &places->units[at->unit].calls[known->number - 1] : NULL;
}

bool ct_blame_callers(const struct ct_blame_places *places, const char *callee, size_t *at,
		      uint32_t *unit, const struct ct_unit_call **call)
{
	const union ct_map_value *first;
	const struct caller *found;

	if (*at == SIZE_MAX)
		return false;
	if (*at == 0) {
		first = ct_map_find(&places->callers, name_key("", callee), 0);
		if (!first)
			return false;
		*at = (size_t)first->number;
	}
	found = &places->caller[*at - 1];
	*unit = found->unit;
	*call = &places->units[found->unit].calls[found->call];
	*at = found->next ? found->next : SIZE_MAX;
	return true;
}
