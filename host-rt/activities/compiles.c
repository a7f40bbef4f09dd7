/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver has compiled: some for each module, at most. */
#include "host-rt/activities/compiles.h"
#include "base/array.h"
#include "host-rt/calls/log.h"
#include <pthread.h>

struct rows {
	struct ct_row_compile *list;
	size_t count, room;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rows coming, taken; /* the second is the journal's */

void ct_compiles_happened(const struct ct_row_compile *row)
{
	if (ct_log_is_closed())
		return;
	pthread_mutex_lock(&lock);
	if (ct_array_reserve(&coming.list, &coming.room, coming.count + 1, sizeof(*coming.list)) ==
	    0)
		coming.list[coming.count++] = *row;
	pthread_mutex_unlock(&lock);
}

size_t ct_compiles_take(struct ct_row_compile **rows)
{
	struct rows spare = taken;

	pthread_mutex_lock(&lock);
	taken = coming;
	coming = spare;
	coming.count = 0;
	pthread_mutex_unlock(&lock);
	*rows = taken.list;
	return taken.count;
}
