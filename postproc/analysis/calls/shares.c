/* SPDX-License-Identifier: Apache-2.0 */
/* How much of the run devices were busy, each moment once. */
#include "postproc/analysis/calls/make.h"
#include <errno.h>
#include <stdlib.h>

enum sharing { SHARE_KERNEL, SHARE_COPY, SHARE_SET, SHARE_TRACER, SHARES };

struct stretch {
	uint64_t begin_ns, end_ns;
};

/* Moments that belong to something, and those that what is looked at takes of the others; both are
 * ascending and apart. */
struct moments {
	struct stretch *taken, *taking, *merged;
	size_t takens, takings;
};

static enum sharing sharing_of(const struct ct_row_activity *row)
{
	if (row->flags & CT_ACTIVITY_OURS)
		return SHARE_TRACER;
	if (row->kind == CT_ACTIVITY_KERNEL)
		return SHARE_KERNEL;
	return row->kind == CT_ACTIVITY_COPY ? SHARE_COPY : SHARE_SET;
}

static int by_begin(const void *a, const void *b)
{
	const struct ct_row_activity *x = *(const struct ct_row_activity *const *)a;
	const struct ct_row_activity *y = *(const struct ct_row_activity *const *)b;

	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* How much of a stretch is not taken. *at: the first taken one that may end in it; it moves on. */
static uint64_t free_of(const struct moments *moments, const struct stretch *stretch, size_t *at)
{
	uint64_t free_ns = stretch->end_ns - stretch->begin_ns;

	while (*at < moments->takens && moments->taken[*at].end_ns <= stretch->begin_ns)
		++*at;
	for (size_t i = *at; i < moments->takens && moments->taken[i].begin_ns < stretch->end_ns;
	     i++) {
		const struct stretch *taken = &moments->taken[i];
		uint64_t begin_ns =
		    taken->begin_ns > stretch->begin_ns ? taken->begin_ns : stretch->begin_ns;
		uint64_t end_ns = taken->end_ns < stretch->end_ns ? taken->end_ns : stretch->end_ns;

		free_ns -= end_ns - begin_ns;
	}
	return free_ns;
}

/* Time that is taking belongs to what is taken. */
static void merge(struct moments *moments)
{
	struct stretch *merged = moments->merged;
	size_t a = 0, b = 0, count = 0;

	while (a < moments->takens || b < moments->takings) {
		bool is_taken = b == moments->takings ||
				(a < moments->takens &&
				 moments->taken[a].begin_ns <= moments->taking[b].begin_ns);
		const struct stretch next = is_taken ? moments->taken[a++] : moments->taking[b++];

		if (count && next.begin_ns <= merged[count - 1].end_ns) {
			if (next.end_ns > merged[count - 1].end_ns)
				merged[count - 1].end_ns = next.end_ns;
		} else {
			merged[count++] = next;
		}
	}
	moments->merged = moments->taken;
	moments->taken = merged;
	moments->takens = count;
	moments->takings = 0;
}

/* The tracer's own and those of kernels whose name is not known are in the sum alone. */
static int credit(struct ct_calls_making *making, const struct ct_row_activity *row, uint64_t ns)
{
	struct ct_calls *calls = making->calls;
	uint32_t kernel;

	switch (sharing_of(row)) {
	case SHARE_KERNEL:
		kernel = ct_calls_kernel_of(making, row);
		if (!kernel)
			return -ENOMEM;
		calls->kernel[kernel - 1].share_ns += ns;
		calls->shares.kernels_ns += ns;
		break;
	case SHARE_COPY:
		calls->shares.copies_ns += ns;
		break;
	case SHARE_SET:
		calls->shares.sets_ns += ns;
		break;
	default:
		calls->shares.tracer_ns += ns;
	}
	return 0;
}

/* Takes the moments of one kind: each takes what no other of it that began earlier has, within
 * the run, which the tracer's own may leave. */
static int take(struct ct_calls_making *making, struct moments *moments,
		const struct ct_row_activity *const *row, size_t count, enum sharing sharing)
{
	uint64_t until_ns = making->part->begin_ns;
	size_t at = 0;
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		struct stretch stretch = {row[i]->begin_ns, row[i]->begin_ns + row[i]->duration_ns};

		if (sharing_of(row[i]) != sharing)
			continue;
		if (stretch.begin_ns < until_ns)
			stretch.begin_ns = until_ns;
		if (stretch.end_ns > making->part->end_ns)
			stretch.end_ns = making->part->end_ns;
		if (stretch.end_ns <= stretch.begin_ns)
			continue;
		err = credit(making, row[i], free_of(moments, &stretch, &at));
		moments->taking[moments->takings++] = stretch;
		until_ns = stretch.end_ns;
	}
	merge(moments);
	return err;
}

int ct_calls_add_shares(struct ct_calls_making *making)
{
	size_t count = making->activity_count;
	const struct ct_row_activity **row = malloc((count + 1) * sizeof(*row));
	struct stretch *room = malloc((3 * count + 1) * sizeof(*room));
	struct moments moments = {room, room + count, room + 2 * count, 0, 0};
	int err = row && room ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && err == 0; i++)
		row[i] = &making->activity[i];
	if (err == 0)
		qsort(row, count, sizeof(*row), by_begin);
	for (enum sharing sharing = 0; sharing < SHARES && err == 0; sharing++)
		err = take(making, &moments, row, count, sharing);
	free(row);
	free(room);
	return err;
}
