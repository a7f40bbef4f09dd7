/* SPDX-License-Identifier: Apache-2.0 */
/* How many devices there are, and which is the calling thread's. */
#include "cpu-target/runtime/base/device.h"
#include <stdlib.h>

static __thread int of_thread;

int ct_device_number(void)
{
	static int cached;
	int number = __atomic_load_n(&cached, __ATOMIC_RELAXED);
	const char *text;

	if (number)
		return number;
	text = getenv("CUDATRACE_CPU_DEVICES");
	number = text ? atoi(text) : 1;
	if (number < 1)
		number = 1;
	if (number > CT_CPU_DEVICES_MAX)
		number = CT_CPU_DEVICES_MAX;
	__atomic_store_n(&cached, number, __ATOMIC_RELAXED);
	return number;
}

int ct_device_of_thread(void)
{
	return of_thread;
}

void ct_device_select(int device)
{
	of_thread = device;
}
