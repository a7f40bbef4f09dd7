/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a manifest. */
#ifndef CT_HOST_RT_PROCESS_MANIFEST_H
#define CT_HOST_RT_PROCESS_MANIFEST_H

#include "host-rt/base/options.h"
#include "host-rt/events/session.h"
#include "host-rt/process/place.h"
#include <stdbool.h>
#include <stdint.h>

struct ct_manifest {
	const struct ct_process_place *place;
	uint32_t part;
	const struct ct_options *options;
	const struct ct_session_totals *totals;
	uint64_t trace_bytes;
	uint64_t start_ns;
	uint64_t end_ns;    /* 0 while the program runs */
	const char *target; /* "gpu" or "cpu" */
	bool is_injected;
	const char *error; /* why tracing stopped early, "" if it did not */
	bool complete;
};

/* malloced, NULL when out of memory */
char *ct_manifest_text(const struct ct_manifest *manifest);

#endif
