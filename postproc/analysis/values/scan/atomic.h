/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what atomics leave in memory, from the values they return and are given. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_SCAN_ATOMIC_H
#define CT_POSTPROC_ANALYSIS_VALUES_SCAN_ATOMIC_H

#include "postproc/facts/values.h"

/*
 * left: by lane, what the atomic left there, of lanes of known. same: lanes that left what was
 * there, for certain; of them left is set if it is known, too. A reduction returns nothing: it is
 * known to change nothing where its operand is neutral.
 */
void ct_atomic_results(const struct ct_access *access, const struct ct_values *values,
		       uint8_t left[CT_WARP_LANES][CT_VALUE_BYTES], uint32_t *same,
		       uint32_t *known);

#endif
