/* SPDX-License-Identifier: Apache-2.0 */
/* The microbenchmarks of kernels.cu, launched. Each is run once before it counts; of times the
 * least is taken, of cycles the median of several runs. */
#include "driver/calibrate/machine.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARP 32u
#define TRIES 5
#define LAUNCHES 400
#define CHAINED 320 /* kernels of a graph */
#define TURNS 1024u
#define SPIN_CYCLES 8000u
#define CTAS_FEW 16u /* of an SM */
#define CTAS_MANY 128u
#define CHAIN 64u       /* as in kernels.cu */
#define RING_STRIDE 32u /* words of 8 bytes from place to place: 256 bytes */
#define DRAM_BYTES ((size_t)512 << 20)
#define L2_BYTES ((size_t)2 << 20)
#define L1_BYTES ((size_t)16 << 10)
#define CHASE_STEPS 1024u
/* The instructions of a round of rounds_of_loads in kernels.cu without its barrier, one of which
 * loads. */
#define ROUND_INSTRUCTIONS 13.0

/* The text of kernels.cu as PTX. */
__asm__(".pushsection .rodata\n"
	"ct_calibrate_kernels: .incbin \"" CT_CALIBRATE_PTX "\"\n"
	".byte 0\n"
	".popsection\n");
extern const char ct_calibrate_kernels[] __attribute__((visibility("hidden")));

static struct {
	CUresult (*load)(CUmodule *module, const void *image);
	CUresult (*get)(CUfunction *function, CUmodule module, const char *name);
	CUresult (*launch)(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
			   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
			   CUstream stream, void **parameters, void **extra);
	CUmodule module;
	struct cudaDeviceProp device;
	char *memory[3]; /* of the device, DRAM_BYTES each */
	unsigned long long *cycles, *sink;
	cudaEvent_t begin, end;
	int is_cold; /* each run finds nothing in the L2 that it has not brought itself */
	int failed;
} gpu;

static void check(int good, const char *what)
{
	if (!good && !gpu.failed)
		fprintf(stderr, "measuring the device: %s fails\n", what);
	gpu.failed |= !good;
}

static void start_in(cudaStream_t stream, const char *name, unsigned grid, unsigned block,
		     void **arguments)
{
	CUfunction function;

	check(gpu.get(&function, gpu.module, name) == CUDA_SUCCESS &&
		  gpu.launch(function, grid, 1, 1, block, 1, 1, 0, stream, arguments, NULL) ==
		      CUDA_SUCCESS,
	      name);
}

static void start(const char *name, unsigned grid, unsigned block, void **arguments)
{
	start_in(NULL, name, grid, block, arguments);
}
#define ARGUMENTS(...) ((void *[]){__VA_ARGS__})

static int is_less(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Cycles that the first CTA reports. */
static double cycles_of(const char *name, unsigned grid, unsigned block, void **arguments)
{
	double cycles[TRIES];

	for (int i = 0; i < TRIES; i++) {
		unsigned long long reported = 0;

		if (gpu.is_cold)
			cudaMemset(gpu.memory[1], 0, DRAM_BYTES);
		start(name, grid, block, arguments);
		check(cudaMemcpy(&reported, gpu.cycles, sizeof(reported), cudaMemcpyDeviceToHost) ==
			  cudaSuccess,
		      name);
		cycles[i] = (double)reported;
	}
	qsort(cycles, TRIES, sizeof(*cycles), is_less);
	return cycles[TRIES / 2];
}

/* Seconds by events. */
static double seconds_of(const char *name, unsigned grid, unsigned block, void **arguments)
{
	float least = 0;

	for (int i = 0; i <= TRIES; i++) {
		float ms = 0;

		cudaEventRecord(gpu.begin, NULL);
		start(name, grid, block, arguments);
		cudaEventRecord(gpu.end, NULL);
		check(cudaEventSynchronize(gpu.end) == cudaSuccess &&
			  cudaEventElapsedTime(&ms, gpu.begin, gpu.end) == cudaSuccess,
		      name);
		if (i == 1 || (i > 1 && ms < least))
			least = ms;
	}
	return least * 1e-3;
}

/* Seconds of so many launches one behind the other in a graph, which the host has no part in. */
static double seconds_of_chain(const char *name, unsigned grid, unsigned block, void **arguments,
			       unsigned count)
{
	cudaStream_t stream = NULL;
	cudaGraph_t graph = NULL;
	cudaGraphExec_t chain = NULL;
	float least = 0;

	check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess &&
		  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess,
	      "capturing");
	for (unsigned i = 0; i < count && !gpu.failed; i++)
		start_in(stream, name, grid, block, arguments);
	check(cudaStreamEndCapture(stream, &graph) == cudaSuccess &&
		  cudaGraphInstantiate(&chain, graph, 0) == cudaSuccess,
	      "a graph");
	for (int i = 0; i <= TRIES && !gpu.failed; i++) {
		float ms = 0;

		cudaEventRecord(gpu.begin, stream);
		cudaGraphLaunch(chain, stream);
		cudaEventRecord(gpu.end, stream);
		check(cudaEventSynchronize(gpu.end) == cudaSuccess &&
			  cudaEventElapsedTime(&ms, gpu.begin, gpu.end) == cudaSuccess,
		      name);
		if (i == 1 || (i > 1 && ms < least))
			least = ms;
	}
	cudaGraphExecDestroy(chain);
	cudaGraphDestroy(graph);
	cudaStreamDestroy(stream);
	return least * 1e-3;
}

/* The seconds of one of them. */
static double seconds_in_chain(const char *name, unsigned grid, unsigned block, void **arguments)
{
	return (seconds_of_chain(name, grid, block, arguments, CHAINED) -
		seconds_of_chain(name, grid, block, arguments, CHAINED / 8)) /
	       (CHAINED - CHAINED / 8);
}

static double attribute(enum cudaDeviceAttr attribute)
{
	int value = 0;

	cudaDeviceGetAttribute(&value, attribute, 0);
	return value;
}

static void properties(struct ct_machine_values *m)
{
	const struct cudaDeviceProp *p = &gpu.device;

	m->sm_count = p->multiProcessorCount;
	m->warps_per_sm = (double)p->maxThreadsPerMultiProcessor / WARP;
	m->ctas_per_sm = p->maxBlocksPerMultiProcessor;
	m->registers_per_sm = p->regsPerMultiprocessor;
	m->shared_bytes_per_sm = (double)p->sharedMemPerMultiprocessor;
	m->l2_bytes = p->l2CacheSize;
	/* Properties do not tell l1_bytes; whoever reads takes it from the compute capability. */
	m->memory_bytes = (double)p->totalGlobalMem;
	/* kHz, on both edges; bits */
	m->dram_peak_bandwidth = 2e3 * attribute(cudaDevAttrMemoryClockRate) *
				 attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
}

static void make_ring(size_t bytes)
{
	unsigned long long count = bytes / (RING_STRIDE * 8),
			   step = (unsigned long long)((double)count * 0.6180339887498949) | 1;
	unsigned stride = RING_STRIDE;

	start("make_ring", (unsigned)gpu.device.multiProcessorCount * 8, 256,
	      ARGUMENTS(&gpu.memory[0], &count, &stride, &step));
}

/* Cycles of a load of a ring of so many bytes by a warp, of which so many lanes load. */
static double chase(const char *name, size_t bytes, unsigned lanes, unsigned warm)
{
	unsigned apart = RING_STRIDE, steps = CHASE_STEPS;
	double cycles;

	make_ring(bytes);
	gpu.is_cold = !warm;
	cycles = cycles_of(
	    name, 1, WARP,
	    ARGUMENTS(&gpu.memory[0], &apart, &lanes, &warm, &steps, &gpu.cycles, &gpu.sink));
	gpu.is_cold = 0;
	return cycles / CHASE_STEPS;
}

/* The slope of latencies by transactions of a warp. */
static double slope(const char *name, size_t bytes, unsigned warm)
{
	double n = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;

	for (unsigned lanes = 1; lanes <= WARP; lanes += lanes < 4 ? 1 : 4) {
		double y = chase(name, bytes, lanes, warm);

		n++;
		sum_x += lanes;
		sum_y += y;
		sum_xx += (double)lanes * lanes;
		sum_xy += lanes * y;
	}
	return (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

static double chase_shared(unsigned apart)
{
	unsigned steps = CHASE_STEPS;

	return cycles_of("chase_shared", 1, WARP,
			 ARGUMENTS(&apart, &steps, &gpu.cycles, &gpu.sink)) /
	       CHASE_STEPS;
}

static void latencies(struct ct_machine_values *m)
{
	m->dram_latency = chase("chase_l2", DRAM_BYTES, 1, 0);
	m->l2_latency = chase("chase_l2", L2_BYTES, 1, L2_BYTES / (RING_STRIDE * 8));
	m->l1_latency = chase("chase_l1", L1_BYTES, 1, 4 * L1_BYTES / (RING_STRIDE * 8));
	m->departure_delay = slope("chase_l2", DRAM_BYTES, 0);
	m->departure_delay_l2 = slope("chase_l2", L2_BYTES, L2_BYTES / (RING_STRIDE * 8));
	m->shared_latency = chase_shared(1);
	m->bank_conflict_delay = (chase_shared(32) - m->shared_latency) / (WARP - 1);
}

static double latency_of(const char *name)
{
	unsigned rounds = 64;

	return cycles_of(name, 1, WARP, ARGUMENTS(&rounds, &gpu.cycles, &gpu.sink)) /
	       (rounds * CHAIN);
}

static double lanes_of(const char *name)
{
	unsigned rounds = 256, threads = 1024;

	return (double)threads * rounds * CHAIN /
	       cycles_of(name, 1, threads, ARGUMENTS(&rounds, &gpu.cycles, &gpu.sink));
}

static void arithmetic(struct ct_machine_values *m)
{
	unsigned rounds = 8192, sms = (unsigned)gpu.device.multiProcessorCount, one = 1,
		 turns = TURNS;
	double seconds;

	m->fma32_latency = latency_of("fma32_1");
	m->fma64_latency = latency_of("fma64_1");
	m->fma16_latency = latency_of("fma16_1");
	m->sfu_latency = latency_of("sfu_1");
	m->integer_latency = latency_of("integer_1") / 2;
	m->multiply_latency = latency_of("multiply_1");
	m->special_latency = latency_of("special_1") - m->fma32_latency;
	m->divide32_latency = latency_of("divide32_1") - m->fma32_latency;
	m->divide64_latency = latency_of("divide64_1") - m->fma64_latency;
	m->integer_divide_latency = latency_of("integer_divide_1") - m->integer_latency;
	m->branch_latency =
	    cycles_of("turns", 1, 1, ARGUMENTS(&one, &turns, &gpu.cycles, &gpu.sink)) / TURNS -
	    m->multiply_latency;
	m->fma32_lanes = lanes_of("fma32_8");
	m->fma64_lanes = lanes_of("fma64_8");
	m->fma16_lanes = lanes_of("fma16_8");
	m->sfu_lanes = lanes_of("sfu_8");
	m->integer_lanes = 2 * lanes_of("integer_8");
	m->multiply_lanes = lanes_of("multiply_8");
	/* The clock: cycles by seconds, of all SMs at work. */
	seconds = seconds_of("fma32_8", sms, 1024, ARGUMENTS(&rounds, &gpu.cycles, &gpu.sink));
	m->clock_hz =
	    cycles_of("fma32_8", sms, 1024, ARGUMENTS(&rounds, &gpu.cycles, &gpu.sink)) / seconds;
}

static void bandwidths(struct ct_machine_values *m)
{
	unsigned sms = (unsigned)gpu.device.multiProcessorCount, grid = sms * 2, block = 1024,
		 half = 512;
	unsigned long long threads = (unsigned long long)grid * block;
	unsigned long long count = DRAM_BYTES / 16 / (threads * 4) * (threads * 4);
	unsigned long long near = (unsigned long long)sms * half * 4, floats = DRAM_BYTES / 16;
	unsigned once = 1, often = 200, times = 512;
	float s = 3;

	m->dram_read_bandwidth =
	    (double)count * 16 /
	    seconds_of("read_l2", grid, block, ARGUMENTS(&gpu.memory[0], &count, &once, &gpu.sink));
	m->dram_copy_bandwidth =
	    (double)floats * 32 /
	    seconds_of("copy", sms * 16, 512, ARGUMENTS(&gpu.memory[0], &gpu.memory[1], &floats));
	m->dram_triad_bandwidth =
	    (double)floats * 48 /
	    seconds_of("triad", sms * 16, 512,
		       ARGUMENTS(&gpu.memory[0], &gpu.memory[1], &gpu.memory[2], &s, &floats));
	m->l2_bandwidth =
	    (double)near * 16 * often /
	    seconds_of("read_l2", sms, half, ARGUMENTS(&gpu.memory[0], &near, &often, &gpu.sink));
	m->l1_bandwidth = (double)half * 64 * times /
			  cycles_of("read_l1", 1, half,
				    ARGUMENTS(&gpu.memory[0], &times, &gpu.cycles, &gpu.sink));
	m->shared_bandwidth =
	    (double)block * 16 * times /
	    cycles_of("read_shared", 1, block, ARGUMENTS(&times, &gpu.cycles, &gpu.sink));
}

/* Equation 4.8 solved for gamma: what barriers add to a kernel that loads from the L2. */
static void barriers(struct ct_machine_values *m)
{
	unsigned rounds = 64, sms = (unsigned)gpu.device.multiProcessorCount, ctas = 4,
		 threads = 256;
	double with, without, syncs;

	m->barrier_cycles =
	    cycles_of("barriers", 1, 1024, ARGUMENTS(&rounds, &gpu.cycles)) / (rounds * 16);
	m->barrier_latency =
	    cycles_of("barriers", 1, WARP, ARGUMENTS(&rounds, &gpu.cycles)) / (rounds * 16);
	make_ring(L2_BYTES * 4);
	without = cycles_of("loads", sms * ctas, threads,
			    ARGUMENTS(&gpu.memory[0], &rounds, &gpu.cycles, &gpu.memory[1]));
	with = cycles_of("loads_barriers", sms * ctas, threads,
			 ARGUMENTS(&gpu.memory[0], &rounds, &gpu.cycles, &gpu.memory[1]));
	syncs = (double)rounds * ctas * threads / WARP;
	m->barrier_factor = with > without && m->l2_latency > 0
				? (with - without) * ROUND_INSTRUCTIONS / (syncs * m->l2_latency)
				: 0;
}

static void others(struct ct_machine_values *m)
{
	unsigned grid = (unsigned)gpu.device.multiProcessorCount * 8, block = 256, rounds = 32,
		 same = 0, apart = 8;
	double adds = (double)grid * block * rounds;

	m->atomic_same_rate =
	    adds / seconds_of("atomics", grid, block, ARGUMENTS(&gpu.memory[0], &same, &rounds));
	m->atomic_apart_rate =
	    adds / seconds_of("atomics", grid, block, ARGUMENTS(&gpu.memory[0], &apart, &rounds));
	for (int waits = 0; waits < 2; waits++) {
		double begin;

		start("empty", 1, 32, NULL);
		cudaDeviceSynchronize();
		begin = ct_machine_now();
		for (int i = 0; i < LAUNCHES; i++) {
			start("empty", 1, 32, NULL);
			if (waits)
				cudaDeviceSynchronize();
		}
		cudaDeviceSynchronize();
		*(waits ? &m->launch_wait_seconds : &m->launch_seconds) =
		    (ct_machine_now() - begin) / LAUNCHES;
	}
}

/* Measures what a kernel takes beyond its work, and its CTAs. Kernels of a chain that do nothing
 * overlap the next one's launch; those that take longer than a launch do not. */
static void beginnings(struct ct_machine_values *m)
{
	unsigned sms = (unsigned)gpu.device.multiProcessorCount;
	unsigned long long wanted = SPIN_CYCLES;
	void **arguments = ARGUMENTS(&wanted, &gpu.cycles);

	m->kernel_seconds = seconds_in_chain("spin", 1, WARP, arguments) -
			    cycles_of("spin", 1, WARP, arguments) / m->clock_hz;
	m->cta_seconds = (seconds_in_chain("empty", sms * CTAS_MANY, WARP, NULL) -
			  seconds_in_chain("empty", sms * CTAS_FEW, WARP, NULL)) /
			 (sms * (CTAS_MANY - CTAS_FEW));
}

static void open_gpu(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);

	memset(&gpu, 0, sizeof(gpu));
	if (driver) {
		*(void **)&gpu.load = dlsym(driver, "cuModuleLoadData");
		*(void **)&gpu.get = dlsym(driver, "cuModuleGetFunction");
		*(void **)&gpu.launch = dlsym(driver, "cuLaunchKernel");
	}
	check(gpu.load && gpu.get && gpu.launch, "CUDA's driver");
	if (gpu.failed)
		return;
	check(cudaGetDeviceProperties(&gpu.device, 0) == cudaSuccess &&
		  cudaFree(NULL) == cudaSuccess,
	      "the device");
	for (int i = 0; i < 3; i++)
		check(cudaMalloc((void **)&gpu.memory[i], DRAM_BYTES) == cudaSuccess &&
			  cudaMemset(gpu.memory[i], 0, DRAM_BYTES) == cudaSuccess,
		      "memory");
	check(cudaMalloc((void **)&gpu.cycles, 1 << 20) == cudaSuccess &&
		  cudaMalloc((void **)&gpu.sink, 1 << 20) == cudaSuccess &&
		  cudaEventCreate(&gpu.begin) == cudaSuccess &&
		  cudaEventCreate(&gpu.end) == cudaSuccess,
	      "what measuring needs");
	if (!gpu.failed)
		check(gpu.load(&gpu.module, ct_calibrate_kernels) == CUDA_SUCCESS,
		      "the driver's compiler");
}

static void close_gpu(void)
{
	for (int i = 0; i < 3; i++)
		cudaFree(gpu.memory[i]);
	cudaFree(gpu.cycles);
	cudaFree(gpu.sink);
}

int ct_machine_measure(struct ct_machine_values *machine)
{
	static void (*const steps[])(struct ct_machine_values *) = {
	    properties, arithmetic, latencies, bandwidths, barriers, beginnings, others};

	open_gpu();
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps) && !gpu.failed; i++)
		steps[i](machine);
	close_gpu();
	if (!gpu.failed)
		ct_machine_measure_peers(machine);
	return gpu.failed ? -1 : ct_machine_measure_host(machine);
}
