/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library that plays CUDA's runtime and driver, far enough for what watches them: the driver
 * loads the library that CUDA_INJECTION64_PATH names, the runtime makes calls of the driver, both
 * tell CUPTI (the library that CUDATRACE_CUPTI names, where somebody has loaded it). It is compiled
 * without unwind information, as the driver's own library is.
 */
#include "tests/cli/inject/fake_cuda.h"
#include "tests/cli/inject/fake_cupti.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct fake_cupti *cupti; /* NULL: none watches */

static void load_tool(void)
{
	const char *path = getenv("CUDA_INJECTION64_PATH");
	void *tool = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*begin)(void);

	if (path && !tool)
		fprintf(stderr, "fake_cuda: %s\n", dlerror());
	if (!tool)
		return;
	*(void **)&begin = dlsym(tool, "InitializeInjection");
	if (begin)
		begin();
}

static void find_cupti(void)
{
	const char *path = getenv("CUDATRACE_CUPTI");
	void *library = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;

	cupti = library ? dlsym(library, "fake_cupti") : NULL;
}

static void begin(void)
{
	load_tool();
	find_cupti();
}

int play_cuInit(unsigned flags)
{
	pthread_once(&once, begin);
	return (int)flags;
}

/* Frames of other sizes from call to call, with words of earlier calls in them, as in the real one.
 */
static __attribute__((noinline)) void tell(enum fake_call call, bool begins, uint32_t *correlation,
					   int result)
{
	volatile char room[512 + 16 * call];

	room[0] = 0;
	if (cupti)
		cupti->call(call, begins, correlation, result);
	room[sizeof(room) - 1] = room[0];
}

#define CALL(name, result, ...)                                                                    \
	uint32_t correlation = 0;                                                                  \
	int returned;                                                                              \
                                                                                                   \
	play_cuInit(0);                                                                            \
	tell(FAKE_##name, true, &correlation, 0);                                                  \
	__VA_ARGS__                                                                                \
	returned = (result);                                                                       \
	tell(FAKE_##name, false, &correlation, returned);                                          \
	return returned

static void record_kernel(uint32_t correlation)
{
	CUpti_ActivityKernel10 kernel = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
					 .correlationId = correlation,
					 .streamId = 7,
					 .name = "_Z4stepPi",
					 .gridX = 2,
					 .gridY = 1,
					 .gridZ = 1,
					 .blockX = 32,
					 .blockY = 1,
					 .blockZ = 1};

	if (!cupti)
		return;
	kernel.start = cupti->now();
	kernel.end = kernel.start + 1000;
	cupti->record(&kernel, sizeof(kernel));
}

static void record_copy(uint32_t correlation, size_t bytes, bool to_host)
{
	CUpti_ActivityMemcpy6 copy = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY,
				      .copyKind = to_host ? CUPTI_ACTIVITY_MEMCPY_KIND_DTOH
							  : CUPTI_ACTIVITY_MEMCPY_KIND_HTOD,
				      .correlationId = correlation,
				      .streamId = 7,
				      .bytes = bytes};

	if (!cupti)
		return;
	copy.start = cupti->now();
	copy.end = cupti->now();
	cupti->record(&copy, sizeof(copy));
}

/* The first launch has the driver compile the kernel, and keep that. */
static void record_compilation(uint32_t correlation)
{
	static bool is_compiled;
	CUpti_ActivityJit2 jit = {.kind = CUPTI_ACTIVITY_KIND_JIT,
				  .jitEntryType = CUPTI_ACTIVITY_JIT_ENTRY_PTX_TO_CUBIN,
				  .jitOperationType = CUPTI_ACTIVITY_JIT_OPERATION_COMPILE,
				  .correlationId = correlation,
				  .cacheSize = 4096};

	if (!cupti || __atomic_exchange_n(&is_compiled, true, __ATOMIC_RELAXED))
		return;
	jit.start = cupti->now();
	jit.end = jit.start + 3000;
	cupti->record(&jit, sizeof(jit));
	jit.jitOperationType = CUPTI_ACTIVITY_JIT_OPERATION_CACHE_STORE;
	cupti->record(&jit, sizeof(jit));
}

/* One that is refused waits for nothing. */
static void record_wait(uint32_t correlation, bool is_refused)
{
	CUpti_ActivitySynchronization2 wait = {
	    .kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
	    .type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE,
	    .correlationId = correlation,
	    .streamId = 7};

	if (!cupti || is_refused)
		return;
	wait.start = cupti->now();
	wait.end = wait.start + 2000;
	cupti->record(&wait, sizeof(wait));
}

int play_cuMemAlloc_v2(void **data, size_t bytes)
{
	CALL(cuMemAlloc, *data ? 0 : 2, *data = malloc(bytes););
}

int play_cuMemcpyHtoD_v2(void *to, const void *from, size_t bytes)
{
	CALL(cuMemcpyHtoD, 0, memcpy(to, from, bytes););
}

int play_cuLaunchKernel(void (*kernel)(void))
{
	CALL(cuLaunchKernel, 0, kernel(););
}

int play_cudaMalloc(void **data, size_t bytes)
{
	CALL(cudaMalloc, play_cuMemAlloc_v2(data, bytes), );
}

int play_cudaMemcpy(void *to, const void *from, size_t bytes, bool to_host)
{
	CALL(cudaMemcpy, play_cuMemcpyHtoD_v2(to, from, bytes),
	     record_copy(correlation, bytes, to_host););
}

int play_cudaLaunchKernel(void (*kernel)(void))
{
	CALL(cudaLaunchKernel, play_cuLaunchKernel(kernel), record_compilation(correlation);
	     record_kernel(correlation););
}

int play_cudaStreamSynchronize(void *stream)
{
	CALL(cudaStreamSynchronize, stream ? 400 : 0, record_wait(correlation, stream != NULL););
}

int play_cudaGetLastError(void)
{
	CALL(cudaGetLastError, 0, );
}

int play_cudaStreamBeginCapture(void)
{
	CALL(cudaStreamBeginCapture, 0, );
}
