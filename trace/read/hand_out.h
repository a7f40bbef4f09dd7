/* SPDX-License-Identifier: Apache-2.0 */
/* Hand out a record of a scan: whole, or by the call paths of its lanes. What the caller's
 * functions return other than 0 is records->stop. */
#ifndef CT_TRACE_READ_HAND_OUT_H
#define CT_TRACE_READ_HAND_OUT_H

#include "trace/read/records.h"

/* An access, whose mask changes, and the values that came with it: those of count that have a
 * mask. */
void ct_hand_out_access(struct ct_records *records, struct ct_access *access,
			const struct ct_decoded_value *values, uint32_t count);

/* A value alone, of lanes of an access, whose mask changes. */
void ct_hand_out_value(struct ct_records *records, struct ct_access *access,
		       const struct ct_decoded_value *value);

/* An event at the record at hand, which is wanted. */
void ct_hand_out_event(struct ct_records *records, uint32_t phase, uint32_t mask);

#endif
