/* SPDX-License-Identifier: Apache-2.0 */
/* Supersteps, sites and CTAs in the words of the communication analysis. */
#ifndef CT_RENDER_COMM_WORDS_H
#define CT_RENDER_COMM_WORDS_H

#include "postproc/analysis/comm/comm.h"

/* part / whole in per cent; 0 of nothing */
double ct_comm_percent(uint64_t part, uint64_t whole);

/* "expand(int const*) #3", "cudaMemcpy", with " of part 1" if the trace has several. Returns
 * buffer, as all of these do. */
const char *ct_comm_superstep_text(const struct ct_comm_figures *figures, uint32_t superstep,
				   char *buffer, size_t bytes);

/* "cudaMemcpy", or "copy" or "memset" if the call is not known */
const char *ct_comm_transfer_call(const struct ct_transfer_info *transfer);

/* Place of a site: "shift.cu:7:20". */
const char *ct_comm_site_text(const struct ct_unit *unit, uint32_t site, char *buffer,
			      size_t bytes);

/* "a (shift.cu:20)" */
const char *ct_comm_object_text(const struct ct_object_info *object, char *buffer, size_t bytes);

bool ct_comm_has_parts(const struct ct_comm_figures *figures);

#endif
