/* SPDX-License-Identifier: Apache-2.0 */
/* Compilations, of which there are some for each module, and waits. */
#include "host-rt/activities/told.h"
#include "base/array.h"
#include "host-rt/calls/log.h"
#include <pthread.h>
#include <string.h>

#define ROWS_MAX (1u << 20) /* of more that come at once the rest is left out */

struct rows {
	char *list;
	size_t count, room;
};

/* Of one table. */
struct told {
	size_t row_bytes;
	struct rows coming, taken; /* the second is the journal's */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct told compiles = {.row_bytes = sizeof(struct ct_row_compile)};
static struct told syncs = {.row_bytes = sizeof(struct ct_row_sync)};

static void add(struct told *told, const void *row)
{
	struct rows *rows = &told->coming;

	if (ct_log_is_closed())
		return;
	pthread_mutex_lock(&lock);
	if (rows->count < ROWS_MAX &&
	    ct_array_reserve(&rows->list, &rows->room, rows->count + 1, told->row_bytes) == 0)
		memcpy(rows->list + rows->count++ * told->row_bytes, row, told->row_bytes);
	pthread_mutex_unlock(&lock);
}

static size_t take(struct told *told, char **list)
{
	struct rows spare = told->taken;

	pthread_mutex_lock(&lock);
	told->taken = told->coming;
	told->coming = spare;
	told->coming.count = 0;
	pthread_mutex_unlock(&lock);
	*list = told->taken.list;
	return told->taken.count;
}

void ct_told_compile(const struct ct_row_compile *row)
{
	add(&compiles, row);
}

void ct_told_sync(const struct ct_row_sync *row)
{
	add(&syncs, row);
}

size_t ct_told_compiles(struct ct_row_compile **rows)
{
	char *list;
	size_t count = take(&compiles, &list);

	*rows = (struct ct_row_compile *)(void *)list;
	return count;
}

size_t ct_told_syncs(struct ct_row_sync **rows)
{
	char *list;
	size_t count = take(&syncs, &list);

	*rows = (struct ct_row_sync *)(void *)list;
	return count;
}
