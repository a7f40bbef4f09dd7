/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a kernel is traced, and the LAUNCH event that says so: for launches
 * and for each kernel of a graph launch. All with the session's lock held, in
 * a quiet section, device current.
 */
#ifndef CT_HOST_RT_LAUNCH_DECIDE_H
#define CT_HOST_RT_LAUNCH_DECIDE_H

#include "host-rt/base/registry.h"
#include "host-rt/counts/counts.h"
#include "host-rt/ctas/ctas.h"
#include "host-rt/events/device.h"
#include "host-rt/launch/call.h"
#include "host-rt/launch/image.h"
#include "host-rt/launch/sampling.h"

struct ct_decision {
	struct ct_kernel *kernel; /* NULL: not ours */
	struct ct_device *device;
	struct ct_kernel_image *image; /* NULL: not looked at */
	const char *reason;            /* why pristine; NULL: the clone runs */
	const char *site;
	uint64_t context;
	uint32_t id; /* 0: no event was written */
	uint64_t stream;
	struct ct_sample sample;
	struct ct_counts_use counts;
	struct ct_ctas_use ctas;
};

/* Fills kernel and image of d, whose device is set. Why the clone cannot run
 * in this shape, whatever the launch's number; NULL if it can. */
const char *ct_decide_kernel(const struct ct_launch_call *call, struct ct_decision *d);
/* Why the launch of this number is not recorded, now and by this thread; NULL if it is. */
const char *ct_decide_number(uint32_t id);

/* Whether --sample-launches leaves it out. base: as of ct_sampling_context, 0 for graphs;
 * reason: why it is not traced anyway, NULL if it is else. Fills d's sample but for
 * its blocks. Returns the reason that holds. */
const char *ct_decide_sample(struct ct_decision *d, uintptr_t base, const char *reason);

/* Takes what tier and clock of a traced launch need; slot: of a graph's kernel (graph/ids.h),
 * else CT_NO_LAUNCH_SLOT. stream: its id, or what else launches follow one another in. NULL, or
 * why it is not traced after all. */
#define CT_NO_LAUNCH_SLOT UINT32_MAX
const char *ct_decide_memory(const struct ct_launch_call *call, struct ct_decision *d,
			     uint64_t stream, uint32_t slot);

/* The LAUNCH event and, of a traced launch, the totals. */
void ct_decide_write(const struct ct_launch_call *call, const struct ct_decision *d);

#endif
