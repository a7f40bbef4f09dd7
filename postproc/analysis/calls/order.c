/* SPDX-License-Identifier: Apache-2.0 */
/* Activities in the order of their ends. */
#include "postproc/analysis/calls/order.h"
#include "base/keyed.h"
#include "base/search.h"

int ct_ends_init(struct ct_ends *ends, const struct ct_row_activity *rows, size_t count)
{
	struct ct_keyed keyed;
	int err = ct_keyed_init(&keyed, count);

	*ends = (struct ct_ends){.count = 0};
	if (err < 0)
		return err;
	for (size_t i = 0; i < count; i++)
		ct_keyed_add(&keyed, rows[i].begin_ns + rows[i].duration_ns, (uint32_t)i);
	err = ct_keyed_sort(&keyed);
	if (err < 0)
		ct_keyed_fini(&keyed);
	*ends = (struct ct_ends){keyed.key, keyed.number, keyed.count};
	return err;
}

void ct_ends_fini(struct ct_ends *ends)
{
	struct ct_keyed keyed = {ends->end_ns, ends->index, ends->count};

	ct_keyed_fini(&keyed);
	*ends = (struct ct_ends){0};
}

size_t ct_ends_after(const struct ct_ends *ends, uint64_t time_ns)
{
	return ct_search_above(ends->end_ns, ends->count, sizeof(*ends->end_ns), time_ns);
}
