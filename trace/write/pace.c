/* SPDX-License-Identifier: Apache-2.0 */
/* Which codec is fastest (pace.h). */
#include "trace/write/pace.h"

/* A chunk's weight in the averages. */
#define WEIGHT 0.125

void ct_pace_init(struct ct_pace *pace)
{
	*pace = (struct ct_pace){
	    .code_ns = {[CT_CODEC_NONE] = 0.05,
			[CT_CODEC_ZSTD] = 3.0,
			[CT_CODEC_DELTA] = 0.8,
			[CT_CODEC_DELTA_ZSTD] = 1.2},
	    .ratio = {[CT_CODEC_NONE] = 1.0,
		      [CT_CODEC_ZSTD] = 0.3,
		      [CT_CODEC_DELTA] = 0.4,
		      [CT_CODEC_DELTA_ZSTD] = 0.2},
	    .write_ns = 0.4,
	};
}

static double cost(const struct ct_pace *pace, enum ct_codec codec)
{
	return pace->code_ns[codec] + pace->ratio[codec] * pace->write_ns;
}

enum ct_codec ct_pace_choose(const struct ct_pace *pace, enum ct_codec usual, uint32_t hurry)
{
	enum ct_codec best = usual;

	if (hurry >= 1 && cost(pace, CT_CODEC_DELTA) < cost(pace, best))
		best = CT_CODEC_DELTA;
	if (hurry >= 2 && cost(pace, CT_CODEC_NONE) < cost(pace, best))
		best = CT_CODEC_NONE;
	return best;
}

static void average(double *value, double sample)
{
	*value += WEIGHT * (sample - *value);
}

void ct_pace_learn(struct ct_pace *pace, enum ct_codec codec, uint64_t raw_bytes,
		   uint64_t coded_bytes, uint64_t code_ns, uint64_t write_ns)
{
	if (raw_bytes == 0 || coded_bytes == 0)
		return;
	average(&pace->code_ns[codec], (double)code_ns / (double)raw_bytes);
	average(&pace->ratio[codec], (double)coded_bytes / (double)raw_bytes);
	average(&pace->write_ns, (double)write_ns / (double)coded_bytes);
}
