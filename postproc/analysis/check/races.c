/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of lines as causes. */
#include "postproc/analysis/check/races.h"
#include "postproc/analysis/races/pairs.h"
#include "postproc/facts/place.h"
#include <cudatrace/record.h>

#include <stdlib.h>
#include <string.h>

static struct ct_check_cause cause_of(const struct ct_races_pair *pair)
{
	const struct ct_race *race = pair->race;
	const struct ct_races_access *other = ct_races_other_of(race);
	bool is_shared = CT_ADDRESS_SPACE(race->address) == CT_SPACE_SHARED;

	return (struct ct_check_cause){
	    .kind = is_shared ? CT_CHECK_SHARED_RACE : CT_CHECK_RACE,
	    .unit = race->store.unit,
	    .site = race->store.site,
	    .launch = race->launch,
	    .cta = race->store.cta,
	    .warp = race->store.warp,
	    .lane = CT_CHECK_NO_LANE,
	    .address = race->address,
	    .bytes = pair->bytes,
	    .object = race->object,
	    .count = pair->launches,
	    .other = {.unit = other->unit,
		      .site = other->site,
		      .cta = race->other.cta,
		      .warp = race->other.warp,
		      .who = ct_races_who(pair)},
	    .fix = ct_races_fix(pair),
	};
}

static bool is_line(const struct ct_unit *a, uint32_t site, const struct ct_unit *b, uint32_t other)
{
	struct ct_place x, y;

	if (!a || !b)
		return a == b;
	x = ct_place_of(a, &a->sites[site]);
	y = ct_place_of(b, &b->sites[other]);
	return x.line == y.line && !strcmp(x.file, y.file);
}

/* Takes out the race of the two lines that was found among lanes of a warp, or launches. */
static void drop_same(struct ct_check_causes *causes, size_t count,
		      const struct ct_check_cause *cause)
{
	for (size_t i = 0; i < count; i++) {
		struct ct_check_cause *known = &causes->list[i];

		if (known->kind == cause->kind &&
		    is_line(known->unit, known->site, cause->unit, cause->site) &&
		    is_line(known->other.unit, known->other.site, cause->other.unit,
			    cause->other.site))
			known->kind = CT_CHECK_KINDS;
	}
}

/* Several sites are of one place, as of a loop that is unrolled, and one row stands for them. */
static bool is_place(const struct ct_unit *a, uint32_t site, const struct ct_unit *b,
		     uint32_t other)
{
	return a && b && is_line(a, site, b, other) &&
	       a->sites[site].column == b->sites[other].column &&
	       a->sites[site].operation == b->sites[other].operation;
}

/* An access that is wrong in itself meets others where it should not be. */
static bool is_wrong(const struct ct_check_causes *causes, size_t count, const struct ct_unit *unit,
		     uint32_t site)
{
	for (size_t i = 0; i < count; i++) {
		const struct ct_check_cause *known = &causes->list[i];

		if (is_place(known->unit, known->site, unit, site) &&
		    (known->kind == CT_CHECK_OUT_OF_BOUNDS ||
		     known->kind == CT_CHECK_BEFORE_BEGIN ||
		     known->kind == CT_CHECK_USE_AFTER_FREE))
			return true;
	}
	return false;
}

static int add_unset(struct ct_check_causes *causes, const struct ct_races_results *results)
{
	int err = 0;

	for (size_t i = 0; i < results->unsets && err == 0; i++) {
		const struct ct_races_unset *unset = &results->unset[i];
		const struct ct_unit *unit = unset->access.unit;
		const struct ct_check_cause cause = {
		    .kind = CT_CHECK_UNINITIALIZED_SHARED,
		    .unit = unit,
		    .site = unset->access.site,
		    .launch = unset->launch,
		    .cta = unset->access.cta,
		    .warp = unset->access.warp,
		    .lane = CT_CHECK_NO_LANE,
		    .address = unset->address,
		    .bytes = unit->sites[unset->access.site].bytes,
		    .count = unset->count,
		};

		err = ct_check_causes_add(causes, &cause);
	}
	return err;
}

int ct_check_races(struct ct_check_causes *causes, const struct ct_races_results *results)
{
	struct ct_races_pair *pair;
	size_t pairs, before = causes->count;
	int err = ct_races_pairs(&pair, &pairs, results);

	for (size_t i = 0; i < pairs && err == 0; i++) {
		const struct ct_check_cause cause = cause_of(&pair[i]);

		if (pair[i].values == CT_RACES_VALUES_SAME ||
		    is_wrong(causes, before, cause.unit, cause.site) ||
		    is_wrong(causes, before, cause.other.unit, cause.other.site))
			continue;
		drop_same(causes, before, &cause);
		err = ct_check_causes_append(causes, &cause);
	}
	ct_check_causes_drop(causes, CT_CHECK_KINDS);
	free(pair);
	return err == 0 ? add_unset(causes, results) : err;
}
