/* SPDX-License-Identifier: Apache-2.0 */
/* The graph of a process in the making. */
#ifndef CT_POSTPROC_ANALYSIS_FFM_MAKE_H
#define CT_POSTPROC_ANALYSIS_FFM_MAKE_H

#include "base/keyed.h"
#include "base/map.h"
#include "postproc/analysis/ffm/program.h"

/* A work before all are sorted. */
struct ct_ffm_making_work {
	struct ct_ffm_work work;
	uint32_t other; /* works that it follows in other streams: a list in `edge`; CT_FFM_NONE */
	bool is_unseen; /* a copy to the host of a call that the watch has not seen */
};

struct ct_ffm_edge {
	uint32_t work; /* that is followed */
	uint32_t next; /* of the same follower; CT_FFM_NONE */
};

struct ct_ffm_making {
	struct ct_ffm_program *program;
	struct ct_trace *trace;
	uint32_t part;
	const struct ct_row_activity *activities; /* the trace's, until all are works */
	bool has_graph_copies; /* whose works have no step, though the watch has seen them */
	struct ct_waits waits;
	struct ct_map streams; /* id -> number + 1 */
	uint64_t *stream_id;   /* by number */
	size_t stream_room;
	struct ct_by_number by_correlation, by_launch; /* -> step + 1 */
	struct ct_ffm_making_work *work;
	size_t works, work_room;
	struct ct_keyed launched; /* works by when they were launched */
	struct ct_keyed begun;    /* by when they began; of those that did at once, as `launched` */
	struct ct_ffm_edge *edge;
	size_t edges, edge_room;
};

/* steps.c: calls to steps. 0 or -ENOMEM, as all. */
int ct_ffm_make_steps(struct ct_ffm_making *making);
/* The number of a stream, from 0; CT_FFM_NONE: memory is short. */
uint32_t ct_ffm_stream_number(struct ct_ffm_making *making, uint64_t id);

/* works.c: activities to works, ORDER events to what they follow, all sorted. */
int ct_ffm_make_works(struct ct_ffm_making *making);

#endif
