/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much work a trace may ask of its readers. A loop's record, a range's and a copy's stand for
 * any number of accesses and bytes in a few words, so a file of some kilobytes could keep a reader
 * busy for years. A scan counts what it expands, in accesses of warps, and ends with -CT_EWORK
 * where that is more than CT_WORK_FREE and CT_WORK_PER_BYTE for each byte of the trace: a loop that
 * makes 2^24 iterations in one warp is free, and a trace of a megabyte has 2^34. Transfers are no
 * accesses: of 32 GiB they are free, and of 16 MiB for each byte of the trace. The sum does not
 * depend on who expands what, so that the answer is the same for any number of threads.
 */
#ifndef CT_TRACE_READ_WORK_H
#define CT_TRACE_READ_WORK_H

#include "trace/read/reader.h"

#include <stdatomic.h>
#include <stdbool.h>

#define CT_WORK_FREE (1ull << 25)
#define CT_WORK_PER_BYTE (1ull << 14)

/* Bytes of a range or copy that cost as much as one access. */
#define CT_WORK_BYTES 128u

/* A piece of a transfer, in accesses. */
#define CT_WORK_PIECE 4u
#define CT_WORK_PIECE_BITS 12u

struct ct_trace_work {
	_Atomic uint64_t done; /* by the scan at hand, of all views */
	uint64_t limit;
};

/* By the bytes of the trace; without a limit if the environment's CTPOST_EXPAND is "all". */
void ct_work_init(struct ct_trace_work *work, uint64_t bytes);
/* Another scan begins. */
void ct_trace_begin_work(struct ct_trace *trace);
/* Whether the transfer's rows are so few and short that they fit addresses, and lie apart: where
 * they do not the trace is damaged. */
bool ct_transfer_is_sound(const struct ct_event_transfer *transfer);
/* 0, or -CT_EWORK if its sound transfers alone ask for more than the trace may: each row, and each
 * 4 KiB of one, costs as much as CT_WORK_PIECE accesses, for it is sorted and may be spilled. */
int ct_trace_transfers_work(const struct ct_trace *trace);
/* 0 or -CT_EWORK */
int ct_work_add(struct ct_trace_work *work, uint64_t count, uint64_t times);

#endif
