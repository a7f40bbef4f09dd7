/* SPDX-License-Identifier: Apache-2.0 */
/* Who wrote each byte of a small range of memory, as its operations pass by in order. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_HISTORY_BYTES_H
#define CT_POSTPROC_ANALYSIS_COMM_HISTORY_BYTES_H

#include "postproc/analysis/comm/history/history.h"

struct ct_history_bytes;

int ct_history_bytes_open(struct ct_history_bytes **out, const struct ct_order *order,
			  uint64_t first, uint64_t last);
void ct_history_bytes_close(struct ct_history_bytes *bytes); /* NULL is allowed */

/* Operations come by superstep, CTA, warp, and in the order of the program.
 * Fills in where a read comes from. */
void ct_history_bytes_take(struct ct_history_bytes *bytes, struct ct_history_entry *operation);

#endif
