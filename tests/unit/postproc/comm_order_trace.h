/* SPDX-License-Identifier: Apache-2.0 */
/* A trace made by hand of launches, transfers and what orders them, in place of trace/'s. */
#ifndef CT_TESTS_COMM_ORDER_TRACE_H
#define CT_TESTS_COMM_ORDER_TRACE_H

#include "trace/read/reader.h"

/* Calls that the functions below add next are of this part and device. */
void calls_begin(size_t calls);
void calls_end(void);
void calls_of(uint32_t part, uint32_t device);

/* Numbers of supersteps, in the order of calls. */
uint32_t launch(uint64_t stream);
uint32_t transfer(uint64_t stream, uint32_t flags);
void order(uint32_t kind, uint64_t stream, uint64_t event);
void stream_is(uint64_t stream, uint32_t flags);

const struct ct_trace *calls_trace(void);

#endif
