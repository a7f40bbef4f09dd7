/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CTA clock: where a launch's CTAs write their times, and the rows of CTA that come of it.
 *
 *   take    with the decision: a table that no other launch uses meanwhile
 *   begin   now and then an event is put into the stream, which says that what came before is done
 *           (the launch)
 *   end     its table is to be read; or the launch failed
 *   (read)  now and then, and when everything is done: tables become rows
 *
 * Nothing else is put into streams, so that kernels' times, and the gaps between them, stay the
 * program's. A kernel of an executable graph keeps one table, of which a copy is taken behind each
 * launch of the graph.
 */
#ifndef CT_HOST_RT_CTAS_CTAS_H
#define CT_HOST_RT_CTAS_CTAS_H

#include "host-rt/drain/drain.h"
#include <stdbool.h>

struct ct_ctas_table;

/* One launch uses this; all zero: it has no clock. */
struct ct_ctas_use {
	struct ct_ctas_table *table;
	uint64_t times; /* of struct ct_launch */
	uint64_t ctas;
};

/* A device has this for the clock, beside the producers' memory. */
extern const struct ct_drain_extension ct_ctas_extension;

/* A table for so many CTAs. stream: its id. Session's lock held, quiet section, device current,
 * its drain ready. NULL, or why there is none. */
const char *ct_ctas_take(struct ct_drain *drain, uint64_t stream, uint64_t ctas,
			 struct ct_ctas_use *use);
/* The same for the kernel of an executable graph that has this slot (graph/ids.h): the table is
 * the slot's, and not read itself. */
const char *ct_ctas_keep(struct ct_drain *drain, uint32_t slot, uint64_t ctas,
			 struct ct_ctas_use *use);

/* Around the launch of a table that was taken; without the session's lock, device current.
 * launched: the launch was accepted. */
void ct_ctas_begin(const struct ct_ctas_use *use, cudaStream_t stream);
void ct_ctas_end(const struct ct_ctas_use *use, uint32_t launch, bool launched);

/* Behind a launch of a graph: what the kernel's table holds then. Without the session's lock,
 * device current. */
void ct_ctas_copy(struct ct_drain *drain, const struct ct_ctas_use *kept, cudaStream_t stream,
		  uint64_t stream_id, uint32_t launch);

#endif
