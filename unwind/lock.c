/* SPDX-License-Identifier: Apache-2.0 */
/* The lock itself: it belongs to none of those who take it. */
#include "unwind/lock.h"

pthread_mutex_t ct_stacks_lock = PTHREAD_MUTEX_INITIALIZER;
