/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost diff for a terminal: a line per launch that differs, then the sum. */
#include "../model/operation.h"
#include "diff.h"
#include "words.h"
#include <inttypes.h>

#define NAME_BYTES 1024

struct ct_diff_counts ct_diff_count(const struct ct_pairs *pairs)
{
	struct ct_diff_counts counts = {.equal = 0};

	for (size_t i = 0; i < pairs->count; i++) {
		const struct ct_pair *pair = &pairs->pair[i];

		if (pair->result == CT_PAIR_EQUAL)
			counts.equal++;
		else if (pair->result == CT_PAIR_NOT_TRACED)
			counts.not_traced++;
		else
			counts.different++;
		for (int side = 0; side < 2; side++) {
			counts.accesses[side] += pair->accesses[side];
			counts.unknown[side] += pair->unknown[side];
		}
	}
	return counts;
}

static void write_event(FILE *out, const struct ct_pair *pair, int side)
{
	const struct ct_match_event *event = &pair->event[side];
	char name[NAME_BYTES], location[NAME_BYTES];

	fprintf(out, "%s: ", side ? "B" : "A");
	if (!pair->has[side]) {
		fprintf(out, "no more accesses");
		return;
	}
	fprintf(out, "%s %u B ", ct_operation_text(event->site->operation), event->site->bytes);
	if (event->object)
		fprintf(out, "%s+%" PRIu64, ct_words_object(event->object, name, sizeof(name)),
			event->offset);
	else
		fprintf(out, "0x%" PRIx64 " in no known object", event->offset);
	fprintf(out, " at %s",
		ct_words_location(event->unit, event->site, location, sizeof(location)));
}

static void write_accesses(FILE *out, const struct ct_pair *pair)
{
	char number[CT_NUMBER_BYTES];
	uint32_t cta[3];

	if (!pair->threads_differ) {
		fprintf(out, "accesses outside the grid; a trace is damaged");
		return;
	}
	ct_words_cta(pair->launch[0], pair->first_thread / pair->cta_threads, cta);
	fprintf(out, "%s %s, first CTA (%u,%u,%u) thread %" PRIu64,
		ct_number(pair->threads_differ, number),
		pair->threads_differ == 1 ? "thread differs" : "threads differ", cta[0], cta[1],
		cta[2], pair->first_thread % pair->cta_threads);
	if (!pair->has[0] && !pair->has[1])
		return;
	fprintf(out, " access %s; ", ct_number(pair->position + 1, number));
	write_event(out, pair, 0);
	fprintf(out, "; ");
	write_event(out, pair, 1);
}

static void write_shapes(FILE *out, const struct ct_pair *pair)
{
	for (int side = 0; side < 2; side++) {
		const struct ct_launch_info *launch = pair->launch[side];
		char extent[64];

		fprintf(out, side ? "; B: " : " differs; A: ");
		switch (pair->result) {
		case CT_PAIR_KERNEL:
			fprintf(out, "%s", launch->kernel);
			break;
		case CT_PAIR_GRID:
			fprintf(out, "%s",
				ct_words_extent(launch->event->grid, extent, sizeof(extent)));
			break;
		case CT_PAIR_BLOCK:
			fprintf(out, "%s",
				ct_words_extent(launch->event->block, extent, sizeof(extent)));
			break;
		case CT_PAIR_STREAM:
			fprintf(out, "stream %" PRIu64, launch->event->stream);
			break;
		default:
			fprintf(out, "%s",
				launch->event->flags & CT_LAUNCH_TRACED ? "traced"
									: launch->reason);
			break;
		}
	}
}

static void write_pair(FILE *out, const struct ct_pair *pair)
{
	const struct ct_launch_info *launch = pair->launch[0] ? pair->launch[0] : pair->launch[1];

	fprintf(out, "launch %u %s: ", launch->event->launch, launch->kernel);
	switch (pair->result) {
	case CT_PAIR_ACCESSES:
		write_accesses(out, pair);
		break;
	case CT_PAIR_ONLY_A:
	case CT_PAIR_ONLY_B:
		fprintf(out, "%s", ct_pair_result_text(pair->result));
		break;
	default:
		fprintf(out, "%s", ct_pair_result_text(pair->result));
		write_shapes(out, pair);
		break;
	}
	fputc('\n', out);
}

void ct_diff_write_text(FILE *out, const struct ct_diff *diff, const struct ct_style *style)
{
	struct ct_diff_counts counts = ct_diff_count(diff->pairs);
	char number[CT_NUMBER_BYTES];

	for (size_t i = 0; i < diff->pairs->count; i++)
		if (diff->pairs->pair[i].result != CT_PAIR_EQUAL &&
		    diff->pairs->pair[i].result != CT_PAIR_NOT_TRACED)
			write_pair(out, &diff->pairs->pair[i]);
	ct_emphasise(out, style, counts.different ? CT_BAD : CT_GOOD,
		     counts.different ? "different" : "equal");
	fprintf(out, ": %s ", ct_number(counts.equal, number));
	fprintf(out, "of %s launches equal",
		ct_number(counts.equal + counts.different + counts.not_traced, number));
	if (counts.different)
		fprintf(out, ", %s different", ct_number(counts.different, number));
	if (counts.not_traced)
		fprintf(out, ", %s traced in neither", ct_number(counts.not_traced, number));
	fprintf(out, "; accesses compared: A %s", ct_number(counts.accesses[0], number));
	fprintf(out, ", B %s", ct_number(counts.accesses[1], number));
	if (counts.unknown[0] || counts.unknown[1]) {
		fprintf(out, "; addresses in no known object: A %s",
			ct_number(counts.unknown[0], number));
		fprintf(out, ", B %s", ct_number(counts.unknown[1], number));
	}
	fputc('\n', out);
}
