/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lock of what the threads' stacks share: modules, places, rows. Whoever holds it takes no
 * other lock but the allocator's; the dynamic loader's above all, whose holders may call CUDA.
 */
#ifndef CT_UNWIND_LOCK_H
#define CT_UNWIND_LOCK_H

#include <pthread.h>

extern pthread_mutex_t ct_stacks_lock;

#endif
