/* SPDX-License-Identifier: Apache-2.0 */
/* Causes in a list, found by a map. */
#include "postproc/analysis/check/causes.h"
#include "postproc/facts/place.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void ct_check_causes_init(struct ct_check_causes *causes, const struct ct_trace *trace)
{
	*causes = (struct ct_check_causes){0};
	ct_trace_units(trace, &causes->first_unit);
	ct_trace_objects(trace, &causes->first_object);
}

void ct_check_causes_fini(struct ct_check_causes *causes)
{
	for (size_t i = 0; i < causes->count; i++)
		free(causes->list[i].own_file);
	free(causes->list);
	ct_map_fini(&causes->number);
	*causes = (struct ct_check_causes){0};
}

#define OF_HOST ((uint64_t)1 << 63)

/* FNV-1a */
static uint64_t hash_of(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	return hash;
}

/* Sites of one place, as of a loop that is unrolled, have one number. */
static uint64_t place_number(const struct ct_unit *unit, uint32_t number)
{
	const struct ct_unit_site *site = &unit->sites[number];
	const uint32_t facts[] = {site->file,   site->line,      site->column,
				  site->kernel, site->operation, site->inlined_at};
	uint64_t hash = 14695981039346656037u;

	if (!site->line)
		return number;
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		hash = (hash ^ facts[i]) * 1099511628211u;
	return hash;
}

/* Objects of one allocation site are one leak, copies by one call between the same objects one
 * overlap. */
static void key_of(const struct ct_check_causes *causes, const struct ct_check_cause *cause,
		   uint64_t key[2])
{
	const struct ct_object_info *object = cause->object;
	uint64_t number = object ? (uint64_t)(object - causes->first_object) + 1 : 0;

	key[0] = (uint64_t)cause->kind << 40 | number;
	if (cause->unit) {
		key[1] = ((uint64_t)(cause->unit - causes->first_unit) << 32 ^
			  place_number(cause->unit, cause->site)) &
			 ~OF_HOST;
	} else if (cause->refused && cause->refused->refused->stack) {
		key[1] =
		    OF_HOST | (uint64_t)cause->refused->part << 32 | cause->refused->refused->stack;
	} else if (cause->call) {
		key[1] = OF_HOST | hash_of(cause->bytes, cause->call);
	} else if (object && *object->site) {
		key[0] = (uint64_t)cause->kind << 40;
		key[1] = OF_HOST | hash_of(hash_of(object->part, object->site), object->caller);
	} else {
		key[1] = OF_HOST;
	}
}

/* Whether a is before b: launch, CTA, warp, lane, address. Of the host the first one stays. */
static bool is_earlier(const struct ct_check_cause *a, const struct ct_check_cause *b)
{
	if (!a->unit)
		return false;
	if (a->launch != b->launch)
		return a->launch < b->launch;
	if (a->cta != b->cta)
		return a->cta < b->cta;
	if (a->warp != b->warp)
		return a->warp < b->warp;
	return a->lane != b->lane ? a->lane < b->lane : a->address < b->address;
}

static void count(struct ct_check_cause *cause, const struct ct_check_cause *occurrence)
{
	uint64_t all = cause->count + occurrence->count;
	uint64_t bytes = cause->bytes + occurrence->bytes;
	uint64_t beyond = cause->beyond > occurrence->beyond ? cause->beyond : occurrence->beyond;

	if (is_earlier(occurrence, cause))
		*cause = *occurrence;
	cause->count = all;
	cause->beyond = beyond;
	if (!cause->unit)
		cause->bytes = bytes;
}

int ct_check_causes_append(struct ct_check_causes *causes, const struct ct_check_cause *cause)
{
	int err = ct_array_grow(&causes->list, causes->count, sizeof(*causes->list));

	if (err == 0)
		causes->list[causes->count++] = *cause;
	return err;
}

int ct_check_causes_add(struct ct_check_causes *causes, const struct ct_check_cause *occurrence)
{
	union ct_map_value *number;
	uint64_t key[2];
	int err;

	key_of(causes, occurrence, key);
	number = ct_map_put(&causes->number, key[0], key[1]);
	if (!number)
		return -ENOMEM;
	if (number->number) {
		count(&causes->list[number->number - 1], occurrence);
		return 0;
	}
	err = ct_check_causes_append(causes, occurrence);
	if (err < 0)
		return err;
	number->number = causes->count;
	return 0;
}

void ct_check_causes_drop(struct ct_check_causes *causes, enum ct_check_kind kind)
{
	size_t kept = 0;

	for (size_t i = 0; i < causes->count; i++)
		if (causes->list[i].kind != kind)
			causes->list[kept++] = causes->list[i];
	causes->count = kept;
	ct_map_clear(&causes->number);
}

static struct ct_place place(const struct ct_check_cause *cause)
{
	return cause->unit ? ct_place_of(cause->unit, &cause->unit->sites[cause->site])
			   : (struct ct_place){.file = ""};
}

static int compare(const void *a, const void *b)
{
	const struct ct_check_cause *x = a, *y = b;
	struct ct_place px = place(x), py = place(y);
	int by_file;

	if (ct_check_kind_severity(x->kind) != ct_check_kind_severity(y->kind))
		return ct_check_kind_severity(x->kind) > ct_check_kind_severity(y->kind) ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	by_file = strcmp(px.file, py.file);
	if (by_file)
		return by_file;
	if (px.line != py.line)
		return px.line < py.line ? -1 : 1;
	if (px.column != py.column)
		return px.column < py.column ? -1 : 1;
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	if (x->other.unit != y->other.unit)
		return x->other.unit < y->other.unit ? -1 : 1;
	if (x->other.site != y->other.site)
		return x->other.site < y->other.site ? -1 : 1;
	if (x->transfer != y->transfer)
		return x->transfer < y->transfer ? -1 : 1;
	return x->refused < y->refused ? -1 : x->refused > y->refused;
}

void ct_check_causes_sort(struct ct_check_causes *causes)
{
	if (causes->count)
		qsort(causes->list, causes->count, sizeof(*causes->list), compare);
	ct_map_clear(&causes->number);
}

static const struct {
	const char *id, *fix;
	enum ct_finding_id finding;
	enum ct_check_severity severity;
} kinds[] = {
#define CT_CHECK_KIND(KIND, id, SEVERITY, fix) {id, fix, CT_ID_##KIND, CT_CHECK_##SEVERITY},
#include "postproc/analysis/check/kinds.def"
};

const char *ct_check_kind_text(enum ct_check_kind kind)
{
	return kinds[kind].id;
}

const char *ct_check_kind_fix(enum ct_check_kind kind)
{
	return kinds[kind].fix;
}

enum ct_finding_id ct_check_kind_finding(enum ct_check_kind kind)
{
	return kinds[kind].finding;
}

enum ct_check_severity ct_check_kind_severity(enum ct_check_kind kind)
{
	return kinds[kind].severity;
}

const char *ct_check_severity_text(enum ct_check_severity severity)
{
	return severity == CT_CHECK_ERROR ? "error" : "warning";
}

bool ct_check_is_error(enum ct_finding_id finding)
{
	for (int kind = 0; kind < CT_CHECK_KINDS; kind++)
		if (kinds[kind].finding == finding)
			return kinds[kind].severity == CT_CHECK_ERROR;
	return true;
}
