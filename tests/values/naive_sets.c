/* SPDX-License-Identifier: Apache-2.0 */
/* How many values objects have, and how often: every value beside every other. */
#include "tests/values/naive.h"

#include <cudatrace/unit.h>
#include <stdio.h>
#include <string.h>

static const char *name_of(const struct naive *naive, const struct element *e)
{
	const struct ct_object_info *object =
	    ct_trace_object_at(naive->trace, e->launch, e->address);

	return object ? object->name : "null";
}

static bool is_of_set(const struct element *e)
{
	return (e->what == LOAD || e->what == STORE) &&
	       CT_ADDRESS_SPACE(e->address) == CT_SPACE_GLOBAL;
}

static bool is_same_set(const struct naive *naive, const struct element *a, const struct element *b)
{
	return is_of_set(b) && a->what == b->what && a->bytes == b->bytes &&
	       a->scalar == b->scalar && !strcmp(a->launch->kernel, b->launch->kernel) &&
	       !strcmp(name_of(naive, a), name_of(naive, b));
}

static unsigned long long cut(const struct element *e, unsigned bits)
{
	return e->value >> ((e->bytes == 8 ? 52 : 23) - bits);
}

/* The first level at which all of a set's floats are one; 0: they are at none, or without it. */
static unsigned alike_at(const struct naive *naive, const struct element *first)
{
	static const unsigned single[] = {23, 20, 15, 11, 7, 3}, full[] = {52, 46, 36, 28, 20, 12};
	unsigned level = 0;

	if (first->scalar != CT_SCALAR_FLOAT || first->bytes < 4)
		return 0;
	for (const struct element *o = first; o < naive->list + naive->count; o++)
		while (level < 6 && is_same_set(naive, first, o)) {
			unsigned bits = first->bytes == 8 ? full[level] : single[level];

			if (cut(o, bits) == cut(first, bits))
				break;
			level++;
		}
	return level % 6;
}

/* How many integer types that are narrower hold all of a set's integers. */
static unsigned fits(const struct naive *naive, const struct element *first)
{
	unsigned types = 0;

	if (first->scalar != CT_SCALAR_INTEGER)
		return 0;
	for (unsigned bits = 8; bits < 8 * first->bytes; bits *= 2)
		for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
			bool fits = true;

			for (const struct element *o = first; o < naive->list + naive->count; o++) {
				uint64_t moved = o->value << (64 - 8 * o->bytes);
				int64_t value = (int64_t)moved >> (64 - 8 * o->bytes);
				int64_t high = value >> (bits - is_signed);

				if (is_same_set(naive, first, o))
					fits &= high == 0 || (is_signed && high == -1);
			}
			types += fits;
		}
	return types;
}

static void print_set(const struct naive *naive, size_t first)
{
	const struct element *e = &naive->list[first];
	uint64_t elements = 0, distinct = 0, spatial = 0, zeros = 0, most = 0;

	for (size_t i = first; i < naive->count; i++) {
		const struct element *o = &naive->list[i];
		bool is_new = true, is_new_in_launch = true;
		uint64_t times = 1;

		if (!is_same_set(naive, e, o))
			continue;
		for (size_t j = first; j < i; j++)
			if (naive->list[j].value == o->value &&
			    is_same_set(naive, e, &naive->list[j])) {
				is_new = false;
				times++;
				is_new_in_launch &= naive->list[j].step != o->step;
			}
		elements++;
		distinct += is_new;
		spatial += !is_new_in_launch;
		zeros += !o->value;
		most = times > most ? times : most;
	}
	printf("set %s %s %s %u%s %llu %llu %llu %llu %llu %u %u\n", name_of(naive, e),
	       e->launch->kernel, e->what == LOAD ? "load" : "store", e->bytes,
	       e->scalar ? "" : "?", (unsigned long long)elements, (unsigned long long)distinct,
	       (unsigned long long)spatial, (unsigned long long)zeros, (unsigned long long)most,
	       alike_at(naive, e), fits(naive, e));
}

void print_sets(struct naive *naive)
{
	for (size_t i = 0; i < naive->count; i++) {
		const struct element *e = &naive->list[i];
		bool is_first = is_of_set(e);

		for (size_t j = 0; j < i && is_first; j++)
			is_first = !is_same_set(naive, e, &naive->list[j]);
		if (is_first)
			print_set(naive, i);
	}
}
