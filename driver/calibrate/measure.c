/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between host and device: the best of several, which is what a model wants. */
#include "driver/calibrate/machine.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COPY_BYTES ((size_t)64 << 20)
#define COPIES 5
#define SMALL_COPIES 50

double ct_machine_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Seconds of the fastest of so many copies; negative: they fail. */
static double copy_seconds(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
			   int copies)
{
	double least = -1;

	for (int i = 0; i <= copies; i++) { /* the first one does not count */
		double begin = ct_machine_now(), seconds;

		if (cudaMemcpy(to, from, bytes, kind) != cudaSuccess ||
		    cudaDeviceSynchronize() != cudaSuccess)
			return -1;
		seconds = ct_machine_now() - begin;
		if (i > 0 && (least < 0 || seconds < least))
			least = seconds;
	}
	return least;
}

static double bandwidth(void *to, const void *from, enum cudaMemcpyKind kind)
{
	double seconds = copy_seconds(to, from, COPY_BYTES, kind, COPIES);

	return seconds > 0 ? (double)COPY_BYTES / seconds : 0;
}

int ct_machine_measure_host(struct ct_machine_values *machine)
{
	void *device = NULL, *pinned = NULL, *pageable = malloc(COPY_BYTES);
	double seconds;
	int err = -1;

	if (!pageable || cudaMalloc(&device, COPY_BYTES) != cudaSuccess ||
	    cudaMallocHost(&pinned, COPY_BYTES) != cudaSuccess) {
		fprintf(stderr, "no memory for copies\n");
		goto done;
	}
	memset(pinned, 1, COPY_BYTES);
	memset(pageable, 1, COPY_BYTES);
	machine->to_device_bandwidth = bandwidth(device, pinned, cudaMemcpyHostToDevice);
	machine->to_host_bandwidth = bandwidth(pinned, device, cudaMemcpyDeviceToHost);
	machine->pageable_to_device_bandwidth = bandwidth(device, pageable, cudaMemcpyHostToDevice);
	machine->pageable_to_host_bandwidth = bandwidth(pageable, device, cudaMemcpyDeviceToHost);
	seconds = copy_seconds(device, pinned, 4, cudaMemcpyHostToDevice, SMALL_COPIES);
	machine->copy_seconds = seconds > 0 ? seconds : 0;
	err = 0;
done:
	cudaFreeHost(pinned);
	cudaFree(device);
	free(pageable);
	return err;
}
