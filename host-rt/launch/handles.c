/* SPDX-License-Identifier: Apache-2.0 */
/* Handles of kernels: a short list, since programs ask for few. */
#include "host-rt/launch/handles.h"
#include <cudatrace/host.h>
#include <pthread.h>
#include <stdlib.h>

struct handle {
	struct handle *next;
	const void *handle;
	struct ct_kernel *kernel;
};

static pthread_mutex_t handles_lock = PTHREAD_MUTEX_INITIALIZER;
static struct handle *handles;

static struct handle *find(const void *handle)
{
	struct handle *known = handles;

	while (known && known->handle != handle)
		known = known->next;
	return known;
}

/* A handle may come again for another kernel, after a context has gone. */
void ct_handles_note(const void *handle, const void *other)
{
	struct ct_kernel *kernel = ct_handles_kernel(other);
	struct handle *known;

	if (!kernel)
		return;
	pthread_mutex_lock(&handles_lock);
	known = find(handle);
	if (!known) {
		known = calloc(1, sizeof(*known));
		if (known) {
			known->handle = handle;
			known->next = handles;
			handles = known;
		}
	}
	if (known)
		known->kernel = kernel;
	pthread_mutex_unlock(&handles_lock);
}

struct ct_kernel *ct_handles_kernel(const void *function)
{
	struct ct_kernel *kernel = ct_registry_kernel(function);
	struct handle *known;

	if (kernel || !__atomic_load_n(&handles, __ATOMIC_RELAXED))
		return kernel;
	pthread_mutex_lock(&handles_lock);
	known = find(function);
	kernel = known ? known->kernel : NULL;
	pthread_mutex_unlock(&handles_lock);
	return kernel;
}

const void *__ct_kernel_clone(const void *function)
{
	const struct ct_kernel *kernel = ct_handles_kernel(function);

	return kernel ? kernel->clone : NULL;
}
