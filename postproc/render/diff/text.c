/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost diff for a terminal: a line per launch that differs, then the sum. */
#include "postproc/facts/folded_name.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/words.h"
#include "postproc/render/diff/diff.h"
#include <inttypes.h>
#include <string.h>

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

enum ct_diff_verdict ct_diff_verdict(const struct ct_pairs *pairs)
{
	bool is_any = false;

	for (size_t i = 0; i < pairs->count; i++) {
		const struct ct_pair *pair = &pairs->pair[i];

		if (pair->result != CT_PAIR_EQUAL && pair->result != CT_PAIR_NOT_TRACED)
			return CT_DIFF_DIFFERENT;
		is_any |= pair->steps[0] || pair->steps[1];
	}
	return is_any ? CT_DIFF_EQUAL : CT_DIFF_NOTHING;
}

const char *ct_diff_verdict_text(enum ct_diff_verdict verdict)
{
	static const char *const words[] = {[CT_DIFF_EQUAL] = "equal",
					    [CT_DIFF_DIFFERENT] = "different",
					    [CT_DIFF_NOTHING] = "nothing compared"};

	return words[verdict];
}

/* The value of a step as a lane's. */
const char *ct_diff_value(const struct ct_match_step *step, char buffer[CT_VALUE_TEXT_BYTES])
{
	static const struct ct_access nowhere = {.mask = 1};
	struct ct_value part = {
	    .at = &nowhere,
	    .part = step->part,
	    .bytes = (uint32_t)step->bytes,
	};
	struct ct_values values;

	if (step->part == CT_PART_CONTENT) { /* in the order of memory */
		for (uint32_t i = 0; i < step->bytes; i++)
			snprintf(buffer + 2 * (size_t)i, 3, "%02x", step->value[i]);
		return buffer;
	}
	memcpy(part.data[0], step->value, sizeof(step->value));
	ct_values_clear(&values);
	ct_values_add(&values, &part);
	return ct_value_text(step->site, &values, (enum ct_role)(step->part / 4), 0, buffer);
}

static void write_where(FILE *out, const struct ct_match_step *step)
{
	char name[NAME_BYTES];

	fprintf(out, "%" PRIu64 " B ", step->bytes);
	if (step->object)
		fprintf(out, "%s+%" PRIu64, ct_words_object(step->object, name, sizeof(name)),
			step->offset);
	else if (step->object_key)
		fprintf(out, "%s+0x%" PRIx64, ct_words_space(step->space), step->offset);
	else
		fprintf(out, "0x%" PRIx64 " in no known object", step->offset);
}

static void write_step(FILE *out, const struct ct_pair *pair, int side, const char *steps)
{
	const struct ct_match_step *step = &pair->step[side];
	char location[NAME_BYTES], value[CT_VALUE_TEXT_BYTES];

	fprintf(out, "%s: ", side ? "B" : "A");
	if (!pair->has[side]) {
		fprintf(out, "no more %s", steps);
		return;
	}
	fprintf(out, "%s ", ct_operation_text(step->site->operation));
	if (step->kind == CT_STEP_ACCESS)
		write_where(out, step);
	else if (step->kind == CT_STEP_VALUE && step->part == CT_PART_CONTENT)
		fprintf(out, "content from byte %" PRIu64 " on %s", step->offset,
			ct_diff_value(step, value));
	else if (step->kind == CT_STEP_VALUE)
		fprintf(out, "%s %s", ct_role_text((enum ct_role)(step->part / 4)),
			ct_diff_value(step, value));
	else
		fprintf(out, "%s%s", step->phase == CT_PHASE_LEAVE ? "leave " : "",
			ct_unit_string(step->unit, step->site->reason));
	fprintf(out, " at %s",
		ct_words_location(step->unit, step->site, location, sizeof(location)));
}

/* Only the path is not shown. */
static int is_same_but_path(const struct ct_match_step *a, const struct ct_match_step *b)
{
	struct ct_match_step like = *b;

	like.detail = a->detail;
	return ct_match_same(a, &like) && a->phase == b->phase && a->part == b->part &&
	       (a->part != CT_PART_CONTENT || a->offset == b->offset) &&
	       !memcmp(a->value, b->value, sizeof(a->value));
}

static void write_accesses(FILE *out, const struct ct_diff *diff, const struct ct_pair *pair)
{
	char number[CT_NUMBER_BYTES];
	uint32_t cta[3];

	if (!pair->threads_differ) {
		fprintf(out, "accesses outside the grid; a trace is damaged");
		return;
	}
	ct_words_cta(pair->launch[0], pair->first_thread / pair->cta_threads, cta);
	fprintf(out, "%s %s, first thread block (%u,%u,%u) thread %" PRIu64,
		ct_number(pair->threads_differ, number),
		pair->threads_differ == 1 ? "thread differs" : "threads differ", cta[0], cta[1],
		cta[2], pair->first_thread % pair->cta_threads);
	if (!pair->has[0] && !pair->has[1])
		return;
	fprintf(out, " %s %s; ", diff->with_steps ? "step" : "access",
		ct_number(pair->position + 1, number));
	write_step(out, pair, 0, diff->with_steps ? "steps" : "accesses");
	fprintf(out, "; ");
	write_step(out, pair, 1, diff->with_steps ? "steps" : "accesses");
	if (pair->has[0] && pair->has[1] && is_same_but_path(&pair->step[0], &pair->step[1]))
		fprintf(out, "; the call paths differ");
}

static void write_shapes(FILE *out, const struct ct_pair *pair)
{
	for (int side = 0; side < 2; side++) {
		const struct ct_launch_info *launch = pair->launch[side];
		char extent[64], name[CT_BRIEF_NAME_BYTES];

		fprintf(out, side ? "; B: " : " differs; A: ");
		switch (pair->result) {
		case CT_PAIR_KERNEL:
			fprintf(out, "%s", ct_shown_name(launch->kernel, name));
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

static void write_pair(FILE *out, const struct ct_diff *diff, const struct ct_pair *pair)
{
	const struct ct_launch_info *launch = pair->launch[0] ? pair->launch[0] : pair->launch[1];
	char name[CT_BRIEF_NAME_BYTES];

	fprintf(out, "launch %u %s: ", launch->event->launch, ct_shown_name(launch->kernel, name));
	switch (pair->result) {
	case CT_PAIR_ACCESSES:
		write_accesses(out, diff, pair);
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
	enum ct_diff_verdict verdict = ct_diff_verdict(diff->pairs);
	char number[CT_NUMBER_BYTES];

	for (size_t i = 0; i < diff->pairs->count; i++)
		if (diff->pairs->pair[i].result != CT_PAIR_EQUAL &&
		    diff->pairs->pair[i].result != CT_PAIR_NOT_TRACED)
			write_pair(out, diff, &diff->pairs->pair[i]);
	ct_emphasise(out, style, verdict == CT_DIFF_EQUAL ? CT_GOOD : CT_BAD,
		     ct_diff_verdict_text(verdict));
	fprintf(out, ": %s ", ct_number(counts.equal, number));
	fprintf(out,
		verdict == CT_DIFF_NOTHING ? "of %s launches traced in both"
					   : "of %s launches equal",
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
