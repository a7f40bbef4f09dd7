/* SPDX-License-Identifier: Apache-2.0 */
/* The host side of the protocol of seed 001 (section 5.4.2), and what it costs. */
#include "bench.h"
#include "thesis.h"
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#define BIN_RECORDS 8192u

struct consumer {
	thesis_buffer b; /* host addresses */
	FILE *out;
	std::atomic<bool> stop;
	uint64_t records;
};

static unsigned load(unsigned *index)
{
	return __atomic_load_n(index, __ATOMIC_ACQUIRE);
}

static void write_out(consumer *c, uint32_t bin, unsigned count)
{
	if (fwrite(c->b.records + (size_t)bin * c->b.bin_records, sizeof(thesis_record), count,
		   c->out) != count) {
		perror("trace-cost: records");
		exit(1);
	}
	c->records += count;
}

/* While a bin is full nothing gets a slot of it until both indices are 0 again. */
static void evacuate(consumer *c, uint32_t bin)
{
	unsigned *reserved = &c->b.reserved[THESIS_INDEX(bin)];
	unsigned *acknowledged = &c->b.acknowledged[THESIS_INDEX(bin)];
	unsigned count = load(acknowledged);

	if (count < c->b.bin_records - THESIS_WARP)
		return;
	write_out(c, bin, count);
	__atomic_store_n(acknowledged, 0, __ATOMIC_RELEASE);
	__atomic_store_n(reserved, 0, __ATOMIC_RELEASE);
}

static void consume(consumer *c)
{
	while (!c->stop.load(std::memory_order_acquire))
		for (uint32_t bin = 0; bin < c->b.bins; bin++)
			evacuate(c, bin);
	for (uint32_t bin = 0; bin < c->b.bins; bin++) {
		write_out(c, bin, load(&c->b.acknowledged[THESIS_INDEX(bin)]));
		c->b.acknowledged[THESIS_INDEX(bin)] = c->b.reserved[THESIS_INDEX(bin)] = 0;
	}
}

/* "The closest power of two to the number of SMs" */
static uint32_t bins_for_device(void)
{
	int sms;
	uint32_t bins = 1;

	CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
	while (bins * 3 / 2 < (uint32_t)sms)
		bins *= 2;
	return bins;
}

static thesis_buffer on_device(const thesis_buffer &b)
{
	thesis_buffer d = b;

	CHECK(cudaHostGetDevicePointer((void **)&d.records, b.records, 0));
	CHECK(cudaHostGetDevicePointer((void **)&d.reserved, b.reserved, 0));
	CHECK(cudaHostGetDevicePointer((void **)&d.acknowledged, b.acknowledged, 0));
	return d;
}

static void *mapped(size_t bytes)
{
	void *memory;

	CHECK(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped));
	memset(memory, 0, bytes);
	return memory;
}

double event_ms(const shape &s, const data &d)
{
	cudaEvent_t begin, end;
	float ms;

	CHECK(cudaEventCreate(&begin));
	CHECK(cudaEventCreate(&end));
	CHECK(cudaEventRecord(begin));
	s.launch(s, d, 0);
	CHECK(cudaEventRecord(end));
	CHECK(cudaEventSynchronize(end));
	CHECK(cudaEventElapsedTime(&ms, begin, end));
	return ms;
}

void measure_thesis(const shape &native, const shape &thesis, const data &d, const char *path,
		    other_measured *m)
{
	consumer c = {};

	c.b.bins = bins_for_device();
	c.b.bin_records = BIN_RECORDS;
	c.b.records =
	    (thesis_record *)mapped((size_t)c.b.bins * BIN_RECORDS * sizeof(thesis_record));
	c.b.reserved = (unsigned *)mapped(THESIS_INDEX(c.b.bins) * sizeof(unsigned));
	c.b.acknowledged = (unsigned *)mapped(THESIS_INDEX(c.b.bins) * sizeof(unsigned));
	c.out = fopen(path, "we");
	if (!c.out) {
		perror(path);
		exit(1);
	}
	thesis_select(on_device(c.b));
	event_ms(native, d);
	m->native_ms = event_ms(native, d);
	std::thread thread(consume, &c);
	m->traced_ms = event_ms(thesis, d);
	c.stop.store(true, std::memory_order_release);
	thread.join();
	fclose(c.out);
	m->accesses = count_accesses(native, d);
	m->records = c.records;
}
