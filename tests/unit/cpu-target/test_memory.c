/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations, copies, fills and symbols of the CPU target. */
#include "tests/unit/cpu-target/kernels.h"
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#define OK(call) cr_assert_eq((call), cudaSuccess, #call)
#define FAILS(call, error) cr_assert_eq((call), (error), #call)

TestSuite(cpu_memory, .timeout = 30);

Test(cpu_memory, allocations_are_aligned_and_freed_once)
{
	char *address;
	int local;

	OK(cudaMalloc((void **)&address, 1));
	cr_assert_eq((uintptr_t)address % 256, 0);
	FAILS(cudaFree(address + 1), cudaErrorInvalidValue);
	FAILS(cudaFreeHost(address), cudaErrorInvalidValue);
	OK(cudaFree(address));
	FAILS(cudaFree(address), cudaErrorInvalidValue);
	FAILS(cudaFree(&local), cudaErrorInvalidValue);
	OK(cudaFree(NULL));
	OK(cudaMalloc((void **)&address, 0));
	cr_assert_null(address);
	FAILS(cudaMalloc(NULL, 1), cudaErrorInvalidValue);
}

/* As kernels with errors do it: the memory belongs to no allocation, and the next calls find all in
 * order. */
Test(cpu_memory, what_is_beside_an_allocation_or_was_freed_can_be_accessed)
{
	char *addresses[3];

	for (int i = 0; i < 3; i++)
		OK(cudaMalloc((void **)&addresses[i], 100));
	for (int i = 0; i < 3; i++) {
		memset(addresses[i] - 5000, i, 5000);
		memset(addresses[i] + 100, i, 5000);
	}
	OK(cudaFree(addresses[1]));
	memset(addresses[1], 7, 100);
	OK(cudaMalloc((void **)&addresses[1], 100));
	memset(addresses[1], 8, 100);
	for (int i = 0; i < 3; i++)
		OK(cudaFree(addresses[i]));
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_QUARANTINED true /* AddressSanitizer keeps what was freed for itself */
#endif
#endif
#ifndef IS_QUARANTINED
#define IS_QUARANTINED false
#endif

Test(cpu_memory, what_was_freed_is_used_again, .disabled = IS_QUARANTINED)
{
	char *addresses[100];
	int again = 0;

	for (int i = 0; i < 100; i++) {
		OK(cudaMalloc((void **)&addresses[i], 1 << 20));
		OK(cudaFree(addresses[i]));
		for (int j = 0; j < i; j++)
			again += addresses[j] == addresses[i];
	}
	cr_assert_gt(again, 0);
}

Test(cpu_memory, too_much_is_an_error_and_not_a_crash)
{
	size_t free_bytes, total_bytes;
	void *address;

	OK(cudaMemGetInfo(&free_bytes, &total_bytes));
	FAILS(cudaMalloc(&address, total_bytes + 1), cudaErrorMemoryAllocation);
	FAILS(cudaMalloc(&address, SIZE_MAX), cudaErrorMemoryAllocation);
	FAILS(cudaGetLastError(), cudaErrorMemoryAllocation);
	OK(cudaGetLastError());
	OK(cudaMalloc(&address, 1 << 20));
	size_t less;
	OK(cudaMemGetInfo(&less, &total_bytes));
	cr_assert_eq(free_bytes - less, 1 << 20);
}

Test(cpu_memory, copies_are_checked_against_their_allocations)
{
	char *device, host[64];

	OK(cudaMalloc((void **)&device, 32));
	FAILS(cudaMemcpy(device, host, 33, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	FAILS(cudaMemcpy(device + 1, host, 32, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	FAILS(cudaMemcpy(host, host, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	FAILS(cudaMemcpy(host, device, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	FAILS(cudaMemcpy(host, device, 8, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
	FAILS(cudaMemset(device, 0, 33), cudaErrorInvalidValue);
	OK(cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice));
}

Test(cpu_memory, rows_and_planes_are_copied_with_their_pitches)
{
	struct cudaPitchedPtr pitched;
	struct cudaExtent extent = {10, 4, 3};
	struct cudaMemcpy3DParms parameters = {.extent = extent, .kind = cudaMemcpyHostToDevice};
	char source[3][4][10], result[3][4][10];

	memset(source, 1, sizeof(source));
	source[2][3][9] = 7;
	OK(cudaMalloc3D(&pitched, extent));
	cr_assert(pitched.pitch >= 10);
	OK(cudaMemset3D(pitched, 5, extent));
	parameters.srcPtr = (struct cudaPitchedPtr){source, 10, 10, 4};
	parameters.dstPtr = pitched;
	OK(cudaMemcpy3D(&parameters));
	parameters.srcPtr = pitched;
	parameters.dstPtr = (struct cudaPitchedPtr){result, 10, 10, 4};
	parameters.kind = cudaMemcpyDeviceToHost;
	OK(cudaMemcpy3D(&parameters));
	cr_assert_arr_eq(source, result, sizeof(source));
	memset(result, 0, sizeof(result));
	OK(cudaMemcpy2D(result, 10, (char *)pitched.ptr + pitched.pitch, pitched.pitch, 10, 2,
			cudaMemcpyDeviceToHost));
	cr_assert_arr_eq(source, result, 20);
	FAILS(cudaMemcpy2D(result, 5, pitched.ptr, pitched.pitch, 10, 2, cudaMemcpyDeviceToHost),
	      cudaErrorInvalidPitchValue);
}

Test(cpu_memory, a_pageable_source_may_be_reused_at_once)
{
	int *device, value = 1, result;

	OK(cudaMalloc((void **)&device, sizeof(int)));
	OK(cudaMemcpyAsync(device, &value, sizeof(int), cudaMemcpyHostToDevice, NULL));
	value = 2;
	OK(cudaMemcpyAsync(&result, device, sizeof(int), cudaMemcpyDeviceToHost, NULL));
	cr_assert_eq(result, 1);
}

Test(cpu_memory, symbols_are_copied_within_their_bounds)
{
	int values[4] = {1, 2, 3, 4}, result[4];
	size_t bytes;
	void *address;

	OK(cudaMemcpyToSymbol(&shadow_variable, values, 16, 0, cudaMemcpyHostToDevice));
	OK(cudaMemcpyFromSymbol(result, &shadow_variable, 12, 4, cudaMemcpyDeviceToHost));
	cr_assert_eq(result[0], 2);
	cr_assert_eq(result[2], 4);
	FAILS(cudaMemcpyFromSymbol(result, &shadow_variable, 16, 4, cudaMemcpyDeviceToHost),
	      cudaErrorInvalidValue);
	OK(cudaGetSymbolSize(&bytes, &shadow_variable));
	cr_assert_eq(bytes, 16);
	OK(cudaGetSymbolAddress(&address, &shadow_variable));
	OK(cudaMemcpy(result, address, 16, cudaMemcpyDeviceToHost));
	cr_assert_arr_eq(result, values, 16);
	FAILS(cudaGetSymbolAddress(&address, values), cudaErrorInvalidSymbol);
}

Test(cpu_memory, pointers_tell_what_they_point_to)
{
	struct cudaPointerAttributes attributes;
	char *device, *pinned, *managed, local[8];

	OK(cudaMalloc((void **)&device, 8));
	OK(cudaMallocHost((void **)&pinned, 8));
	OK(cudaMallocManaged((void **)&managed, 8, cudaMemAttachGlobal));
	OK(cudaPointerGetAttributes(&attributes, device + 7));
	cr_assert_eq(attributes.type, cudaMemoryTypeDevice);
	OK(cudaPointerGetAttributes(&attributes, pinned));
	cr_assert_eq(attributes.type, cudaMemoryTypeHost);
	OK(cudaPointerGetAttributes(&attributes, managed));
	cr_assert_eq(attributes.type, cudaMemoryTypeManaged);
	OK(cudaPointerGetAttributes(&attributes, local));
	cr_assert_eq(attributes.type, cudaMemoryTypeUnregistered);
	OK(cudaHostRegister(local, 8, cudaHostRegisterDefault));
	FAILS(cudaHostRegister(local + 4, 8, cudaHostRegisterDefault),
	      cudaErrorHostMemoryAlreadyRegistered);
	OK(cudaPointerGetAttributes(&attributes, local));
	cr_assert_eq(attributes.type, cudaMemoryTypeHost);
	OK(cudaHostUnregister(local));
	FAILS(cudaHostUnregister(local), cudaErrorHostMemoryNotRegistered);
}

Test(cpu_memory, stream_ordered_memory_lives_until_its_turn)
{
	int *device, *pinned;

	OK(cudaMallocHost((void **)&pinned, sizeof(int)));
	OK(cudaMallocAsync((void **)&device, sizeof(int), NULL));
	OK(cudaMemsetAsync(device, 1, sizeof(int), NULL));
	OK(cudaMemcpyAsync(pinned, device, sizeof(int), cudaMemcpyDeviceToHost, NULL));
	OK(cudaFreeAsync(device, NULL));
	FAILS(cudaFreeAsync(device, NULL), cudaErrorInvalidValue);
	OK(cudaDeviceSynchronize());
	cr_assert_eq(*pinned, 0x01010101);
}

Test(cpu_memory, the_device_describes_itself)
{
	struct cudaDeviceProp properties;
	struct cudaFuncAttributes function;
	int value;

	OK(cudaGetDeviceProperties(&properties, 0));
	cr_assert_str_eq(properties.name, "CPU target (x86-64)");
	cr_assert_eq(properties.major * 10 + properties.minor, 90);
	cr_assert_gt(properties.multiProcessorCount, 0);
	OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
	cr_assert_eq(value, properties.multiProcessorCount);
	FAILS(cudaSetDevice(1), cudaErrorInvalidDevice);
	OK(cudaFuncGetAttributes(&function, &stub_bounded));
	cr_assert_eq(function.maxThreadsPerBlock, 64);
	cr_assert_eq(function.sharedSizeBytes, 1024);
	cr_assert_eq(function.binaryVersion, 90);
	cr_assert_str_eq(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
	cr_assert_str_eq(cudaGetErrorString(cudaErrorNotReady), "device not ready");
	cr_assert_str_eq(cudaGetErrorString((cudaError_t)12345), "unrecognized error code");
}

static uint64_t figure(cudaMemPool_t pool, enum cudaMemPoolAttr attribute)
{
	uint64_t value = 0;

	OK(cudaMemPoolGetAttribute(pool, attribute, &value));
	return value;
}

Test(cpu_memory, a_pool_counts_what_is_allocated_from_it)
{
	struct cudaMemPoolProps p = {.allocType = cudaMemAllocationTypePinned,
				     .location = {.type = cudaMemLocationTypeDevice},
				     .maxSize = 1000};
	cudaMemPool_t pool, own, now;
	uint64_t none = 0;
	void *a, *b, *c;

	OK(cudaMemPoolCreate(&pool, &p));
	OK(cudaDeviceGetDefaultMemPool(&own, 0));
	OK(cudaDeviceSetMemPool(0, pool));
	OK(cudaDeviceGetMemPool(&now, 0));
	cr_assert_eq(now, pool);
	OK(cudaMallocAsync(&a, 600, NULL));
	OK(cudaMallocFromPoolAsync(&b, 300, pool, NULL));
	FAILS(cudaMallocAsync(&c, 101, NULL), cudaErrorMemoryAllocation);
	OK(cudaMallocFromPoolAsync(&c, 101, own, NULL));
	cr_assert_eq(figure(pool, cudaMemPoolAttrUsedMemCurrent), 900);
	cr_assert_eq(figure(own, cudaMemPoolAttrUsedMemCurrent), 101);
	OK(cudaFreeAsync(a, NULL));
	cr_assert_eq(figure(pool, cudaMemPoolAttrUsedMemCurrent), 300);
	cr_assert_eq(figure(pool, cudaMemPoolAttrUsedMemHigh), 900);
	OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &none));
	cr_assert_eq(figure(pool, cudaMemPoolAttrUsedMemHigh), 300);
	OK(cudaMemPoolDestroy(pool));
	FAILS(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
	OK(cudaDeviceGetMemPool(&now, 0));
	cr_assert_eq(now, own);
	OK(cudaFree(b));
	OK(cudaFree(c));
	FAILS(cudaMemPoolDestroy(own), cudaErrorInvalidValue);
}

Test(cpu_memory, a_pool_says_who_may_access_it)
{
	struct cudaMemLocation here = {.type = cudaMemLocationTypeDevice}, there = here;
	struct cudaMemAccessDesc access = {.location = here};
	enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
	cudaMemPool_t pool;

	there.id = 1;
	FAILS(cudaDeviceGetDefaultMemPool(&pool, 1), cudaErrorInvalidDevice);
	OK(cudaDeviceGetDefaultMemPool(&pool, 0));
	OK(cudaMemPoolGetAccess(&flags, pool, &here));
	cr_assert_eq(flags, cudaMemAccessFlagsProtReadWrite);
	FAILS(cudaMemPoolGetAccess(&flags, pool, &there), cudaErrorInvalidValue);
	access.flags = cudaMemAccessFlagsProtNone;
	FAILS(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidValue);
}
