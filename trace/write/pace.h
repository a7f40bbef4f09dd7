/* SPDX-License-Identifier: Apache-2.0 */
/* Which codec is fastest, coding and writing together, as measured on earlier chunks. */
#ifndef CT_TRACE_WRITE_PACE_H
#define CT_TRACE_WRITE_PACE_H

#include <cudatrace/format.h>
#include <stdint.h>

#define CT_PACE_CODECS 4u /* of enum ct_codec */

/* The pace of one thread. Averages; those of codecs that were not used yet are guesses. */
struct ct_pace {
	double code_ns[CT_PACE_CODECS]; /* per byte of records */
	double ratio[CT_PACE_CODECS];   /* coded bytes per byte of records */
	double write_ns; /* per coded byte, waits for other threads' writes included */
};

void ct_pace_init(struct ct_pace *pace);

/* hurry 0: usual; 1: the faster of usual and DELTA; 2: the fastest of these and NONE. */
enum ct_codec ct_pace_choose(const struct ct_pace *pace, enum ct_codec usual, uint32_t hurry);

void ct_pace_learn(struct ct_pace *pace, enum ct_codec codec, uint64_t raw_bytes,
		   uint64_t coded_bytes, uint64_t code_ns, uint64_t write_ns);

#endif
