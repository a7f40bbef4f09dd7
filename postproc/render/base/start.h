/* SPDX-License-Identifier: Apache-2.0 */
/* When a trace begins: tables and time lines count from there. */
#ifndef CT_POSTPROC_RENDER_BASE_START_H
#define CT_POSTPROC_RENDER_BASE_START_H

#include "trace/read/reader.h"
#include <stdint.h>

/* Host time of the first event, ns since 1970 (UTC); 0: there is none. */
uint64_t ct_start_ns(const struct ct_trace *trace);

#endif
