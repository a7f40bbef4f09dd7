/* SPDX-License-Identifier: Apache-2.0 */
/* The events of the host side, as cudatrace/events.def describes them. */
#ifndef CT_POSTPROC_FORMATS_DUMP_HOST_EVENTS_H
#define CT_POSTPROC_FORMATS_DUMP_HOST_EVENTS_H

#include "trace/read/reader.h"
#include <stdbool.h>
#include <stdio.h>

/* A line per event, at most limit: in words for people, or as a JSON object (docs/json-schema.md).
 * 0 or -EIO. */
int ct_dump_host_events(const struct ct_trace *trace, FILE *out, bool as_json, uint64_t limit);

#endif
