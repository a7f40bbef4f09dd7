/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Touches that a warp makes again and again, such as of the bins of a histogram: the first is put,
 * those after it are summed and put as one, so that a hot page costs what there is to know of it
 * and not what was accessed. Nothing that comes of touches changes by it:
 *
 * A warp reads anew what it has not itself written before, and of its writes of a byte the last
 * counts. So of a touch that comes again only how often it does matters, and where the last one
 * stands; but a read behind a write is not the same as one before. A window is what a warp does to
 * a page, in a chunk, up to a write behind a read; within it touches are summed.
 *
 * Where few come again, they are not looked for until many more have passed.
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_TOUCHES_REPEATS_H
#define CT_POSTPROC_ANALYSIS_COMM_TOUCHES_REPEATS_H

#include "postproc/analysis/comm/base/engine.h"

struct ct_repeats;

/* Opens one for a thread, for its scan. -ENOMEM. */
int ct_repeats_open(struct ct_repeats **out);
void ct_repeats_close(struct ct_repeats *repeats); /* NULL is allowed */

/* Before a touch is looked at: how many, this one among them, are better put unseen, as few come
 * again; no window goes on over them. 0: none. */
uint64_t ct_repeats_pause(struct ct_repeats *repeats);

#define CT_REPEATS_PUT_MAX 2u
/* A touch of a chunk, in the order of the trace. Returns how many touches are to be put now, put[0]
 * …; it may be among them, or wait. */
uint32_t ct_repeats_add(struct ct_repeats *repeats, uint64_t chunk, const struct ct_touch *touch,
			struct ct_touch put[CT_REPEATS_PUT_MAX]);
/* One that waits, after the last: to be put. False: none does. */
bool ct_repeats_take(struct ct_repeats *repeats, struct ct_touch *touch);

#endif
