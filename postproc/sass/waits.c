/* SPDX-License-Identifier: Apache-2.0 */
/* Who is stalled waits for the instructions that its registers come from, for room beside itself,
 * or for the warps that are not at the barrier yet. */
#include "postproc/sass/waits.h"

#include "base/array.h"

#include <stdlib.h>

/* Finds what one stalled instruction waits for: *count places. Where that is not known, and of
 * what does not wait, itself, if it may be. */
static int find_producers(struct ct_weighing *w, const struct ct_stalled *stalled, bool or_itself,
			  uint32_t producers[CT_PTX_PRODUCERS_MAX], size_t *count)
{
	const struct ct_weight *like = &w->out->list[stalled->weight];
	const struct ct_instruction *at = &w->resolved[stalled->resolved].at;
	enum ct_ptx_producer what = ct_ptx_producer_of(w->out->reasons[like->reason]);
	int err = ct_code_producers(w->code, at, what, producers, count);

	if (err == 0 && !*count && (or_itself || what == CT_PTX_ITSELF))
		producers[(*count)++] = at->place;
	return err;
}

/* samples that wait for a reason, shared by the places that make them. */
static int add_wait(struct ct_weighing *w, const struct ct_weight *like, double samples,
		    const uint32_t *producers, size_t count)
{
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		err = ct_array_reserve(&w->out->waits, &w->wait_room, w->out->wait_count + 1,
				       sizeof(*w->out->waits));
		if (err == 0)
			w->out->waits[w->out->wait_count++] = (struct ct_weight_wait){
			    .kernel = like->kernel,
			    .symbol = like->symbol,
			    .context = like->context,
			    .producer = producers[i],
			    .place = like->place,
			    .reason = like->reason,
			    .weight = samples / (double)count,
			};
	}
	return err;
}

/* Who is at a barrier waits for those that are on their way to it. */
static bool is_before(const struct ct_weighing *w, const struct ct_stalled *at,
		      const struct ct_stalled *other, const bool *before, size_t lines)
{
	const struct ct_weight *like = &w->out->list[at->weight];
	const struct ct_weight *of = &w->out->list[other->weight];
	const struct ct_instruction *here = &w->resolved[at->resolved].at;
	const struct ct_instruction *there = &w->resolved[other->resolved].at;

	return of->kernel == like->kernel && of->context == like->context &&
	       there->ptx_text == here->ptx_text && there->ptx_line && there->ptx_line <= lines &&
	       before[there->ptx_line - 1];
}

/* In proportion to the time that warps spend on the way, and for what they wait there. */
static int add_before(struct ct_weighing *w, const struct ct_stalled *at)
{
	const struct ct_weight like = w->out->list[at->weight];
	size_t lines;
	bool *before = ct_code_before(w->code, &w->resolved[at->resolved].previous, &lines);
	uint32_t producers[CT_PTX_PRODUCERS_MAX];
	double all = 0;
	size_t count;
	int err = 0;

	for (size_t i = 0; before && i < w->stalled_count; i++)
		if (is_before(w, at, &w->stalled[i], before, lines))
			all += (double)w->stalled[i].samples;
	for (size_t i = 0; before && i < w->stalled_count && err == 0; i++) {
		const struct ct_stalled *other = &w->stalled[i];

		if (!is_before(w, at, other, before, lines))
			continue;
		err = find_producers(w, other, true, producers, &count);
		if (err == 0)
			err = add_wait(w, &like, (double)at->samples * (double)other->samples / all,
				       producers, count);
	}
	free(before);
	return err;
}

int ct_weigh_waits(struct ct_weighing *w, const struct ct_stalled *stalled)
{
	const struct ct_weight like = w->out->list[stalled->weight];
	uint32_t producers[CT_PTX_PRODUCERS_MAX];
	size_t count;
	int err;

	if (ct_ptx_producer_of(w->out->reasons[like.reason]) == CT_PTX_BEFORE)
		return add_before(w, stalled);
	err = find_producers(w, stalled, false, producers, &count);
	return err == 0 ? add_wait(w, &like, (double)stalled->samples, producers, count) : err;
}
