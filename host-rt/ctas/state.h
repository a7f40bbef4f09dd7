/* SPDX-License-Identifier: Apache-2.0 */
/* The CTA clock's tables of one device, as the host knows them. Session's lock held. */
#ifndef CT_HOST_RT_CTAS_STATE_H
#define CT_HOST_RT_CTAS_STATE_H

#include "host-rt/ctas/memory.h"
#include <cuda_runtime_api.h>

enum ct_ctas_phase { CT_CTAS_TAKEN, CT_CTAS_LAUNCHED };

/* In the list of its stream, or of the mark behind it. */
struct ct_ctas_table {
	struct ct_ctas_table *next;
	struct ct_drain *drain;
	struct ct_ctas_stream *stream;
	struct ct_ctas_page *page;
	uint64_t first; /* entry of the page */
	uint64_t ctas;
	uint32_t launch;
	uint32_t phase; /* enum ct_ctas_phase */
};

/* An event of CUDA in a stream: the tables in front of it are complete when it is. */
struct ct_ctas_mark {
	struct ct_ctas_mark *next;
	cudaEvent_t event;
	bool is_recorded;
	struct ct_ctas_table *tables;
};

/* Tables that no mark is behind. One without any serves another stream. */
struct ct_ctas_stream {
	struct ct_ctas_stream *next;
	uint64_t id;
	uint64_t marked_ns;                  /* when the last mark was made, on CLOCK_MONOTONIC */
	uint64_t ctas;                       /* of its tables */
	struct ct_ctas_table *tables, **end; /* in the order of their launches */
};

/* A slot of executable graphs keeps this. */
struct ct_ctas_kept {
	uint64_t times, ctas;
};

struct ct_ctas_device {
	struct ct_ctas_memory memory, kept_memory;
	struct ct_ctas_stream *streams;
	struct ct_ctas_mark *marks, *spare;
	struct ct_ctas_kept *kept; /* by slot */
	size_t kept_count, kept_room;
};

struct ct_ctas_device *ct_ctas_device_of(const struct ct_drain *drain);

/* read.c: what is complete becomes rows; in quiet sections, device current. Both return 0 or a
 * negative error. */
int ct_ctas_read(struct ct_drain *drain);
/* All work is complete. */
int ct_ctas_finish(struct ct_drain *drain);

/* clock.c: CLOCK events. A device without an answer has none; read it at both ends of what is
 * to be reported. */
void ct_ctas_clock_tell(struct ct_drain *drain);
void ct_ctas_clock_close(struct ct_drain *drain, bool release);

#endif
