/* SPDX-License-Identifier: Apache-2.0 */
/* A tool of a few lines that counts calls and activities by CUPTI, for comparison: the driver loads
 * it by CUDA_INJECTION64_PATH. At the end: "count NAME N", outermost calls alone. */
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 2000

static CUpti_SubscriberHandle subscriber;
static unsigned long counts[2][CALLS], kernels, copies;
static const char *names[2][CALLS];
static _Thread_local unsigned depth;

int InitializeInjection(void);

static void CUPTIAPI on_call(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id,
			     const void *data)
{
	const CUpti_CallbackData *call = data;
	int of_driver = domain == CUPTI_CB_DOMAIN_DRIVER_API;

	(void)user;
	if (call->callbackSite == CUPTI_API_EXIT) {
		depth--;
		return;
	}
	if (depth++ == 0 && id < CALLS) {
		__atomic_add_fetch(&counts[of_driver][id], 1, __ATOMIC_RELAXED);
		names[of_driver][id] = call->functionName;
	}
}

static void CUPTIAPI want(uint8_t **buffer, size_t *bytes, size_t *most)
{
	*bytes = 1 << 20;
	*buffer = aligned_alloc(8, *bytes);
	*most = 0;
}

static void CUPTIAPI take(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes,
			  size_t valid)
{
	CUpti_Activity *record = NULL;

	(void)context;
	(void)stream;
	(void)bytes;
	while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
		kernels += record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
		copies += record->kind == CUPTI_ACTIVITY_KIND_MEMCPY;
	}
	free(buffer);
}

static void tell(void)
{
	cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
	for (int of_driver = 0; of_driver < 2; of_driver++)
		for (int id = 0; id < CALLS; id++)
			if (counts[of_driver][id])
				fprintf(stderr, "count %s %lu\n", names[of_driver][id],
					counts[of_driver][id]);
	fprintf(stderr, "count kernels %lu\ncount copies %lu\n", kernels, copies);
}

int InitializeInjection(void)
{
	cuptiSubscribe(&subscriber, on_call, NULL);
	cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
	cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
	cuptiActivityRegisterCallbacks(want, take);
	cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
	cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
	atexit(tell);
	return 1;
}
