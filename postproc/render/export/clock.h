/* SPDX-License-Identifier: Apache-2.0 */
/* Times of a trace as exports tell them. */
#ifndef CT_EXPORT_CLOCK_H
#define CT_EXPORT_CLOCK_H

#include "trace/read/reader.h"
#include <stdint.h>

/* Host time of the first event, ns since 1970 (UTC); 0: there is none. */
uint64_t ct_export_start_ns(const struct ct_trace *trace);

#endif
