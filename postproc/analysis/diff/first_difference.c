/* SPDX-License-Identifier: Apache-2.0 */
/* Find where the steps of one thread first differ between two traces. */
#include "postproc/analysis/diff/first_difference.h"
#include <errno.h>
#include <stdlib.h>

struct window {
	struct ct_pair *pair;
	uint64_t start; /* steps before the window */
	uint64_t seen[2];
	struct ct_match_step *step[2];
	size_t room[2];
};

struct ct_first_difference {
	struct ct_pairs *pairs;
	uint64_t size;
	struct window window[CT_FIRST_DIFFERENCE_PAIRS];
	size_t used;
};

int ct_first_difference_open(struct ct_first_difference **out, struct ct_pairs *pairs,
			     uint64_t window)
{
	struct ct_first_difference *find = calloc(1, sizeof(*find));

	*out = find;
	if (!find)
		return -ENOMEM;
	find->pairs = pairs;
	find->size = window;
	return 0;
}

void ct_first_difference_close(struct ct_first_difference *find)
{
	if (!find)
		return;
	for (size_t i = 0; i < CT_FIRST_DIFFERENCE_PAIRS; i++) {
		free(find->window[i].step[0]);
		free(find->window[i].step[1]);
	}
	free(find);
}

static int is_wanted(const struct ct_pair *pair)
{
	return pair->result == CT_PAIR_ACCESSES && pair->threads_differ && !pair->located;
}

static uint64_t kept(const struct ct_first_difference *find, const struct window *window, int side)
{
	uint64_t beyond =
	    window->seen[side] > window->start ? window->seen[side] - window->start : 0;

	return beyond < find->size ? beyond : find->size;
}

int ct_first_difference_next(struct ct_first_difference *find)
{
	size_t used = 0, i = 0;

	/* Windows in work go on, at their next position. */
	for (; i < find->used; i++) {
		struct window window = find->window[i];

		if (!is_wanted(window.pair))
			continue;
		window.start += find->size;
		find->window[i] = find->window[used];
		find->window[used++] = window;
	}
	if (!used) {
		for (i = 0; i < find->pairs->count && used < CT_FIRST_DIFFERENCE_PAIRS; i++) {
			if (!is_wanted(&find->pairs->pair[i]))
				continue;
			find->window[used].pair = &find->pairs->pair[i];
			find->window[used++].start = 0;
		}
	}
	find->used = used;
	for (i = 0; i < used; i++)
		find->window[i].seen[0] = find->window[i].seen[1] = 0;
	return used != 0;
}

bool ct_first_difference_has(const struct ct_first_difference *find, int side, size_t launch)
{
	const struct ct_pairs *pairs = find->pairs;

	for (size_t i = 0; i < find->used; i++)
		if (find->window[i].pair == &pairs->pair[pairs->pair_of[side][launch]])
			return true;
	return false;
}

static int keep(struct window *window, int side, uint64_t place, const struct ct_match_step *step)
{
	if (place >= window->room[side]) {
		size_t room = window->room[side] ? 2 * window->room[side] : 64;
		struct ct_match_step *bigger = realloc(window->step[side], room * sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		window->step[side] = bigger;
		window->room[side] = room;
	}
	window->step[side][place] = *step;
	return 0;
}

int ct_first_difference_add(struct ct_first_difference *find, int side, struct ct_match *match,
			    const struct ct_warp_step *warp)
{
	const struct ct_pair *pair = ct_pairs_of(find->pairs, side, warp->access);

	for (size_t i = 0; i < find->used; i++) {
		struct window *window = &find->window[i];
		struct ct_match_step step;
		uint32_t lane;
		uint64_t place;

		if (window->pair != pair)
			continue;
		lane = (uint32_t)(pair->first_thread % CT_WARP_LANES);
		if (!(warp->lanes >> lane & 1) ||
		    ct_pair_thread(pair, warp->access, lane) != pair->first_thread)
			return 0;
		place = window->seen[side]++;
		if (place < window->start || place - window->start >= find->size)
			return 0;
		ct_match_step(match, warp, lane, &step);
		return keep(window, side, place - window->start, &step);
	}
	return 0;
}

static void finish_window(const struct ct_first_difference *find, const struct window *window)
{
	struct ct_pair *pair = window->pair;
	uint64_t count[2] = {kept(find, window, 0), kept(find, window, 1)};
	uint64_t longest = count[0] > count[1] ? count[0] : count[1];

	for (uint64_t i = 0; i < longest && !pair->located; i++) {
		if (i < count[0] && i < count[1] &&
		    ct_match_same(&window->step[0][i], &window->step[1][i]))
			continue;
		pair->located = 1;
		pair->position = window->start + i;
		for (int side = 0; side < 2; side++) {
			pair->has[side] = i < count[side];
			if (pair->has[side])
				pair->step[side] = window->step[side][i];
		}
	}
	/* Past both ends: the traces changed between the scans. */
	if (!longest)
		pair->located = 1;
}

void ct_first_difference_finish(struct ct_first_difference *find)
{
	for (size_t i = 0; i < find->used; i++)
		finish_window(find, &find->window[i]);
}
