/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sampling of program counters by CUPTI: each context when it launches its first kernel, with one
 * period until it ends (CUPTI does not change it in between).
 *
 *	serial		a look behind each launch, which CUPTI has waited for: its samples alone
 *	concurrent	a look whenever the journal writes: of all kernels since the one before
 *
 * Of kernels of ours, clones among them, no samples are kept.
 *
 * What a look finds goes to host-rt/samples. Cost, measured on an H100: 25 to 60 ns
 * a sample, and 0.6 ms a launch if serial; kernels themselves run as long as they do without.
 */
#ifndef CT_HOST_RT_CUPTI_SAMPLING_H
#define CT_HOST_RT_CUPTI_SAMPLING_H

#include <cupti.h>
#include <stdbool.h>

struct ct_sampling_request {
	unsigned exponent; /* a sample every 2^exponent cycles, 5..31; 0: none */
	bool is_concurrent;
};

/* After ct_cupti_load. False: *why says why this CUPTI cannot. */
bool ct_cupti_sampling_begin(const struct ct_sampling_request *request, CUpti_SubscriberHandle who,
			     const char **why);

/* As CUPTI calls back: of domain RESOURCE; and before and behind an outermost call of the program.
 */
void ct_cupti_sampling_on_resource(CUpti_CallbackId id, const CUpti_ResourceData *data);
void ct_cupti_sampling_on_call(const CUpti_CallbackData *call);

/* Nothing unless it has begun. is_last: and it ends. Not within a callback. */
void ct_cupti_sampling_flush(bool is_last);

#endif
