/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVIDIA's CUPTI, where it is: calls of CUDA that our wrappers do not see, since libraries make
 * them that were not linked with the program, and when kernels, copies and memsets ran. It is
 *loaded when a trace begins, never linked. On the CPU target there is none.
 *
 *	a call ── callbacks.c ──► its correlation to the wrapper's envelope, or a log of its own
 *	the device ── records.c ──► activities
 */
#ifndef CT_HOST_RT_CUPTI_CUPTI_H
#define CT_HOST_RT_CUPTI_CUPTI_H

#include "host-rt/cupti/sampling.h"
#include <stdbool.h>

enum ct_cupti_role {
	CT_CUPTI_BESIDE_WRAPPERS, /* which see the program's calls, but not those of libraries */
	CT_CUPTI_ALONE,
};

/* Returns what there is, "CUPTI 13.0", or NULL with *why a sentence that says what is missing. in
 * a quiet section, before anything else of the program runs on the device, best. Both texts are
 * static. Program counters are sampled, too, if that is asked for: if not, samples/samples.h is
 * given the reason. */
const char *ct_cupti_begin(enum ct_cupti_role role, const struct ct_sampling_request *sampling,
			   const char **why);

/* Brings what the device has done so far; is_last: what it has begun, too, and nothing after it.
 * Not where somebody waits for it. Nothing without ct_cupti_begin. */
void ct_cupti_flush(bool is_last);

#endif
