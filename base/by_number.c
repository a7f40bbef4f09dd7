/* SPDX-License-Identifier: Apache-2.0 */
/* Looks values up by number. */
#include "base/by_number.h"
#include "base/large.h"
#include <errno.h>
#include <stdlib.h>

#define SPARSE 8u /* numbers for each that is used: from there on a map is smaller */

int ct_by_number_init(struct ct_by_number *table, const struct ct_by_number_range *range)
{
	uint64_t numbers = (uint64_t)range->last - range->first + 1;

	*table = (struct ct_by_number){.first = range->first, .last = range->last};
	if (!range->count || numbers / SPARSE > range->count)
		return 0;
	table->value = ct_large_alloc(numbers, sizeof(*table->value));
	return table->value ? 0 : -ENOMEM;
}

void ct_by_number_fini(struct ct_by_number *table)
{
	ct_large_free(table->value);
	ct_map_fini(&table->others);
	*table = (struct ct_by_number){0};
}

int ct_by_number_set(struct ct_by_number *table, uint32_t key, uint32_t value)
{
	union ct_map_value *other;

	if (table->value) {
		table->value[key - table->first] = value;
		return 0;
	}
	other = ct_map_put(&table->others, key, 0);
	if (!other)
		return -ENOMEM;
	other->number = value;
	return 0;
}
