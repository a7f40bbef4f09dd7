/* SPDX-License-Identifier: Apache-2.0 */
/* Which process of those that fork made uses CUDA. */
#include "cpu-target/runtime/gate/gate.h"
#include "cpu-target/runtime/base/error_state.h"
#include <pthread.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#define PAGE_BYTES 4096

_Alignas(PAGE_BYTES) char ct_gate_open[PAGE_BYTES];
static pid_t owner; /* atomic; 0: none has used CUDA yet */

static void close_in_child(void)
{
	ct_gate_open[0] = 0;
}

/* fork() is reported, where the kernel does not clear the page; other ways to fork are not. */
__attribute__((constructor)) static void watch_forks(void)
{
	madvise(ct_gate_open, PAGE_BYTES, MADV_WIPEONFORK);
	pthread_atfork(NULL, NULL, close_in_child);
}

cudaError_t ct_gate_enter(void)
{
	pid_t none = 0, self = getpid();

	if (!__atomic_compare_exchange_n(&owner, &none, self, 0, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED) &&
	    none != self)
		return ct_error_set(cudaErrorInitializationError);
	__atomic_store_n(&ct_gate_open[0], 1, __ATOMIC_RELAXED);
	return cudaSuccess;
}

bool ct_gate_is_child(void)
{
	pid_t first = __atomic_load_n(&owner, __ATOMIC_RELAXED);

	return first && first != getpid();
}
