/* SPDX-License-Identifier: Apache-2.0 */
/* All devices that the process has used, at its end. */
#include "host-rt/process/devices.h"
#include "host-rt/drain/drain.h"
#include "host-rt/streams/sync.h"

static void for_each_device(void (*do_this)(struct ct_device *device))
{
	for (int ordinal = 0; ordinal < CT_DEVICES_MAX; ordinal++)
		if (ct_device_at(ordinal))
			do_this(ct_device_at(ordinal));
}

static void wait_for_device(struct ct_device *device)
{
	ct_sync_wait(device);
}

static void finish_device(struct ct_device *device)
{
	ct_sync_finish(device, true);
}

static void send_of_device(struct ct_device *device)
{
	if (cudaSetDevice(device->ordinal) == cudaSuccess)
		ct_drain_send(ct_drain_of(device));
}

static void abandon_device(struct ct_device *device)
{
	ct_drain_abandon(
	    ct_drain_of(device),
	    "the program ended before its kernels did; what they had not sent is lost");
}

void ct_devices_flush(uint64_t until_ns)
{
	for_each_device(send_of_device);
	for (int ordinal = 0; ordinal < CT_DEVICES_MAX; ordinal++)
		if (ct_device_at(ordinal))
			ct_drain_finish(ct_drain_of(ct_device_at(ordinal)), until_ns);
}

void ct_devices_wait(void)
{
	for_each_device(wait_for_device);
}

void ct_devices_finish(void)
{
	for_each_device(finish_device);
}

void ct_devices_abandon(void)
{
	for_each_device(abandon_device);
}
