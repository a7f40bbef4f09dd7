/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a call has waited for the device: the time within it during which some activity was
 * under way that it waited for. It has waited for those that ended within it (within the error of
 * the clocks) and that such a call waits for: by its name (waits.def), or since all calls from
 * there end when work of the device does (coincidence.h).
 */
#ifndef CT_POSTPROC_ANALYSIS_CALLS_WAITS_H
#define CT_POSTPROC_ANALYSIS_CALLS_WAITS_H

#include "base/by_number.h"
#include "base/map.h"
#include "postproc/analysis/calls/order.h"
#include "trace/read/reader.h"
#include <stdbool.h>

enum ct_wait { CT_WAIT_FOR_NONE, CT_WAIT_FOR_DEVICE, CT_WAIT_FOR_STREAM, CT_WAIT_FOR_OWN };

/* How it is known that a call waits. */
enum ct_wait_evidence {
	CT_EVIDENCE_NONE,
	CT_EVIDENCE_EXPLICIT,    /* it is there to wait */
	CT_EVIDENCE_DOCUMENTED,  /* waits.def has it */
	CT_EVIDENCE_CALIBRATED,  /* ctrun calibrate has seen it wait on this driver (blocking.h) */
	CT_EVIDENCE_COINCIDENCE, /* calls from there end when work of the device ends */
	CT_EVIDENCE_RECORDED     /* CUPTI has reported it as a wait (SYNC) */
};

struct ct_blocking;

struct ct_wait_kind {
	enum ct_wait what;
	enum ct_wait_evidence evidence; /* NONE if it does not wait */
	bool is_synchronize;            /* it does nothing but wait */
	bool is_query;                  /* it only asks whether it would have to */
};

/* Returns the kind of a function's wait, by its name with any suffix. */
struct ct_wait_kind ct_wait_kind(const char *name);
/* Answers that the driver has given come first. */
struct ct_wait_kind ct_wait_kind_calibrated(const char *name, const struct ct_blocking *blocking);

/* "explicit"; "" of NONE. */
const char *ct_wait_evidence_name(enum ct_wait_evidence evidence);

/* Knows a part's devices. */
struct ct_waits {
	const struct ct_row_activity *activity;
	struct ct_ends ends;          /* of activity */
	uint64_t error_ns;            /* of the clocks, by CLOCK */
	struct ct_map independent;    /* streams that the legacy default stream does not wait for */
	struct ct_by_number recorded; /* correlation -> enum ct_wait + 1, of SYNC */
	struct ct_map named;          /* text of the trace -> struct ct_wait_kind, packed */
	struct ct_map coincident; /* text, row of STACK -> enum ct_wait, of those that do not wait
				     by name */
};

/* Looks at all calls of the part, and at what is known of the driver if the trace is one of a
 * study. rows: borrowed. 0 or a negative error. */
int ct_waits_init(struct ct_waits *waits, struct ct_trace *trace, uint32_t part,
		  const struct ct_row_activity *rows, size_t count);
void ct_waits_fini(struct ct_waits *waits);

/* Returns the kind of wait of a call of the part. */
struct ct_wait_kind ct_waits_kind(const struct ct_waits *waits, const struct ct_row_call *call);

/* Whether the call waits for the activity if it waits for such work at all. */
bool ct_waits_covers(const struct ct_waits *waits, const struct ct_row_call *call,
		     enum ct_wait what, const struct ct_row_activity *activity);

/* A stretch of a call during which it waited: for this activity, the last of those under way to
 * end. */
struct ct_waited {
	const struct ct_row_activity *activity;
	uint64_t from_ns, until_ns;
};

/* Nanoseconds that the call waited. each (NULL is allowed) is given the stretches, the last one
 * first: they are apart, and their sum is the whole. Nonzero from it stops, and is returned in
 * *err. */
uint64_t ct_waits_of(const struct ct_waits *waits, const struct ct_row_call *call,
		     enum ct_wait what, int (*each)(void *user, const struct ct_waited *waited),
		     void *user, int *err);

#endif
