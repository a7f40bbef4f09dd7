/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What CUPTI itself costs, whatever is done with what it tells: a library for
 * CUDA_INJECTION64_PATH. CUPTI_COST: letters: k records of kernels, c empty callbacks at launches,
 * r records of launches in place of them, f a flush every 200 ms.
 */
#include <cupti.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static CUpti_SubscriberHandle subscriber;

int InitializeInjection(void);

static void CUPTIAPI on_call(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id,
			     const void *data)
{
	(void)user;
	(void)domain;
	(void)id;
	(void)data;
}

static void CUPTIAPI want(uint8_t **buffer, size_t *bytes, size_t *most)
{
	const char *text = getenv("CUPTI_COST_BUFFER");

	*bytes = text ? strtoul(text, NULL, 0) : 1 << 20;
	*buffer = aligned_alloc(8, *bytes);
	*most = 0;
}

static void CUPTIAPI take(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes,
			  size_t valid)
{
	(void)context;
	(void)stream;
	(void)bytes;
	(void)valid;
	free(buffer);
}

static void *flush(void *unused)
{
	for (;;) {
		usleep(200000);
		cuptiActivityFlushAll(0);
	}
	return unused;
}

int InitializeInjection(void)
{
	const char *what = getenv("CUPTI_COST");
	pthread_t thread;

	what = what ? what : "";
	cuptiActivityRegisterCallbacks(want, take);
	if (strchr(what, 'c')) {
		cuptiSubscribe(&subscriber, on_call, NULL);
		cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API,
				    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
	}
	if (strchr(what, 'k'))
		cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
	if (strchr(what, 'r'))
		cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME);
	if (strchr(what, 'f'))
		pthread_create(&thread, NULL, flush, NULL);
	return 1;
}
