/* SPDX-License-Identifier: Apache-2.0 */
/* Two lists in turns: one that grows, and one that the journal writes. */
#include "host-rt/content/rows.h"
#include "base/array.h"
#include <pthread.h>

struct rows {
	struct ct_row_content *list;
	size_t count, room;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rows coming, taken; /* the second is the journal's */
static uint64_t lost;             /* atomic */

void ct_contents_add(const struct ct_row_content *row)
{
	pthread_mutex_lock(&lock);
	if (ct_array_reserve(&coming.list, &coming.room, coming.count + 1, sizeof(*row)) == 0)
		coming.list[coming.count++] = *row;
	else
		ct_contents_lose(1);
	pthread_mutex_unlock(&lock);
}

void ct_contents_lose(uint64_t count)
{
	__atomic_add_fetch(&lost, count, __ATOMIC_RELAXED);
}

size_t ct_contents_take(struct ct_row_content **rows)
{
	struct rows fresh;

	pthread_mutex_lock(&lock);
	fresh = coming;
	coming = taken;
	coming.count = 0;
	taken = fresh;
	pthread_mutex_unlock(&lock);
	*rows = taken.list;
	return taken.count;
}

uint64_t ct_contents_lost(void)
{
	return __atomic_load_n(&lost, __ATOMIC_RELAXED);
}
