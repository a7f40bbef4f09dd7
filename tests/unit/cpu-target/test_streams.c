/* SPDX-License-Identifier: Apache-2.0 */
/* Streams, events and launches of the CPU target. */
#include "tests/unit/cpu-target/kernels.h"
#include <criterion/criterion.h>
#include <cuda.h>
#include <dirent.h>
#include <pthread.h>
#include <unistd.h>

#define OK(call) cr_assert_eq((call), cudaSuccess, #call)
#define FAILS(call, error) cr_assert_eq((call), (error), #call)

static int *host; /* pinned */
static int *open_gate;

static void open_device(void)
{
	OK(cudaHostAlloc((void **)&host, 4096, cudaHostAllocDefault));
	OK(cudaHostAlloc((void **)&open_gate, sizeof(int), cudaHostAllocMapped));
	memset(host, 0, 4096);
	*open_gate = 0;
}

TestSuite(cpu_streams, .init = open_device, .timeout = 30);

static cudaError_t launch_add(int *data, int n, int value, cudaStream_t stream)
{
	void *args[] = {&data, &n, &value};

	return cudaLaunchKernel(&stub_add, (dim3){((unsigned)n + 63) / 64, 1, 1}, (dim3){64, 1, 1},
				args, 0, stream);
}

static void launch_gate(cudaStream_t stream)
{
	void *args[] = {&open_gate};

	OK(cudaLaunchKernel(&stub_gate, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, stream));
}

static void release_gate(void)
{
	__atomic_store_n(open_gate, 1, __ATOMIC_RELEASE);
}

Test(cpu_streams, a_kernel_runs_and_its_result_is_copied)
{
	int *data, result[1000], n = 1000;

	OK(cudaMalloc((void **)&data, sizeof(result)));
	OK(cudaMemset(data, 0, sizeof(result)));
	OK(launch_add(data, n, 3, NULL));
	OK(launch_add(data, n, 4, NULL));
	OK(cudaMemcpy(result, data, sizeof(result), cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		cr_assert_eq(result[i], 7);
	OK(cudaFree(data));
}

Test(cpu_streams, a_launch_returns_before_the_kernel_has_run)
{
	cudaStream_t stream;

	OK(cudaStreamCreate(&stream));
	launch_gate(stream);
	FAILS(cudaStreamQuery(stream), cudaErrorNotReady);
	FAILS(cudaGetLastError(), cudaErrorNotReady);
	release_gate();
	OK(cudaStreamSynchronize(stream));
	OK(cudaStreamQuery(stream));
	OK(cudaStreamDestroy(stream));
	FAILS(cudaStreamQuery(stream), cudaErrorInvalidResourceHandle);
}

Test(cpu_streams, the_legacy_stream_waits_for_blocking_streams_and_they_for_it)
{
	cudaStream_t blocking;

	OK(cudaStreamCreate(&blocking));
	launch_gate(blocking);
	OK(launch_add(host, 1, 1, NULL));
	OK(launch_add(host, 1, 2, blocking));
	FAILS(cudaStreamQuery(NULL), cudaErrorNotReady);
	usleep(20000);
	cr_assert_eq(host[0], 0);
	release_gate();
	OK(cudaStreamSynchronize(blocking));
	cr_assert_eq(host[0], 3);
}

static void *open_later(void *delay_us)
{
	usleep((useconds_t)(uintptr_t)delay_us);
	release_gate();
	return NULL;
}

Test(cpu_streams, a_copy_in_an_idle_blocking_stream_waits_for_the_legacy_stream)
{
	cudaStream_t blocking;
	pthread_t thread;
	int result = 0;

	OK(cudaStreamCreate(&blocking));
	launch_gate(NULL);
	OK(launch_add(host, 1, 9, NULL));
	pthread_create(&thread, NULL, open_later, (void *)20000);
	OK(cudaMemcpyAsync(&result, host, sizeof(int), cudaMemcpyDefault, blocking));
	cr_assert_eq(result, 9);
	pthread_join(thread, NULL);
}

Test(cpu_streams, a_nonblocking_stream_does_not_wait_for_the_legacy_stream)
{
	cudaStream_t stream;

	OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	launch_gate(NULL);
	OK(launch_add(host, 1, 1, stream));
	OK(cudaStreamSynchronize(stream));
	cr_assert_eq(host[0], 1);
	FAILS(cudaStreamQuery(NULL), cudaErrorNotReady);
	release_gate();
	OK(cudaDeviceSynchronize());
}

Test(cpu_streams, per_thread_default_streams_are_independent)
{
	launch_gate(cudaStreamPerThread);
	cr_assert_eq(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
	release_gate();
	OK(cudaStreamSynchronize(cudaStreamPerThread));
}

Test(cpu_streams, a_stream_waits_for_an_event_of_another)
{
	cudaStream_t first, second;
	cudaEvent_t event;

	OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
	OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
	OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	launch_gate(first);
	OK(launch_add(host, 1, 5, first));
	OK(cudaEventRecord(event, first));
	OK(cudaStreamWaitEvent(second, event, 0));
	OK(cudaMemcpyAsync(host + 1, host, sizeof(int), cudaMemcpyDefault, second));
	FAILS(cudaEventQuery(event), cudaErrorNotReady);
	release_gate();
	OK(cudaStreamSynchronize(second));
	cr_assert_eq(host[1], 5);
	OK(cudaEventQuery(event));
	OK(cudaEventDestroy(event));
	FAILS(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
}

Test(cpu_streams, events_measure_the_time_between_them)
{
	cudaEvent_t start, end;
	float ms;

	OK(cudaEventCreate(&start));
	OK(cudaEventCreate(&end));
	OK(cudaEventRecord(start, NULL));
	OK(cudaEventSynchronize(start));
	launch_gate(NULL);
	OK(cudaEventRecord(end, NULL));
	FAILS(cudaEventElapsedTime(&ms, start, end), cudaErrorNotReady);
	usleep(30000);
	release_gate();
	OK(cudaEventSynchronize(end));
	OK(cudaEventElapsedTime(&ms, start, end));
	cr_assert(ms >= 29, "%f ms", ms); /* it slept for 30 ms in between */
}

static void set_host(void *value)
{
	host[0] = *(int *)value;
}

Test(cpu_streams, host_functions_run_in_order)
{
	int seven = 7;

	OK(cudaLaunchHostFunc(NULL, set_host, &seven));
	OK(launch_add(host, 1, 1, NULL));
	OK(cudaDeviceSynchronize());
	cr_assert_eq(host[0], 8);
}

static void synchronise(void *error)
{
	*(cudaError_t *)error = cudaDeviceSynchronize();
}

Test(cpu_streams, a_host_function_may_not_wait_for_the_device)
{
	cudaError_t error = cudaSuccess;

	OK(cudaLaunchHostFunc(NULL, synchronise, &error));
	OK(cudaDeviceSynchronize());
	cr_assert_eq(error, cudaErrorNotPermitted);
}

Test(cpu_streams, work_of_a_destroyed_stream_still_runs)
{
	cudaStream_t stream;

	OK(cudaStreamCreate(&stream));
	launch_gate(stream);
	OK(launch_add(host, 1, 1, stream));
	OK(cudaStreamDestroy(stream));
	release_gate();
	OK(cudaDeviceSynchronize());
	cr_assert_eq(host[0], 1);
}

/* Each waits for an event of the one before, the first one for the gate, the legacy stream for all.
 */
Test(cpu_streams, work_of_many_streams_runs_in_order)
{
	enum { STREAMS = 500 };
	cudaStream_t streams[STREAMS];
	cudaEvent_t event;

	OK(cudaEventCreate(&event));
	for (int i = 0; i < STREAMS; i++) {
		OK(cudaStreamCreate(&streams[i]));
		if (i)
			OK(cudaStreamWaitEvent(streams[i], event, 0));
		else
			launch_gate(streams[i]);
		OK(launch_add(&host[i ? 1 : 0], 1, 1, streams[i]));
		OK(cudaEventRecord(event, streams[i]));
	}
	OK(launch_add(&host[2], 1, 1, NULL));
	for (int i = 0; i < STREAMS; i += 2) {
		OK(cudaStreamDestroy(streams[i]));
		FAILS(cudaStreamQuery(streams[i]), cudaErrorInvalidResourceHandle);
	}
	for (int i = 1; i < STREAMS; i += 2) {
		FAILS(cudaStreamQuery(streams[i]), cudaErrorNotReady);
		OK(launch_add(&host[1], 1, 1, streams[i]));
	}
	OK(launch_add(&host[2], 1, 1, NULL));
	cr_assert_eq(host[0] + host[1] + host[2], 0);
	release_gate();
	OK(cudaStreamSynchronize(NULL));
	cr_assert_eq(host[0], 1);
	cr_assert_eq(host[1], STREAMS - 1 + STREAMS / 2);
	cr_assert_eq(host[2], 2);
	OK(cudaDeviceSynchronize());
}

static size_t count_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	size_t count = 0;

	while (readdir(tasks))
		count++;
	closedir(tasks);
	return count;
}

Test(cpu_streams, streams_without_work_have_no_threads)
{
	cudaStream_t streams[500];
	size_t before;

	OK(launch_add(host, 1, -1, NULL));
	OK(cudaDeviceSynchronize());
	before = count_threads();
	for (int i = 0; i < 500; i++) {
		OK(cudaStreamCreate(&streams[i]));
		OK(launch_add(host, 1, 1, streams[i]));
		OK(cudaStreamSynchronize(streams[i]));
	}
	cr_assert_eq(host[0], 499);
	cr_assert_lt(count_threads(), before + 100);
	for (int i = 0; i < 500; i++)
		OK(cudaStreamDestroy(streams[i]));
}

Test(cpu_streams, configurations_beyond_the_limits_are_refused)
{
	int n = 1, value = 1;
	void *args[] = {&host, &n, &value};
	const dim3 one = {1, 1, 1};
	const dim3 bad_blocks[] = {{1025, 1, 1}, {0, 1, 1}, {1, 1, 65}, {64, 32, 1}};
	const dim3 bad_grids[] = {{0, 1, 1}, {1, 65536, 1}, {1, 1, 65536}};

	for (unsigned i = 0; i < sizeof(bad_blocks) / sizeof(*bad_blocks); i++)
		FAILS(cudaLaunchKernel(&stub_add, one, bad_blocks[i], args, 0, NULL),
		      cudaErrorInvalidValue);
	for (unsigned i = 0; i < sizeof(bad_grids) / sizeof(*bad_grids); i++)
		FAILS(cudaLaunchKernel(&stub_add, bad_grids[i], one, args, 0, NULL),
		      cudaErrorInvalidValue);
	FAILS(cudaPeekAtLastError(), cudaErrorInvalidValue);
	FAILS(cudaGetLastError(), cudaErrorInvalidValue);
	OK(cudaGetLastError());
	OK(cudaDeviceSynchronize());
	FAILS(cudaLaunchKernel(&stub_bounded, one, (dim3){65, 1, 1}, NULL, 0, NULL),
	      cudaErrorInvalidValue);
}

Test(cpu_streams, much_dynamic_shared_memory_must_be_asked_for)
{
	const dim3 one = {1, 1, 1};

	FAILS(cudaLaunchKernel(&stub_bounded, one, one, NULL, 100 << 10, NULL),
	      cudaErrorInvalidValue);
	OK(cudaFuncSetAttribute(&stub_bounded, cudaFuncAttributeMaxDynamicSharedMemorySize,
				100 << 10));
	OK(cudaLaunchKernel(&stub_bounded, one, one, NULL, 100 << 10, NULL));
	OK(cudaDeviceSynchronize());
	FAILS(cudaFuncSetAttribute(&stub_bounded, cudaFuncAttributeMaxDynamicSharedMemorySize,
				   228 << 10),
	      cudaErrorInvalidValue);
}

Test(cpu_streams, unknown_and_foreign_kernels_are_refused)
{
	const dim3 one = {1, 1, 1};
	int unknown = 0;

	FAILS(cudaLaunchKernel(&unknown, one, one, NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
	FAILS(cudaLaunchKernel(&stub_foreign, one, one, NULL, 0, NULL),
	      cudaErrorInvalidDeviceFunction);
}

Test(cpu_streams, a_fault_is_reported_later_and_stays)
{
	const dim3 one = {1, 1, 1};
	void *address;

	OK(cudaLaunchKernel(&stub_fault, one, one, NULL, 0, NULL));
	FAILS(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
	FAILS(cudaMalloc(&address, 16), cudaErrorLaunchFailure);
	FAILS(launch_add(host, 1, 1, NULL), cudaErrorLaunchFailure);
	FAILS(cudaGetLastError(), cudaErrorLaunchFailure);
	OK(cudaGetLastError());
	FAILS(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
	cr_assert_eq(host[0], 0);
}

static void *use_own_stream(void *argument)
{
	int *slot = argument;

	for (int i = 0; i < 50; i++)
		if (launch_add(slot, 1, 1, cudaStreamPerThread))
			return NULL;
	cudaStreamSynchronize(cudaStreamPerThread);
	return slot;
}

Test(cpu_streams, host_threads_use_the_device_at_once)
{
	pthread_t threads[4];
	void *slot;

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, use_own_stream, &host[i]);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &slot);
		cr_assert_eq(slot, &host[i]);
		cr_assert_eq(host[i], 50);
	}
}

Test(cpu_streams, the_context_of_a_stream_can_be_pushed)
{
	CUcontext context = NULL, popped = NULL;
	cudaStream_t stream;
	CUdevice device = -1;

	OK(cudaStreamCreate(&stream));
	cr_assert_eq(cuStreamGetCtx(stream, &context), CUDA_SUCCESS);
	cr_assert_eq(cuCtxPushCurrent(context), CUDA_SUCCESS);
	cr_assert_eq(cuCtxGetDevice(&device), CUDA_SUCCESS);
	cr_assert_eq(device, 0);
	cr_assert_eq(cuCtxPopCurrent(&popped), CUDA_SUCCESS);
	cr_assert(popped && popped == context);
	cr_assert_eq(cuStreamGetCtx(stream, NULL), CUDA_ERROR_INVALID_VALUE);
	cr_assert_eq(cuCtxPushCurrent(NULL), CUDA_ERROR_INVALID_CONTEXT);
	cr_assert_eq(cuCtxPushCurrent((CUcontext)&stream), CUDA_ERROR_INVALID_CONTEXT);
	OK(cudaStreamDestroy(stream));
}
