/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever takes the lock next notes what was missed while another thread held it. */
#include "host-rt/watch/ranges/lock.h"
#include "host-rt/watch/ranges/ranges.h"
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool is_mine;
static const char *missed; /* atomic: why */

bool ct_watch_lock(void)
{
	const char *reason;

	if (is_mine)
		return false;
	pthread_mutex_lock(&lock);
	is_mine = true;
	reason = __atomic_exchange_n(&missed, NULL, __ATOMIC_ACQUIRE);
	if (reason)
		ct_ranges_lose_all(reason);
	return true;
}

void ct_watch_unlock(void)
{
	is_mine = false;
	pthread_mutex_unlock(&lock);
}

bool ct_watch_lock_is_mine(void)
{
	return is_mine;
}

void ct_watch_lock_missed(const char *reason)
{
	__atomic_store_n(&missed, reason, __ATOMIC_RELEASE);
}
