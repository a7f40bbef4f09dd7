/* SPDX-License-Identifier: Apache-2.0 */
/* Compilations, of which there are some for each module, and waits. */
#include "host-rt/activities/reported.h"
#include "base/array.h"
#include "host-rt/calls/log.h"
#include <pthread.h>
#include <string.h>

#define ROWS_MAX (1u << 20) /* of more that come at once the rest is left out */

struct rows {
	char *list;
	size_t count, room;
};

/* The rows of one table. */
struct reported {
	size_t row_bytes;
	struct rows coming, taken; /* the second is the journal's */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct reported compiles = {.row_bytes = sizeof(struct ct_row_compile)};
static struct reported syncs = {.row_bytes = sizeof(struct ct_row_sync)};

static void add(struct reported *reported, const void *row)
{
	struct rows *rows = &reported->coming;

	if (ct_log_is_closed())
		return;
	pthread_mutex_lock(&lock);
	if (rows->count < ROWS_MAX &&
	    ct_array_reserve(&rows->list, &rows->room, rows->count + 1, reported->row_bytes) == 0)
		memcpy(rows->list + rows->count++ * reported->row_bytes, row, reported->row_bytes);
	pthread_mutex_unlock(&lock);
}

static size_t take(struct reported *reported, char **list)
{
	struct rows spare = reported->taken;

	pthread_mutex_lock(&lock);
	reported->taken = reported->coming;
	reported->coming = spare;
	reported->coming.count = 0;
	pthread_mutex_unlock(&lock);
	*list = reported->taken.list;
	return reported->taken.count;
}

void ct_reported_compile(const struct ct_row_compile *row)
{
	add(&compiles, row);
}

void ct_reported_sync(const struct ct_row_sync *row)
{
	add(&syncs, row);
}

size_t ct_reported_compiles(struct ct_row_compile **rows)
{
	char *list;
	size_t count = take(&compiles, &list);

	*rows = (struct ct_row_compile *)(void *)list;
	return count;
}

size_t ct_reported_syncs(struct ct_row_sync **rows)
{
	char *list;
	size_t count = take(&syncs, &list);

	*rows = (struct ct_row_sync *)(void *)list;
	return count;
}
