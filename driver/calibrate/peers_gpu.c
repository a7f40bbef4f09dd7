/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between devices 0 and 1, directly where they can, else as the driver takes them through
 * the host: what a program's exchange takes. The best of several. */
#include "driver/calibrate/busy.h"
#include "driver/calibrate/machine.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

#define COPY_BYTES ((size_t)64 << 20)
#define COPIES 5
#define SMALL_COPIES 100
#define STEPS 40         /* that no queue is full of */
#define STEP_NS 20000ull /* of a kernel between exchanges: longer than the host takes to ask */

static struct {
	char *memory[2];
	cudaStream_t stream[2];
	cudaEvent_t sent[2];
	int failed;
} peers;

static void check(cudaError_t error)
{
	if (error != cudaSuccess && !peers.failed)
		fprintf(stderr, "measuring copies between devices: %s\n",
			cudaGetErrorString(error));
	peers.failed |= error != cudaSuccess;
}

static void open_peers(void)
{
	for (int device = 0; device < 2; device++) {
		int can = 0;

		check(cudaSetDevice(device));
		check(cudaMalloc((void **)&peers.memory[device], 2 * COPY_BYTES));
		check(cudaStreamCreateWithFlags(&peers.stream[device], cudaStreamNonBlocking));
		check(cudaEventCreateWithFlags(&peers.sent[device], cudaEventDisableTiming));
		if (cudaDeviceCanAccessPeer(&can, device, 1 - device) == cudaSuccess && can &&
		    cudaDeviceEnablePeerAccess(1 - device, 0) == cudaErrorPeerAccessAlreadyEnabled)
			cudaGetLastError();
	}
}

static void close_peers(void)
{
	for (int device = 0; device < 2; device++) {
		cudaSetDevice(device);
		cudaFree(peers.memory[device]);
		cudaStreamDestroy(peers.stream[device]);
		cudaEventDestroy(peers.sent[device]);
	}
	cudaSetDevice(0);
}

/* From a device to the other, in its stream; the halves of memory are what it sends and gets. */
static void send(int device, size_t bytes)
{
	check(cudaMemcpyPeerAsync(peers.memory[1 - device] + COPY_BYTES, 1 - device,
				  peers.memory[device], device, bytes, peers.stream[device]));
}

static void wait(void)
{
	for (int device = 0; device < 2; device++)
		check(cudaStreamSynchronize(peers.stream[device]));
}

/* Seconds of so many copies one behind the other, of one device or of both at the same time. */
static double seconds_of(size_t bytes, int copies, int senders)
{
	double least = 0;

	for (int i = 0; i <= COPIES && !peers.failed; i++) {
		double begin = ct_machine_now(), seconds;

		for (int c = 0; c < copies; c++)
			for (int device = 0; device < senders; device++)
				send(device, bytes);
		wait();
		seconds = ct_machine_now() - begin;
		if (i == 1 || (i > 1 && seconds < least))
			least = seconds;
	}
	return least;
}

/* A kernel of so long on each device; with an exchange each sends a small copy behind it, for which
 * the other one's next kernel waits. */
static void step(unsigned long long ns, int exchanges)
{
	for (int device = 0; device < 2; device++) {
		check(cudaSetDevice(device));
		peers.failed |= ct_busy_begin(peers.stream[device], ns) < 0;
		if (!exchanges)
			continue;
		send(device, 4);
		check(cudaEventRecord(peers.sent[device], peers.stream[device]));
	}
	for (int device = 0; device < 2 && exchanges; device++) {
		check(cudaSetDevice(device));
		check(cudaStreamWaitEvent(peers.stream[device], peers.sent[1 - device], 0));
	}
}

/* Seconds of a step: until the devices are done, or until the host has asked for it. */
static double seconds_of_step(unsigned long long ns, int exchanges, int until_asked)
{
	double least = 0;

	for (int i = 0; i <= COPIES && !peers.failed; i++) {
		double begin = ct_machine_now(), seconds;

		for (int s = 0; s < STEPS; s++)
			step(ns, exchanges);
		seconds = ct_machine_now() - begin;
		wait();
		if (!until_asked)
			seconds = ct_machine_now() - begin;
		if (i == 1 || (i > 1 && seconds < least))
			least = seconds;
	}
	return least / STEPS;
}

static void measure_steps(struct ct_machine_values *machine)
{
	for (int device = 0; device < 2; device++) {
		check(cudaSetDevice(device));
		peers.failed |= ct_busy_init() < 0;
	}
	machine->peer_step_seconds =
	    seconds_of_step(STEP_NS, 1, 0) - seconds_of_step(STEP_NS, 0, 0);
	machine->peer_issue_seconds = seconds_of_step(0, 1, 1) / 2;
}

void ct_machine_measure_peers(struct ct_machine_values *machine)
{
	int devices = 0;

	if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 2)
		return;
	open_peers();
	if (!peers.failed) {
		machine->peer_bandwidth = (double)COPY_BYTES / seconds_of(COPY_BYTES, 1, 1);
		machine->peer_both_bandwidth = (double)COPY_BYTES / seconds_of(COPY_BYTES, 1, 2);
		machine->peer_seconds = seconds_of(4, SMALL_COPIES, 1) / SMALL_COPIES;
		machine->peer_wait_seconds = seconds_of(4, 1, 1);
		measure_steps(machine);
	}
	if (peers.failed)
		machine->peer_bandwidth = machine->peer_both_bandwidth = machine->peer_seconds =
		    machine->peer_wait_seconds = machine->peer_step_seconds =
			machine->peer_issue_seconds = 0;
	close_peers();
}
