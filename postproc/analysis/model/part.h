/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A part of a machine for a part of a launch: as many of its SMs, of the L2's and of memory's
 * bandwidth, as CTAs are simulated of those that there are, so that an SM has as many of them in
 * turn as it has of the whole launch, and they contend as much. What one SM is too many for is
 * made up for by `times`.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_PART_H
#define CT_POSTPROC_ANALYSIS_MODEL_PART_H

#include "postproc/analysis/model/streams.h"

struct ct_model_part {
	uint32_t sms;
	double share; /* of the machine; 1: all of it */
	double times; /* the launch's cycles by those of the part */
};

/* For so many CTAs of a launch of `ctas`; of none, or more, all of it. sms: of the machine. */
struct ct_model_part ct_model_part(uint32_t sms, uint32_t simulated, double ctas);

/* Bytes of the L2 that so many CTAs of a launch of `ctas` have, where all of them access more than
 * it holds: as large a part of it as of the sectors that are accessed. kept: what CTAs access that
 * are known; the others are taken to access as many sectors that are theirs alone, and the common
 * ones. */
uint64_t ct_model_part_l2(double l2_bytes, const struct ct_streams_extent *kept, double simulated,
			  double ctas);

/* Takes streams by CTA: how many of the first ones make up whole CTAs that have no more than
 * `most` requests, blocks and sectors together; those of `least` CTAs at least. most 0: all. */
uint32_t ct_model_part_warps(const struct ct_warp_stream *const *stream, uint32_t count,
			     uint64_t most, uint32_t least);

#endif
