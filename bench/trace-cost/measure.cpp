/* SPDX-License-Identifier: Apache-2.0 */
/* One shape, native and traced in turn, between events. */
#include "bench.h"
#include <algorithm>
#include <ctime>
#include <cudatrace/cudatrace.h>
#include <cudatrace/host.h>
#include <dirent.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

/* Absent where nothing is instrumented. */
#pragma weak __ct_kernel_clone

#define BURST_MS 4.0
#define BURST_MAX 2000u
#define PROOF_LAUNCHES 4u

struct stopwatch {
	cudaEvent_t begin, end;
	std::vector<cudaStream_t> streams;
};

static double once(const stopwatch &w, const shape &s, const data &d, unsigned launches)
{
	float ms;

	CHECK(cudaEventRecord(w.begin, w.streams[0]));
	for (size_t i = 1; i < w.streams.size(); i++)
		CHECK(cudaStreamWaitEvent(w.streams[i], w.begin, 0));
	for (unsigned i = 0; i < launches; i++)
		s.launch(s, d, w.streams[i % w.streams.size()]);
	for (size_t i = 1; i < w.streams.size(); i++) {
		CHECK(cudaEventRecord(w.end, w.streams[i]));
		CHECK(cudaStreamWaitEvent(w.streams[0], w.end, 0));
	}
	CHECK(cudaEventRecord(w.end, w.streams[0]));
	CHECK(cudaEventSynchronize(w.end));
	CHECK(cudaEventElapsedTime(&ms, w.begin, w.end));
	CHECK(cudaGetLastError());
	return (double)ms / launches;
}

/* The pristine kernel. */
static double untraced(const stopwatch &w, const shape &s, const data &d, unsigned launches)
{
	double ms;

	ct_pause();
	ms = once(w, s, d, launches);
	ct_resume();
	return ms;
}

static uint64_t directory_bytes(const char *path)
{
	uint64_t bytes = 0;
	DIR *directory = opendir(path);
	struct stat about;

	if (!directory)
		return 0;
	while (struct dirent *entry = readdir(directory))
		if (stat((std::string(path) + "/" + entry->d_name).c_str(), &about) == 0)
			bytes += (uint64_t)about.st_size;
	closedir(directory);
	return bytes;
}

/* Until the trace has not grown for a while: the ring is empty then, and no flush is under way. */
static void finish(void)
{
	const char *path = getenv("CUDATRACE_OUTPUT");
	uint64_t before, now = path ? directory_bytes(path) : 0;
	unsigned quiet = 0;

	while (path && quiet < 3) {
		before = now;
		usleep(5000);
		now = directory_bytes(path);
		quiet = now == before ? quiet + 1 : 0;
	}
}

static times summary(std::vector<double> values)
{
	std::sort(values.begin(), values.end());
	return times{values[values.size() / 2], values[0]};
}

static kernel_use use_of(const void *kernel, dim3 block)
{
	struct cudaFuncAttributes attributes;
	kernel_use use = {0, 0, 0};
	int threads = (int)(block.x * block.y * block.z);

	if (!kernel || cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess ||
	    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&use.blocks_per_sm, kernel, threads, 0) !=
		cudaSuccess) {
		(void)cudaGetLastError();
		return use;
	}
	use.registers = attributes.numRegs;
	use.warps_per_sm = use.blocks_per_sm * ((threads + 31) / 32);
	return use;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static unsigned burst_of(const options &o, double native_ms)
{
	if (o.burst)
		return o.burst;
	return std::min(BURST_MAX, std::max(4u, (unsigned)(BURST_MS / native_ms)));
}

static stopwatch open_watch(const options &o)
{
	stopwatch w;

	w.streams.resize(o.streams);
	for (cudaStream_t &stream : w.streams)
		CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	CHECK(cudaEventCreate(&w.begin));
	CHECK(cudaEventCreate(&w.end));
	return w;
}

void measure(const options &o, const shape &s, const data &d, measured *m)
{
	std::vector<double> native, of_clone, native_steady, clone_steady;
	stopwatch w = open_watch(o);

	m->accesses = count_accesses(s, d);
	untraced(w, s, d, 1);
	m->burst = burst_of(o, untraced(w, s, d, 1));
	once(w, s, d, 1);
	for (unsigned repeat = 0; repeat < o.repeats; repeat++) {
		finish();
		native.push_back(untraced(w, s, d, 1));
		finish();
		of_clone.push_back(once(w, s, d, 1));
		finish();
		native_steady.push_back(untraced(w, s, d, m->burst));
		finish();
		m->last_burst_ns = now_ns();
		clone_steady.push_back(once(w, s, d, m->burst));
	}
	m->traced_launches = 1 + o.repeats * (1 + m->burst);
	m->native = summary(native);
	m->traced = summary(of_clone);
	m->native_steady = summary(native_steady);
	m->traced_steady = summary(clone_steady);
	m->pristine = use_of(s.kernel, s.block);
	m->clone = use_of(__ct_kernel_clone ? __ct_kernel_clone(s.kernel) : nullptr, s.block);
}

unsigned trace_for_proof(const options &o, const shape &s, const data &d)
{
	unsigned burst = std::max(PROOF_LAUNCHES, 2 * o.streams);
	stopwatch w = open_watch(o);

	once(w, s, d, 1);
	untraced(w, s, d, 1);
	once(w, s, d, burst);
	return 1 + burst;
}
