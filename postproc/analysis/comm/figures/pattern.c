/* SPDX-License-Identifier: Apache-2.0 */
/* Names of patterns from degrees and volumes; the rules are in the header. */
#include "postproc/analysis/comm/figures/pattern.h"
#include <inttypes.h>
#include <stdio.h>

#define FEW 2u             /* CTAs on the small side of a gather or scatter */
#define MANY_PER_FEW 16u   /* or this many on the other side for each */
#define NEIGHBOURS_SURE 8u /* of a stencil in two dimensions, corners included */
#define NEIGHBOURS_MAX 26u /* in three */
#define ALL_PART 0.9
#define MEAN_PART 0.4

static double pairs_possible(const struct ct_comm_kernel_pair *pair)
{
	double sources = (double)pair->sources, targets = (double)pair->targets;

	return sources * targets - (sources < targets ? sources : targets);
}

/* How many CTAs read a byte. */
static double copies(const struct ct_comm_kernel_pair *pair)
{
	return pair->distinct_bytes ? (double)pair->bytes / (double)pair->distinct_bytes : 0;
}

static enum ct_comm_pattern one_to_many(const struct ct_comm_kernel_pair *pair)
{
	return copies(pair) >= 2 ? CT_PATTERN_MULTICAST : CT_PATTERN_SCATTER;
}

static bool is_few_of(uint64_t few, uint64_t many)
{
	return (few <= FEW && many > FEW) || few <= many / MANY_PER_FEW;
}

static bool is_neighbourly(const struct ct_comm_kernel_pair *pair)
{
	double partners = (double)pair->partners;
	uint64_t most =
	    pair->out_degree_max > pair->in_degree_max ? pair->out_degree_max : pair->in_degree_max;

	if (most > NEIGHBOURS_MAX ||
	    (most > NEIGHBOURS_SURE && partners > pairs_possible(pair) / 4))
		return false;
	return partners >= MEAN_PART * (double)pair->out_degree_max * (double)pair->sources &&
	       partners >= MEAN_PART * (double)pair->in_degree_max * (double)pair->targets;
}

enum ct_comm_pattern ct_pattern_of(const struct ct_comm_kernel_pair *pair)
{
	uint64_t itself = pair->self_bytes > 0;

	if (!pair->partners)
		return CT_PATTERN_LOCAL;
	if (pair->target_ctas == 1 && pair->sources + itself > 1)
		return CT_PATTERN_GATHER;
	if (pair->source_ctas == 1 && pair->targets + itself > 1)
		return one_to_many(pair);
	if (pair->out_degree_max == 1 && pair->in_degree_max == 1)
		return CT_PATTERN_POINT_TO_POINT;
	if (is_few_of(pair->targets, pair->sources) || pair->out_degree_max == 1)
		return CT_PATTERN_GATHER;
	if (is_few_of(pair->sources, pair->targets) || pair->in_degree_max == 1)
		return one_to_many(pair);
	if (pair->sources > FEW && pair->targets > FEW &&
	    (double)pair->partners >= ALL_PART * pairs_possible(pair))
		return CT_PATTERN_ALL_TO_ALL;
	return is_neighbourly(pair) ? CT_PATTERN_NEIGHBOURS : CT_PATTERN_IRREGULAR;
}

const char *ct_pattern_text(enum ct_comm_pattern pattern)
{
	switch (pattern) {
	case CT_PATTERN_POINT_TO_POINT:
		return "point-to-point";
	case CT_PATTERN_SCATTER:
		return "scatter";
	case CT_PATTERN_GATHER:
		return "gather";
	case CT_PATTERN_MULTICAST:
		return "multicast";
	case CT_PATTERN_ALL_TO_ALL:
		return "all-to-all";
	case CT_PATTERN_NEIGHBOURS:
		return "neighbours";
	case CT_PATTERN_LOCAL:
		return "local";
	case CT_PATTERN_IRREGULAR:
		break;
	}
	return "irregular";
}

/* "1 thread block sends", "3 thread blocks send" */
static int print_senders(const struct ct_comm_kernel_pair *pair, char *buffer, size_t bytes)
{
	return snprintf(buffer, bytes, "%" PRIu64 " %s", pair->sources,
			pair->sources == 1 ? "thread block sends" : "thread blocks send");
}

static void print_why(const struct ct_comm_kernel_pair *pair, char *buffer, size_t bytes)
{
	double per_source = (double)pair->partners / (double)(pair->sources ? pair->sources : 1);
	char senders[64];

	print_senders(pair, senders, sizeof(senders));
	switch (ct_pattern_of(pair)) {
	case CT_PATTERN_LOCAL:
		snprintf(buffer, bytes, "no thread block reads what another one wrote");
		break;
	case CT_PATTERN_POINT_TO_POINT:
		snprintf(buffer, bytes, "%s to one each; none receives from two", senders);
		break;
	case CT_PATTERN_GATHER:
		snprintf(buffer, bytes, "%s to %" PRIu64 "; one receives from up to %" PRIu64,
			 senders, pair->targets, pair->in_degree_max);
		break;
	case CT_PATTERN_SCATTER:
		snprintf(buffer, bytes,
			 "%s to %" PRIu64 "; one sends to up to %" PRIu64
			 "; a byte goes to %.1f on average",
			 senders, pair->targets, pair->out_degree_max, copies(pair));
		break;
	case CT_PATTERN_MULTICAST:
		snprintf(buffer, bytes,
			 "%s the same bytes to %" PRIu64 "; a byte goes to %.1f on average",
			 senders, pair->targets, copies(pair));
		break;
	case CT_PATTERN_ALL_TO_ALL:
		snprintf(buffer, bytes,
			 "%s to %" PRIu64 ", to %.1f each on average; a byte goes to %.1f", senders,
			 pair->targets, per_source, copies(pair));
		break;
	case CT_PATTERN_NEIGHBOURS:
		snprintf(buffer, bytes,
			 "%s to %" PRIu64 ", to at most %" PRIu64
			 " each, %.1f on average; one receives from at most %" PRIu64,
			 senders, pair->targets, pair->out_degree_max, per_source,
			 pair->in_degree_max);
		break;
	case CT_PATTERN_IRREGULAR:
		snprintf(buffer, bytes,
			 "%s to %" PRIu64 ", to %.1f each on average, at most %" PRIu64
			 "; one receives from up to %" PRIu64,
			 senders, pair->targets, per_source, pair->out_degree_max,
			 pair->in_degree_max);
		break;
	}
}

const char *ct_pattern_why(const struct ct_comm_kernel_pair *pair, char *buffer, size_t bytes)
{
	print_why(pair, buffer, bytes);
	return buffer;
}
