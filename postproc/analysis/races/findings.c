/* SPDX-License-Identifier: Apache-2.0 */
/* Races as findings: of all launches of a kernel together, by the two lines. */
#include "base/quantity.h"
#include "postproc/analysis/finder.h"
#include "postproc/analysis/races/analysis.h"
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

/* Races of one kernel and pair of lines, between CTAs and within them: copies of a line that
 * inlining and unrolling make are one. Of stores that update what they store to all with such and
 * with their loads, which have one cause. */
struct pair {
	const struct ct_race *race; /* of the first launch, between CTAs if there is one */
	uint64_t bytes, launches;
	uint64_t last_bytes; /* of the last launch: the most of its races */
	const struct ct_launch_info *last;
	enum ct_races_values values;
	bool are_ctas, are_warps;
};

/* Returns the access that the other one is reported as. */
static const struct ct_races_access *other_of(const struct ct_race *race)
{
	return race->is_update ? &race->store : &race->other;
}

static bool is_store(const struct ct_races_access *access)
{
	return ct_operation_class(access->unit->sites[access->site].operation) == CT_CLASS_STORE;
}

static struct ct_place place_of(const struct ct_races_access *access)
{
	return ct_place_of(access->unit, &access->unit->sites[access->site]);
}

/* A line without a place is a copy of none. */
static int compare_accesses(const struct ct_races_access *a, const struct ct_races_access *b)
{
	struct ct_place x = place_of(a), y = place_of(b);
	int files = strcmp(x.file, y.file);

	if (is_store(a) != is_store(b))
		return is_store(a) ? -1 : 1;
	if (files)
		return files;
	if (x.line != y.line)
		return x.line < y.line ? -1 : 1;
	if (x.line)
		return 0;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

/* It does not matter which of two lines that store is first. */
static const struct ct_races_access *ordered(const struct ct_race *race, bool is_first)
{
	const struct ct_races_access *other = other_of(race);

	return (compare_accesses(&race->store, other) <= 0) == is_first ? &race->store : other;
}

static int compare_pairs(const void *left, const void *right)
{
	const struct ct_race *a = ((const struct pair *)left)->race,
			     *b = ((const struct pair *)right)->race;
	int order = strcmp(a->launch->kernel_name, b->launch->kernel_name);

	if (!order)
		order = compare_accesses(ordered(a, true), ordered(b, true));
	return order ? order : compare_accesses(ordered(a, false), ordered(b, false));
}

/* The same, and among equals the first launch first. */
static int compare_races(const void *left, const void *right)
{
	const struct ct_race *a = ((const struct pair *)left)->race,
			     *b = ((const struct pair *)right)->race;
	int pairs = compare_pairs(left, right);

	return pairs ? pairs : a < b ? -1 : a > b;
}

static int compare_weight(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;
	bool a_is_same = a->values == CT_RACES_VALUES_SAME,
	     b_is_same = b->values == CT_RACES_VALUES_SAME;

	if (a_is_same != b_is_same)
		return a_is_same ? 1 : -1;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return compare_races(left, right);
}

static enum ct_races_values join_values(enum ct_races_values a, enum ct_races_values b)
{
	if (a == b)
		return a;
	return a == CT_RACES_VALUES_DIFFER || b == CT_RACES_VALUES_DIFFER ? CT_RACES_VALUES_DIFFER
									  : CT_RACES_VALUES_UNKNOWN;
}

static struct pair pair_of(const struct ct_race *race)
{
	return (struct pair){
	    .race = race,
	    .bytes = race->bytes,
	    .launches = 1,
	    .last_bytes = race->bytes,
	    .last = race->launch,
	    .values = race->values,
	    .are_ctas = race->between == CT_RACES_CTAS,
	    .are_warps = race->between == CT_RACES_WARPS,
	};
}

/* Races of a launch stand together. */
static void join(struct pair *to, const struct ct_race *race)
{
	bool is_new = to->last != race->launch;

	if (is_new || race->bytes > to->last_bytes) {
		to->bytes += race->bytes - (is_new ? 0 : to->last_bytes);
		to->last_bytes = race->bytes;
	}
	to->launches += is_new;
	to->last = race->launch;
	to->values = join_values(to->values, race->values);
	if (race->between == CT_RACES_CTAS && !to->are_ctas)
		to->race = race;
	to->are_ctas |= race->between == CT_RACES_CTAS;
	to->are_warps |= race->between == CT_RACES_WARPS;
}

/* The number of pairs. */
static size_t join_pairs(struct pair *pair, const struct ct_races_results *results)
{
	size_t pairs = 0;

	for (size_t i = 0; i < results->races; i++)
		pair[i] = pair_of(&results->race[i]);
	qsort(pair, results->races, sizeof(*pair), compare_races);
	for (size_t i = 0; i < results->races; i++) {
		if (!i || compare_pairs(&pair[pairs - 1], &pair[i]))
			pair[pairs++] = pair[i];
		else
			join(&pair[pairs - 1], pair[i].race);
	}
	qsort(pair, pairs, sizeof(*pair), compare_weight);
	return pairs;
}

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

static const char *fix_of(const struct pair *pair)
{
	bool stores = is_store(&pair->race->other);

	if (pair->values == CT_RACES_VALUES_SAME)
		return "Let one of them alone store it, unless it is sure that they store the same "
		       "with any input.";
	if (pair->race->is_update)
		return "Update it by an atomic (atomicAdd, atomicMax, ...), or let one thread "
		       "alone update each element.";
	if (!pair->are_ctas)
		return stores ? "Let one warp alone store each element, or put a __syncthreads() "
				"between the stores."
			      : "Put a __syncthreads() between the store and the load.";
	return stores ? "Let one block alone store each element, or combine what they store by an "
			"atomic."
		      : "Load from a copy that the launch does not store to (two arrays in turns), "
			"or end the kernel between the two.";
}

/* Values of the store are recorded, whether or not all of them are known. */
static bool has_values(const struct ct_race *race)
{
	return race->store.unit->header->values && race->other.unit->header->values;
}

static const char *words_of(const struct pair *pair)
{
	bool stores = is_store(&pair->race->other);

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

/* One line does it with itself. */
static bool is_one_line(const struct ct_race *race)
{
	return !compare_accesses(&race->store, other_of(race));
}

/* "of different blocks" */
static const char *who_of(const struct pair *pair)
{
	return !pair->are_warps  ? "different blocks"
	       : !pair->are_ctas ? "different warps of a block"
				 : "different warps, of one block and of several";
}

/* Which launches of which kernel, and who in the first of them. */
static void add_evidence(struct ct_findings *findings, const struct pair *pair)
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

static void add_pair(struct ct_findings *findings, const struct pair *pair)
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

	put_access(store, &race->store, is_one_line(race));
	put_access(other, &race->other, false);
	ct_findings_add(findings, &like, "Nothing orders the %s%s%s of %s%s.", store,
			is_one_line(race) ? "" : " and the ", is_one_line(race) ? "" : other,
			who_of(pair),
			is_same ? ", which does no harm as long as they store the same" : "");
	add_evidence(findings, pair);
	ct_findings_fix(findings, "%s", fix_of(pair));
	ct_findings_at_site(findings, race->store.unit, race->store.site);
	if (!is_one_line(race))
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
	struct pair *pair = calloc(results->races + 1, sizeof(*pair));
	size_t pairs;

	if (!pair) {
		findings->err = -ENOMEM;
		return;
	}
	pairs = join_pairs(pair, results);
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
	(void)inquiry;
	if (job)
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
