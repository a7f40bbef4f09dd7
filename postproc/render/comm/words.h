/* SPDX-License-Identifier: Apache-2.0 */
/* Supersteps in the words of the communication analysis. */
#ifndef CT_POSTPROC_RENDER_COMM_WORDS_H
#define CT_POSTPROC_RENDER_COMM_WORDS_H

#include "postproc/analysis/comm/comm.h"

/* part / whole in per cent; 0 of nothing */
double ct_comm_percent(uint64_t part, uint64_t whole);

/* "expand(int const*) #3", "cudaMemcpy", with " of part 1" if the trace has several. Returns
 * buffer. */
const char *ct_comm_superstep_text(const struct ct_comm_figures *figures, uint32_t superstep,
				   char *buffer, size_t bytes);

#endif
