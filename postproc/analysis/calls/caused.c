/* SPDX-License-Identifier: Apache-2.0 */
/* Time of the device activities that each call has caused. */
#include "postproc/analysis/calls/caused.h"
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#define SPARSE 4u /* numbers for each that is used: from there on a map is smaller */

static uint32_t number_of(const struct ct_row_activity *row, bool by_launch)
{
	if (row->flags & CT_ACTIVITY_OURS)
		return 0;
	return by_launch ? (row->correlation ? 0 : row->launch) : row->correlation;
}

static int add(struct ct_caused_sums *sums, uint32_t number, uint64_t ns)
{
	union ct_map_value *sum;

	if (sums->ns) {
		sums->ns[number - sums->first] += ns;
		return 0;
	}
	sum = ct_map_put(&sums->others, number, 0);
	if (!sum)
		return -ENOMEM;
	sum->number += ns;
	return 0;
}

static int init(struct ct_caused_sums *sums, const struct ct_row_activity *rows, size_t count,
		bool by_launch)
{
	uint64_t first = UINT64_MAX, last = 0, used = 0;
	int err = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t number = number_of(&rows[i], by_launch);

		if (!number)
			continue;
		used++;
		first = number < first ? number : first;
		last = number > last ? number : last;
	}
	if (!used)
		return 0;
	sums->first = first;
	if (last - first < SPARSE * used) {
		sums->count = last - first + 1;
		sums->ns = calloc(sums->count, sizeof(*sums->ns));
		if (!sums->ns)
			return -ENOMEM;
	}
	for (size_t i = 0; i < count && err == 0; i++)
		if (number_of(&rows[i], by_launch))
			err = add(sums, number_of(&rows[i], by_launch), rows[i].duration_ns);
	return err;
}

static void fini(struct ct_caused_sums *sums)
{
	free(sums->ns);
	ct_map_fini(&sums->others);
	*sums = (struct ct_caused_sums){0};
}

int ct_caused_init(struct ct_caused *caused, const struct ct_row_activity *rows, size_t count)
{
	int err;

	*caused = (struct ct_caused){0};
	err = init(&caused->correlation, rows, count, false);
	if (err == 0)
		err = init(&caused->launch, rows, count, true);
	if (err < 0)
		ct_caused_fini(caused);
	return err;
}

void ct_caused_fini(struct ct_caused *caused)
{
	fini(&caused->correlation);
	fini(&caused->launch);
}

static uint64_t sum_of(const struct ct_caused_sums *sums, uint32_t number)
{
	const union ct_map_value *sum;

	if (!number)
		return 0;
	if (sums->ns)
		return number >= sums->first && number - sums->first < sums->count
			   ? sums->ns[number - sums->first]
			   : 0;
	sum = ct_map_find(&sums->others, number, 0);
	return sum ? sum->number : 0;
}

uint64_t ct_caused_by(const struct ct_caused *caused, const struct ct_row_call *call)
{
	return sum_of(&caused->correlation, call->correlation) +
	       sum_of(&caused->launch, call->launch);
}
