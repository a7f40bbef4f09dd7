/* SPDX-License-Identifier: Apache-2.0 */
/* The calls, and the question. */
#include "driver/calibrate/probe.h"

#include "driver/calibrate/busy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name for each row: its line. */
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define CT_PROBED(function, variant, stream, prepare, ask, finish)                                 \
	static cudaError_t JOIN(before_, __LINE__)(struct ct_probe * p)                            \
	{                                                                                          \
		(void)p;                                                                           \
		return (cudaError_t)(prepare);                                                     \
	}                                                                                          \
	static cudaError_t JOIN(call_, __LINE__)(struct ct_probe * p)                              \
	{                                                                                          \
		(void)p;                                                                           \
		return (cudaError_t)(ask);                                                         \
	}                                                                                          \
	static cudaError_t JOIN(after_, __LINE__)(struct ct_probe * p)                             \
	{                                                                                          \
		(void)p;                                                                           \
		return (cudaError_t)(finish);                                                      \
	}
#include "driver/calibrate/probed.def"

#define TAKES true
#define ITS_OWN false
const struct ct_probed ct_probed[] = {
#define CT_PROBED(function, variant, stream, prepare, ask, finish)                                 \
	{#function,                                                                                \
	 variant,                                                                                  \
	 stream,                                                                                   \
	 JOIN(before_, __LINE__),                                                                  \
	 JOIN(call_, __LINE__),                                                                    \
	 JOIN(after_, __LINE__)},
#include "driver/calibrate/probed.def"
};
const unsigned ct_probed_count = sizeof(ct_probed) / sizeof(ct_probed[0]);

static int check(cudaError_t error)
{
	if (error == cudaSuccess)
		return 0;
	fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return -1;
}

int ct_probe_init(struct ct_probe *probe, unsigned long long busy_ns)
{
	*probe = (struct ct_probe){.busy_ns = busy_ns};
	if (check(cudaStreamCreate(&probe->blocking)) < 0 ||
	    check(cudaStreamCreateWithFlags(&probe->non_blocking, cudaStreamNonBlocking)) < 0 ||
	    check(cudaMalloc((void **)&probe->device, CT_PROBE_BYTES)) < 0 ||
	    check(cudaMallocHost((void **)&probe->pinned, CT_PROBE_BYTES)) < 0 ||
	    check(cudaMallocManaged((void **)&probe->managed, CT_PROBE_BYTES,
				    cudaMemAttachGlobal)) < 0 ||
	    check(cudaEventCreate(&probe->event)) < 0 ||
	    check(cudaEventCreate(&probe->busy_done)) < 0 ||
	    check(cudaGraphCreate(&probe->graph, 0)) < 0 || ct_busy_init() < 0)
		return -1;
	probe->symbol = ct_busy_symbol();
	probe->pageable = malloc(CT_PROBE_BYTES);
	if (!probe->pageable) {
		fprintf(stderr, "out of memory\n");
		return -1;
	}
	memset(probe->pageable, 1, CT_PROBE_BYTES);
	return 0;
}

static cudaStream_t stream_of(const struct ct_probe *probe, enum ct_probe_place place)
{
	switch (place) {
	case CT_PROBE_BLOCKING:
		return probe->blocking;
	case CT_PROBE_NON_BLOCKING:
	case CT_PROBE_OWN:
		return probe->non_blocking;
	default:
		return NULL;
	}
}

/* The stream itself may have work of the call afterwards: the event tells. */
static enum ct_probe_answer ask_once(struct ct_probe *probe, const struct ct_probed *probed,
				     cudaStream_t busy, unsigned long long busy_ns)
{
	enum ct_probe_answer answer = CT_PROBE_UNKNOWN;
	cudaError_t error = probed->before(probe);

	if (error == cudaSuccess)
		error = cudaDeviceSynchronize();
	if (error == cudaSuccess && ct_busy_begin(busy, busy_ns) < 0)
		return CT_PROBE_UNKNOWN;
	if (error == cudaSuccess)
		error = cudaEventRecord(probe->busy_done, busy);
	if (error == cudaSuccess)
		error = probed->call(probe);
	if (error == cudaSuccess || error == cudaErrorNotReady)
		answer =
		    cudaEventQuery(probe->busy_done) == cudaSuccess ? CT_PROBE_YES : CT_PROBE_NO;
	cudaDeviceSynchronize();
	if (answer != CT_PROBE_UNKNOWN)
		probed->after(probe);
	cudaDeviceSynchronize();
	cudaGetLastError();
	return answer;
}

enum ct_probe_answer ct_probe_ask(struct ct_probe *probe, const struct ct_probed *probed,
				  enum ct_probe_place place)
{
	cudaStream_t busy = stream_of(probe, place);
	enum ct_probe_answer answer = CT_PROBE_YES;

	if (place == CT_PROBE_OWN && !probed->takes_stream)
		return CT_PROBE_UNKNOWN;
	probe->stream = place == CT_PROBE_OWN ? busy : NULL;
	/* Work that a call does the first time only is no answer. */
	if (ask_once(probe, probed, busy, 0) == CT_PROBE_UNKNOWN)
		return CT_PROBE_UNKNOWN;
	for (unsigned i = 0; i < CT_PROBE_TRIES && answer == CT_PROBE_YES; i++)
		answer = ask_once(probe, probed, busy, probe->busy_ns);
	return answer;
}
