/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU target plays a device on threads: it has no SMs, warps of lanes or coalescing to measure.
 * What it has are its copies, and what work in a stream takes to begin. */
#include "driver/calibrate/machine.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

#define LAUNCHES 200

static void CUDART_CB nothing(void *user)
{
	(void)user;
}

int ct_machine_measure(struct ct_machine_values *machine)
{
	double begin;

	for (int waits = 0; waits < 2; waits++) {
		begin = ct_machine_now();
		for (int i = 0; i < LAUNCHES; i++)
			if (cudaLaunchHostFunc(NULL, nothing, NULL) != cudaSuccess ||
			    (waits && cudaStreamSynchronize(NULL) != cudaSuccess)) {
				fprintf(stderr, "the CPU target does not run host functions\n");
				return -1;
			}
		cudaDeviceSynchronize();
		*(waits ? &machine->launch_wait_seconds : &machine->launch_seconds) =
		    (ct_machine_now() - begin) / LAUNCHES;
	}
	return ct_machine_measure_host(machine);
}
