/* SPDX-License-Identifier: Apache-2.0 */
/* Races as findings: of all launches of a kernel together, by the two lines. */
#include "base/quantity.h"
#include "postproc/analysis/finder.h"
#include "postproc/analysis/races/pairs.h"
#include "postproc/analysis/races/tables.h"
#include "postproc/facts/folded_name.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/place.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINDINGS_MAX 20u
#define PLACE_BYTES 256u

/* "store at bfs.cu:12", after "the "; of what one line does with itself "stores at bfs.cu:12". */
static void put_access(char text[PLACE_BYTES], const struct ct_races_access *access, bool is_both)
{
	const struct ct_unit_site *site = &access->unit->sites[access->site];
	struct ct_place place = ct_place_of(access->unit, site);
	const char *last = strrchr(place.file, '/'), *plural = is_both ? "s" : "";

	if (*place.file)
		snprintf(text, PLACE_BYTES, "%s%s at %s:%u", ct_operation_text(site->operation),
			 plural, last ? last + 1 : place.file, place.line);
	else
		snprintf(text, PLACE_BYTES, "%s%s at an unknown line",
			 ct_operation_text(site->operation), plural);
}

/* Values of the store are recorded, whether or not all of them are known. */
static bool has_values(const struct ct_race *race)
{
	return race->store.unit->header->values && race->other.unit->header->values;
}

static const char *words_of(const struct ct_races_pair *pair)
{
	bool stores = ct_races_is_store(&pair->race->other);

	if (pair->values == CT_RACES_VALUES_SAME)
		return "of each byte all store the same value";
	if (pair->race->is_update)
		return "each stores what it makes of what it has loaded there: what others have "
		       "stored meanwhile is lost";
	if (pair->values == CT_RACES_VALUES_DIFFER)
		return stores ? "values differ" : "loads find other values than those stored";
	if (!stores)
		return "whether loads come before the store or after it is not known";
	return has_values(pair->race) ? "of some of them the trace has no values"
				      : "values are not recorded (--ct-values)";
}

/* Which launches of which kernel, and who in the first of them. */
static void add_evidence(struct ct_findings *findings, const struct ct_races_pair *pair)
{
	const struct ct_race *race = pair->race;
	char bytes[CT_NUMBER_BYTES], number[CT_NUMBER_BYTES], brief[CT_BRIEF_NAME_BYTES];

	ct_findings_because(
	    findings,
	    "%s meet in %s launch%s of %s; in launch %u by block %llu warp %u and block %llu "
	    "warp %u at 0x%llx; %s",
	    ct_size(pair->bytes, bytes), ct_number(pair->launches, number),
	    pair->launches == 1 ? "" : "es", ct_shown_name(race->launch->kernel, brief),
	    race->launch->event->launch, (unsigned long long)race->store.cta, race->store.warp,
	    (unsigned long long)race->other.cta, race->other.warp,
	    (unsigned long long)race->address, words_of(pair));
}

static void add_pair(struct ct_findings *findings, const struct ct_races_pair *pair)
{
	const struct ct_race *race = pair->race;
	bool is_same = pair->values == CT_RACES_VALUES_SAME;
	const struct ct_finding like = {
	    .analysis = "races",
	    .id = is_same ? CT_ID_SAME_VALUE_RACE : CT_ID_RACE,
	    .kind = is_same ? CT_FINDING_NOTE : CT_FINDING_PROBLEM,
	    .section = CT_RACES_SECTION,
	    .figure = {(double)pair->bytes, "B"},
	};
	char store[PLACE_BYTES], other[PLACE_BYTES];

	put_access(store, &race->store, ct_races_is_one_line(race));
	put_access(other, &race->other, false);
	ct_findings_add(findings, &like, "Nothing orders the %s%s%s of %s%s.", store,
			ct_races_is_one_line(race) ? "" : " and the ",
			ct_races_is_one_line(race) ? "" : other, ct_races_who(pair),
			is_same ? ", which does no harm as long as they store the same" : "");
	add_evidence(findings, pair);
	ct_findings_fix(findings, "%s", ct_races_fix(pair));
	ct_findings_at_site(findings, race->store.unit, race->store.site);
	if (!ct_races_is_one_line(race))
		ct_findings_at_site(findings, race->other.unit, race->other.site);
	ct_findings_at_object(findings, race->object);
	ct_findings_at_launch(findings, race->launch);
	ct_findings_at_kernel(findings, race->launch->kernel);
}

const char *ct_races_values_text(enum ct_races_values values)
{
	static const char *const text[] = {[CT_RACES_VALUES_UNKNOWN] = "unknown",
					   [CT_RACES_VALUES_SAME] = "same",
					   [CT_RACES_VALUES_DIFFER] = "differ"};

	return text[values];
}

/* By kernel and lines, the most bytes first; races of the same value last. */
static void add_findings(struct ct_findings *findings, const struct ct_races_results *results)
{
	struct ct_races_pair *pair;
	size_t pairs;
	int err = ct_races_pairs(&pair, &pairs, results);

	if (err < 0)
		findings->err = err;
	for (size_t i = 0; i < pairs && i < FINDINGS_MAX; i++)
		add_pair(findings, &pair[i]);
	free(pair);
}

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	struct ct_races_job *own = calloc(1, sizeof(*own));

	*job = own;
	if (!own)
		return -ENOMEM;
	own->trace = inquiry->trace;
	own->filter = inquiry->filter;
	return 0;
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	/* Checks have them among theirs. */
	if (job && !inquiry->check)
		add_findings(findings, &((struct ct_races_job *)job)->results);
	return 0;
}

static const struct ct_finder_table tables[] = {
    {&ct_races_table, NULL, true},
    {&ct_race_totals_table, NULL, false},
    {NULL, NULL, false},
};

static void share(struct ct_inquiry *inquiry, void *job)
{
	inquiry->races = &((struct ct_races_job *)job)->results;
}

static void close_job(void *job)
{
	if (job)
		ct_races_job_fini(job);
	free(job);
}

const struct ct_finder ct_races_finder = {
    .analysis = &ct_races_analysis,
    .open = open_job,
    .share = share,
    .find = find,
    .shared = offsetof(struct ct_inquiry, races),
    .tables = tables,
    .close = close_job,
};
