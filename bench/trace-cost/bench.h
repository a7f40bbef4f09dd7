/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-cost: options, and what is measured. The parent process starts a child
 * per shape, so that each has a trace of its own, and adds what the trace tells.
 */
#ifndef TRACE_COST_BENCH_H
#define TRACE_COST_BENCH_H

#include "shapes.h"
#include <cstdio>
#include <cstdlib>
#include <string>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t error_ = (call);                                                       \
		if (error_) {                                                                      \
			fprintf(stderr, "trace-cost: %s: %s\n", #call,                             \
				cudaGetErrorString(error_));                                       \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

#define REPEATS_MAX 64

struct options {
	unsigned log_elements = 24;
	unsigned repeats = 7;
	unsigned burst = 0; /* 0: as many as take some milliseconds */
	unsigned streams = 1;
	const char *shapes = nullptr; /* names, comma-separated */
	const char *child = nullptr;  /* the one shape that this process measures */
	const char *output = "trace-cost.traces";
	const char *json = nullptr;
	unsigned thesis = 0;                /* 2^n elements for seed 001's protocol; 0: without */
	const char *thesis_child = nullptr; /* the shape that this process measures it on */
	const char *proof_child =
	    nullptr; /* the shape that this process makes a trace of for ctpost */
	bool only_verify = false;
	const char *sanitizer = nullptr;       /* folder that sanitizer.sh built */
	const char *sanitizer_child = nullptr; /* the shape that this process measures under it */
	const char *verify = nullptr;          /* ctpost */
	bool keep = false;
};

/* Times of one thing, in ms. */
struct times {
	double median, least;
};

struct kernel_use {
	int registers, blocks_per_sm, warps_per_sm; /* registers 0: unknown */
};

/* A child sends this to its parent. */
struct measured {
	times native, traced;               /* a launch alone, the ring empty */
	times native_steady, traced_steady; /* per launch of a burst */
	unsigned burst, traced_launches;
	uint64_t accesses;      /* of a launch */
	uint64_t last_burst_ns; /* CLOCK_REALTIME at its begin */
	kernel_use pristine, clone;
};

void measure(const options &o, const shape &s, const data &d, measured *m);

/* Launches whose trace is to be verified; how many were traced. */
unsigned trace_for_proof(const options &o, const shape &s, const data &d);

/* Device memory, with its contents. */
data make_data(unsigned log_elements);
void free_data(data *d);

/* Describes what ctpost verify is to find of every launch of s: fields of a JSON object. */
std::string expectation(const shape &s, const data &d);

/* Thread accesses of a launch. */
uint64_t count_accesses(const shape &s, const data &d);

/* Another tracer. */
struct other_measured {
	double native_ms, traced_ms;
	uint64_t accesses, records;
	bool hung; /* it did not end within THESIS_SECONDS; nothing else is known */
};

#define THESIS_SECONDS 30

/* The protocol of seed 001, on data of a size of its own. path: file for the records */
void measure_thesis(const shape &native, const shape &thesis, const data &d, const char *path,
		    other_measured *m);

/* The tracer on the Sanitizer API, in a process that the driver has loaded it into. */
#define SANITIZER_LIBRARY "CUDA_INJECTION64_PATH"
void measure_sanitizer(const shape &s, const data &d, other_measured *m);

/* One launch between events. */
double event_ms(const shape &s, const data &d);

struct row {
	const char *name;
	measured m;
	uint64_t record_bytes, trace_bytes, lost_chunks, launches, ring_waits;
	double drain_ms; /* from the begin of the last burst until all was written */
	int verified;    /* 1: ctpost verify says so; -1: it does not; 0: not asked */
	other_measured thesis, sanitizer; /* accesses 0, not hung: not asked */
};

/* Measure all shapes that are wanted, each in a process of its own. Exit status. */
int run_all(const options &o, char **argv);

/* Where child processes write their results; name of the file of expectations. */
#define RESULT_FD 3
std::string expectation_of(const options &o, const char *name);

void report(const row *rows, unsigned count, const options &o, FILE *json);

#endif
