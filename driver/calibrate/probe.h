/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a call wait for work of the device? The device is busy in a stream; the call waits for that
 * stream if the work is done whenever it returns, and does not if it once returns while the work is
 * still under way. So a call that is merely slow is no wait, unless it always takes longer than the
 * work.
 */
#ifndef CT_DRIVER_CALIBRATE_PROBE_H
#define CT_DRIVER_CALIBRATE_PROBE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#define CT_PROBE_BYTES (32u << 20)
#define CT_PROBE_TRIES 3u

/* Calls need these, all of it there before the device is busy. */
struct ct_probe {
	unsigned long long busy_ns;
	cudaStream_t blocking, non_blocking; /* towards the legacy default stream */
	cudaStream_t stream;                 /* that the call takes */
	char *device, *pinned, *pageable, *managed;
	cudaEvent_t event;
	cudaEvent_t busy_done; /* recorded behind what keeps the device busy */
	cudaGraph_t graph;
	const void *symbol;
	/* That it makes, or destroys. */
	void *made;
	cudaStream_t made_stream;
	cudaEvent_t made_event;
	cudaGraphExec_t made_graph;
	size_t sizes[2];
	unsigned times;
};

/* Which stream the device is busy in. */
enum ct_probe_place {
	CT_PROBE_LEGACY,
	CT_PROBE_BLOCKING,
	CT_PROBE_NON_BLOCKING,
	CT_PROBE_OWN, /* the one that the call takes */
	CT_PROBE_PLACES
};

enum ct_probe_answer { CT_PROBE_NO, CT_PROBE_YES, CT_PROBE_UNKNOWN };

struct ct_probed {
	const char *function, *variant;
	bool takes_stream;
	cudaError_t (*before)(struct ct_probe *p);
	cudaError_t (*call)(struct ct_probe *p);
	cudaError_t (*after)(struct ct_probe *p);
};

extern const struct ct_probed ct_probed[];
extern const unsigned ct_probed_count;

/* 0, or -1 with one line on stderr. What is made lives as long as the process. */
int ct_probe_init(struct ct_probe *probe, unsigned long long busy_ns);

/* UNKNOWN: the call fails, or takes no stream and is asked about its own. */
enum ct_probe_answer ct_probe_ask(struct ct_probe *probe, const struct ct_probed *probed,
				  enum ct_probe_place place);

#endif
