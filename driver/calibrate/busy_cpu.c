/* SPDX-License-Identifier: Apache-2.0 */
/* A function of the host that sleeps: others may have the processor meanwhile. */
#include "driver/calibrate/busy.h"

#include <stdint.h>
#include <time.h>

const char ct_busy_target[] = "cpu";

int ct_busy_init(void)
{
	return 0;
}

/* Its variables are what the compiler wrapper makes of a source. */
const void *ct_busy_symbol(void)
{
	return NULL;
}

static void sleep_ns(void *data)
{
	uint64_t ns = (uintptr_t)data;
	struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};

	while (nanosleep(&time, &time) < 0)
		;
}

int ct_busy_begin(cudaStream_t stream, unsigned long long ns)
{
	return cudaLaunchHostFunc(stream, sleep_ns, (void *)(uintptr_t)ns) == cudaSuccess ? 0 : -1;
}
