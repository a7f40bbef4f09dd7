/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two devices of one process: host threads that launch on one each, into streams
 * of their own or into their default stream, one thread that changes devices with
 * every launch, copies and loads between devices, a device that is reset while
 * the other goes on.
 *
 *   devices [ROUNDS [HOST_THREADS]]
 *
 * Prints "count KERNEL LAUNCHES loads N stores N", all launches of it together.
 * Exit 77 if there are not two devices.
 */
#include "feature.h"
#include <thread>
#include <vector>

enum { CTAS = 20, THREADS = 96, COUNT = CTAS * THREADS };

static int rounds = 4, host_threads = 4;

__global__ void add(unsigned *out, unsigned by)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i % 5 != 2)
		out[i] += by;
}

__global__ void step(unsigned *out)
{
	out[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

/* From memory of the other device. */
__global__ void gather(unsigned *out, const unsigned *from)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = from[COUNT - 1 - i];
}

static unsigned long long added(unsigned i, unsigned by)
{
	return i % 5 == 2 ? 0 : (unsigned long long)rounds * by;
}

/* A host thread does this: half of them with a stream of their own. */
static void work(int device, unsigned by)
{
	unsigned *out;
	cudaStream_t stream = 0;

	need(cudaSetDevice(device), "cudaSetDevice");
	out = device_array<unsigned>(COUNT);
	need(cudaMemset(out, 0, COUNT * sizeof(*out)), "cudaMemset");
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	if (by % 2)
		need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
		     "cudaStreamCreateWithFlags");
	for (int round = 0; round < rounds; round++) {
		add<<<CTAS, THREADS, 0, stream>>>(out, by);
		need(cudaGetLastError(), "launch");
		if (round % 4 == 3)
			need(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
	}
	need(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
	check("host thread",
	      all_equal(out, COUNT, [&](size_t i) { return (unsigned)added((unsigned)i, by); }));
	if (stream)
		need(cudaStreamDestroy(stream), "cudaStreamDestroy");
	need(cudaFree(out), "cudaFree");
}

static void threads_on_both(void)
{
	std::vector<std::thread> threads;

	for (int t = 0; t < host_threads; t++)
		for (int device = 0; device < 2; device++)
			threads.emplace_back(work, device, (unsigned)(1 + t + device));
	for (std::thread &thread : threads)
		thread.join();
}

/* One thread, the other device with every launch. */
static void change_devices(unsigned *out[2])
{
	for (int round = 0; round < rounds; round++)
		for (int device = 0; device < 2; device++) {
			need(cudaSetDevice(device), "cudaSetDevice");
			step<<<CTAS, THREADS>>>(out[device]);
			need(cudaGetLastError(), "launch");
		}
	for (int device = 0; device < 2; device++) {
		need(cudaSetDevice(device), "cudaSetDevice");
		need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
		check("changing devices", all_equal(out[device], COUNT, [&](size_t i) {
			      return (unsigned)(1000 * device + (int)i + rounds);
		      }));
	}
}

/* Device 1 gets what device 0 has, by a copy and, where it can, by loads. Returns how many. */
static int cross(unsigned *out[2])
{
	int can = 0;

	need(cudaMemcpyPeer(out[1], 1, out[0], 0, COUNT * sizeof(unsigned)), "cudaMemcpyPeer");
	need(cudaSetDevice(1), "cudaSetDevice");
	check("peer copy",
	      all_equal(out[1], COUNT, [&](size_t i) { return (unsigned)((int)i + rounds); }));
	need(cudaDeviceCanAccessPeer(&can, 1, 0), "cudaDeviceCanAccessPeer");
	if (!can)
		return 0;
	need(cudaDeviceEnablePeerAccess(0, 0), "cudaDeviceEnablePeerAccess");
	gather<<<CTAS, THREADS>>>(out[1], out[0]);
	need(cudaGetLastError(), "launch");
	check("peer loads", all_equal(out[1], COUNT, [&](size_t i) {
		      return (unsigned)(COUNT - 1 - (int)i + rounds);
	      }));
	return 1;
}

/* Device 1 writes in a stream of its own; while device 0 is current the host waits for that
 * stream, copies in it, and launches what reads. */
static int wait_elsewhere(unsigned *out[2])
{
	unsigned *copied = new unsigned[COUNT];
	cudaStream_t streams[2];
	int can = 0;

	for (int device = 0; device < 2; device++) {
		need(cudaSetDevice(device), "cudaSetDevice");
		need(cudaStreamCreateWithFlags(&streams[device], cudaStreamNonBlocking),
		     "cudaStreamCreateWithFlags");
	}
	need(cudaMemset(out[1], 0, COUNT * sizeof(unsigned)), "cudaMemset");
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	step<<<CTAS, THREADS, 0, streams[1]>>>(out[1]);
	need(cudaSetDevice(0), "cudaSetDevice");
	need(cudaMemcpyAsync(copied, out[1], COUNT * sizeof(unsigned), cudaMemcpyDeviceToHost,
			     streams[1]),
	     "cudaMemcpyAsync");
	need(cudaStreamSynchronize(streams[1]), "cudaStreamSynchronize");
	check("copied elsewhere", copied[0] == 1 && copied[COUNT - 1] == 1);
	delete[] copied;
	need(cudaDeviceCanAccessPeer(&can, 0, 1), "cudaDeviceCanAccessPeer");
	if (can) {
		need(cudaDeviceEnablePeerAccess(1, 0), "cudaDeviceEnablePeerAccess");
		gather<<<CTAS, THREADS, 0, streams[0]>>>(out[0], out[1]);
		need(cudaStreamSynchronize(streams[0]), "cudaStreamSynchronize");
		check("waited elsewhere", all_equal(out[0], COUNT, [&](size_t) { return 1u; }));
	}
	for (int device = 0; device < 2; device++)
		need(cudaStreamDestroy(streams[device]), "cudaStreamDestroy");
	return can;
}

/* Device 1 begins anew; what device 0 has stays. */
static void reset_one(unsigned *out[2])
{
	static unsigned before[COUNT];

	download(before, out[0], COUNT);
	need(cudaSetDevice(1), "cudaSetDevice");
	need(cudaDeviceReset(), "cudaDeviceReset");
	for (int device = 0; device < 2; device++) {
		need(cudaSetDevice(device), "cudaSetDevice");
		if (device) {
			out[1] = device_array<unsigned>(COUNT);
			need(cudaMemset(out[1], 0, COUNT * sizeof(unsigned)), "cudaMemset");
		}
		step<<<CTAS, THREADS>>>(out[device]);
		need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	}
	check("after a reset", all_equal(out[1], COUNT, [&](size_t) { return 1u; }));
	need(cudaSetDevice(0), "cudaSetDevice");
	check("beside a reset", all_equal(out[0], COUNT, [&](size_t i) { return before[i] + 1; }));
}

int main(int argc, char **argv)
{
	unsigned *out[2], first[COUNT];
	int devices = 0, gathers, adds, steps;

	rounds = argc > 1 ? atoi(argv[1]) : rounds;
	host_threads = argc > 2 ? atoi(argv[2]) : host_threads;
	if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 2) {
		printf("two devices are needed, there are %d\n", devices);
		return 77;
	}
	threads_on_both();
	for (int device = 0; device < 2; device++) {
		for (int i = 0; i < COUNT; i++)
			first[i] = (unsigned)(1000 * device + i);
		need(cudaSetDevice(device), "cudaSetDevice");
		out[device] = device_array<unsigned>(COUNT);
		upload(out[device], first, COUNT);
	}
	change_devices(out);
	gathers = cross(out);
	gathers += wait_elsewhere(out);
	reset_one(out);
	adds = 2 * host_threads * rounds;
	steps = 2 * rounds + 3;
	printf("count add %d loads %d stores %d\n", adds, adds * (COUNT - COUNT / 5),
	       adds * (COUNT - COUNT / 5));
	printf("count gather %d loads %d stores %d\n", gathers, gathers * COUNT, gathers * COUNT);
	printf("count step %d loads %d stores %d\n", steps, steps * COUNT, steps * COUNT);
	return finish();
}
