/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of the CPU target: properties, attributes, limits, versions. */
#include "cpu-target/runtime/base/device.h"
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/exec/exec.h"
#include "cpu-target/runtime/memory/memory.h"
#include "cpu-target/runtime/module/symbol.h"
#include "cpu-target/runtime/stream/stream.h"
#include <cuda_profiler_api.h>
#include <stdio.h>
#include <string.h>

/* The headers that this was compiled with. */
#define VERSION CUDART_VERSION
#define PCI_BUS_ID "0000:%02x:00.0"
#define PCI_BUS_ID_BYTES 13

static unsigned device_flags;

static int is_device(int device)
{
	return device >= 0 && device < ct_device_number();
}

static cudaError_t check_device(int device)
{
	return ct_error_set(is_device(device) ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceCount(int *count)
{
	if (!count)
		return ct_error_set(cudaErrorInvalidValue);
	*count = ct_device_number();
	return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
	if (is_device(device))
		ct_device_select(device);
	return check_device(device);
}

cudaError_t cudaGetDevice(int *device)
{
	if (!device)
		return ct_error_set(cudaErrorInvalidValue);
	*device = ct_device_of_thread();
	return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned flags_valid, unsigned flags)
{
	if (flags_valid == cudaInitDeviceFlagsAreValid)
		device_flags = flags;
	return check_device(device);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
	if (!wanted)
		return ct_error_set(cudaErrorInvalidValue);
	return cudaGetDevice(device);
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
	for (int i = 0; i < count; i++)
		if (!is_device(devices[i]))
			return ct_error_set(cudaErrorInvalidDevice);
	return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
	if (flags & ~(unsigned)cudaDeviceMask)
		return ct_error_set(cudaErrorInvalidValue);
	device_flags = flags;
	return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
	if (!flags)
		return ct_error_set(cudaErrorInvalidValue);
	*flags = device_flags | cudaDeviceMapHost;
	return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int bytes, int device)
{
	if (!id || bytes < PCI_BUS_ID_BYTES)
		return ct_error_set(cudaErrorInvalidValue);
	if (is_device(device))
		snprintf(id, (size_t)bytes, PCI_BUS_ID, (unsigned)device);
	return check_device(device);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
	if (!device || !id)
		return ct_error_set(cudaErrorInvalidValue);
	for (int i = 0; i < ct_device_number(); i++) {
		char known[32];

		snprintf(known, sizeof(known), PCI_BUS_ID, (unsigned)i);
		if (strcmp(id, known) == 0) {
			*device = i;
			return ct_error_set(cudaSuccess);
		}
	}
	return ct_error_set(cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
	size_t free_bytes;

	if (!p)
		return ct_error_set(cudaErrorInvalidValue);
	if (!is_device(device))
		return check_device(device);
	memset(p, 0, sizeof(*p));
	snprintf(p->name, sizeof(p->name), "CPU target (x86-64)");
	memcpy(p->uuid.bytes, "cuda-trace CPU  ", sizeof(p->uuid.bytes));
	ct_memory_room(&free_bytes, &p->totalGlobalMem);
#define CT_ATTRIBUTE(attribute, member, value) p->member = value;
#define CT_ATTRIBUTE_ONLY(attribute, value)
#include "cpu-target/runtime/base/device_attributes.def"
#undef CT_ATTRIBUTE
#undef CT_ATTRIBUTE_ONLY
	return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
	if (!value || attribute < cudaDevAttrMaxThreadsPerBlock || attribute >= cudaDevAttrMax)
		return ct_error_set(cudaErrorInvalidValue);
	if (!is_device(device))
		return check_device(device);
	switch ((int)attribute) {
#define CT_ATTRIBUTE_ONLY(attribute, number)                                                       \
	case cudaDevAttr##attribute:                                                               \
		*value = number;                                                                   \
		break;
#define CT_ATTRIBUTE(attribute, member, number) CT_ATTRIBUTE_ONLY(attribute, number)
#include "cpu-target/runtime/base/device_attributes.def"
#undef CT_ATTRIBUTE
#undef CT_ATTRIBUTE_ONLY
	default:
		*value = 0;
	}
	return cudaSuccess;
}

/* All devices are peers of each other. */

static uint8_t peers[CT_CPU_DEVICES_MAX][CT_CPU_DEVICES_MAX]; /* enabled: [device][peer] */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
	if (!can)
		return ct_error_set(cudaErrorInvalidValue);
	*can = is_device(device) && is_device(peer) && device != peer;
	return check_device(is_device(device) ? peer : device);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from,
				      int to)
{
	if (!value)
		return ct_error_set(cudaErrorInvalidValue);
	if (!is_device(from) || !is_device(to) || from == to)
		return ct_error_set(cudaErrorInvalidDevice);
	*value = attribute == cudaDevP2PAttrAccessSupported ||
		 attribute == cudaDevP2PAttrNativeAtomicSupported;
	return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
	return ct_api_result(cudaSuccess);
}

/* All memory can be reached anyway: only the calls' results depend on it. */
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
	int device = ct_device_of_thread();

	if (flags)
		return ct_error_set(cudaErrorInvalidValue);
	if (!is_device(peer))
		return ct_error_set(cudaErrorInvalidDevice);
	if (peer == device)
		return ct_error_set(cudaErrorPeerAccessUnsupported);
	if (__atomic_exchange_n(&peers[device][peer], 1, __ATOMIC_RELAXED))
		return ct_error_set(cudaErrorPeerAccessAlreadyEnabled);
	return cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
	if (!is_device(peer))
		return ct_error_set(cudaErrorInvalidDevice);
	if (!__atomic_exchange_n(&peers[ct_device_of_thread()][peer], 0, __ATOMIC_RELAXED))
		return ct_error_set(cudaErrorPeerAccessNotEnabled);
	return cudaSuccess;
}

/* Limits and preferences are remembered; they are hints here. */

static size_t limits[] = {
    [cudaLimitStackSize] = 1024,           [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,   [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 64, [cudaLimitPersistingL2CacheSize] = 0,
};

static int is_limit(enum cudaLimit limit)
{
	return (unsigned)limit < sizeof(limits) / sizeof(*limits) &&
	       limit != cudaLimitDevRuntimeSyncDepth; /* gone since compute capability 9.0 */
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
	if (!is_limit(limit))
		return ct_error_set(cudaErrorUnsupportedLimit);
	__atomic_store_n(&limits[limit], value, __ATOMIC_RELAXED);
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
	if (!value)
		return ct_error_set(cudaErrorInvalidValue);
	if (!is_limit(limit))
		return ct_error_set(cudaErrorUnsupportedLimit);
	*value = __atomic_load_n(&limits[limit], __ATOMIC_RELAXED);
	return ct_api_result(cudaSuccess);
}

static enum cudaFuncCache cache_preference = cudaFuncCachePreferNone;

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache preference)
{
	if (preference < cudaFuncCachePreferNone || preference > cudaFuncCachePreferEqual)
		return ct_error_set(cudaErrorInvalidValue);
	cache_preference = preference;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *preference)
{
	if (!preference)
		return ct_error_set(cudaErrorInvalidValue);
	*preference = cache_preference;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
	if (!version)
		return ct_error_set(cudaErrorInvalidValue);
	*version = VERSION;
	return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
	return cudaRuntimeGetVersion(version);
}

/* No profiler can be attached, so there is none to start. */
cudaError_t cudaProfilerStart(void)
{
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
	return ct_api_result(cudaSuccess);
}

/* There is no CUDA driver behind this runtime. */
cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
					     unsigned long long flags,
					     enum cudaDriverEntryPointQueryResult *status)
{
	(void)symbol, (void)version, (void)flags;
	if (!function)
		return ct_error_set(cudaErrorInvalidValue);
	*function = NULL;
	if (status)
		*status = cudaDriverEntryPointSymbolNotFound;
	return ct_error_set(cudaErrorSymbolNotFound);
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
				    enum cudaDriverEntryPointQueryResult *status)
{
	return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, status);
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
						   enum cudaChannelFormatKind kind)
{
	return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}
