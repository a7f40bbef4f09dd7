/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What comes of touches is the same whether those that come again are summed or not: a naive walk
 * over random ones of a few bytes, sites and warps says so.
 */
#include "base/array.h"
#include "postproc/analysis/comm/touches/repeats.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define TOUCHES 6000u /* fewer than a trial has */
#define PAGES 2u
#define WARPS 3u
#define SITES 5u
#define BYTES 32u
#define CHUNK_TOUCHES 50u

static const struct {
	uint8_t kind;
	uint32_t element;
} sites[SITES] = {
    {CT_TOUCH_READ, 4},  {CT_TOUCH_READ, 0},   {CT_TOUCH_READ | CT_TOUCH_WRITE, 4},
    {CT_TOUCH_WRITE, 4}, {CT_TOUCH_WRITE, 12},
};

/* Keeps what is known of a page after the touches of a CTA, warp by warp. */
struct outcome {
	uint64_t loaded[PAGES][BYTES][SITES]; /* what the warp had not written itself */
	uint64_t touched[PAGES][SITES];       /* bytes, each time */
	uint32_t first[PAGES][BYTES];         /* 1 + the site that read it first */
	uint32_t last[PAGES][BYTES];          /* 1 + that wrote it last */
	uint32_t phase[PAGES][BYTES];         /* of the last writer */
};

struct list {
	struct ct_touch *touch;
	size_t count;
};

static void append(struct list *list, const struct ct_touch *touch)
{
	cr_assert_eq(ct_array_grow(&list->touch, list->count, sizeof(*touch)), 0);
	list->touch[list->count++] = *touch;
}

static int compare(const void *a, const void *b)
{
	const struct ct_touch *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static void walk_one(struct outcome *outcome, const struct ct_touch *touch, uint32_t own[][BYTES],
		     uint32_t warp)
{
	uint32_t element = sites[touch->site].element;

	for (uint32_t i = touch->first; i <= touch->last; i++) {
		if (touch->kind & CT_TOUCH_READ && own[touch->page][i] != warp + 1) {
			outcome->loaded[touch->page][i][touch->site] += touch->times;
			if (!outcome->first[touch->page][i])
				outcome->first[touch->page][i] = touch->site + 1;
		}
		if (touch->kind & CT_TOUCH_WRITE) {
			own[touch->page][i] = warp + 1;
			outcome->last[touch->page][i] = touch->site + 1;
			outcome->phase[touch->page][i] =
			    (uint32_t)((touch->page * CT_PAGE_BYTES + touch->first) % element);
		}
	}
	outcome->touched[touch->page][touch->site] +=
	    (touch->last - touch->first + 1ull) * touch->times;
}

static void walk(struct outcome *outcome, struct list *list)
{
	uint32_t own[PAGES][BYTES] = {{0}};

	memset(outcome, 0, sizeof(*outcome));
	qsort(list->touch, list->count, sizeof(*list->touch), compare);
	for (size_t i = 0; i < list->count; i++)
		walk_one(outcome, &list->touch[i], own,
			 (uint32_t)(list->touch[i].order >> CT_ORDER_BITS));
}

/* Each warp's are in its order; runs of the same site are likely, as in a loop. */
static struct ct_touch random_touch(uint64_t at, uint32_t *site)
{
	uint32_t bytes = 4u << random() % 2;

	if (random() % 16 == 0)
		*site = (uint32_t)random() % SITES;
	if (*site == 4)
		bytes = 12;
	return (struct ct_touch){
	    .page = (uint64_t)random() % PAGES,
	    .order = (uint64_t)random() % WARPS << CT_ORDER_BITS | at,
	    .site = *site,
	    .times = 1 + (uint32_t)random() % 9,
	    .first = (uint16_t)(random() % 3 * 4),
	    .last = 0,
	    .kind = sites[*site].kind,
	    .superstep = bytes, /* for a moment */
	};
}

/* As a thread's scan has them. */
struct looked_for {
	struct ct_repeats *repeats;
	uint64_t unseen; /* touches that pass yet */
};

static bool is_seen(struct looked_for *of)
{
	if (!of->unseen)
		of->unseen = ct_repeats_pause(of->repeats);
	if (!of->unseen)
		return true;
	of->unseen--;
	return false;
}

static void put(struct list *list, struct looked_for *of, uint64_t chunk,
		const struct ct_touch *touch)
{
	struct ct_touch put[CT_REPEATS_PUT_MAX];
	uint32_t count;

	if (!is_seen(of)) {
		append(list, touch);
		return;
	}
	count = ct_repeats_add(of->repeats, chunk, touch, put);
	for (uint32_t i = 0; i < count; i++)
		append(list, &put[i]);
}

/* Two threads have every second chunk, as where a trace is shared out. */
static void make(struct list *all, struct list *summed, unsigned seed)
{
	struct looked_for thread[2] = {{0}};
	struct ct_touch touch;
	uint32_t site = 0;

	srandom(seed);
	cr_assert_eq(ct_repeats_open(&thread[0].repeats), 0);
	cr_assert_eq(ct_repeats_open(&thread[1].repeats), 0);
	for (uint32_t i = 0; i < TOUCHES; i++) {
		uint64_t chunk = i / CHUNK_TOUCHES;

		touch = random_touch(i, &site);
		touch.last = (uint16_t)(touch.first + touch.superstep - 1);
		touch.superstep = 1;
		append(all, &touch);
		put(summed, &thread[chunk % 2], chunk, &touch);
	}
	for (int i = 0; i < 2; i++) {
		while (ct_repeats_take(thread[i].repeats, &touch))
			append(summed, &touch);
		ct_repeats_close(thread[i].repeats);
	}
}

Test(comm_repeats, nothing_that_comes_of_them_changes)
{
	static struct outcome expected, outcome;

	for (unsigned seed = 1; seed <= 12; seed++) {
		struct list all = {0}, summed = {0};

		make(&all, &summed, seed);
		cr_expect_lt(summed.count, all.count, "none was summed");
		for (size_t i = 0; i < summed.count; i++)
			cr_assert(summed.touch[i].times >= 1 &&
				  summed.touch[i].times <= CT_TOUCH_TIMES_MAX);
		walk(&expected, &all);
		walk(&outcome, &summed);
		cr_expect(memcmp(&expected, &outcome, sizeof(outcome)) == 0, "seed %u", seed);
		free(all.touch);
		free(summed.touch);
	}
}

/* Until a trial has shown that none comes again, and then not for long. */
Test(comm_repeats, are_looked_for_where_there_are_some)
{
	struct ct_touch touch = {.kind = CT_TOUCH_READ, .times = 1}, put[CT_REPEATS_PUT_MAX];
	struct looked_for of = {0};
	uint32_t asked = 0, waiting = 0;

	cr_assert_eq(ct_repeats_open(&of.repeats), 0);
	for (uint32_t i = 0; i < 1000000; i++) {
		touch.page = i;
		touch.order = i;
		if (!is_seen(&of))
			continue;
		asked++;
		cr_expect_eq(ct_repeats_add(of.repeats, 0, &touch, put), 1);
	}
	cr_expect_gt(asked, 0);
	cr_expect_lt(asked, 100000);
	touch.page = 7;
	for (uint32_t i = 0; i < 1000000; i++)
		if (is_seen(&of))
			waiting += ct_repeats_add(of.repeats, 0, &touch, put) == 0;
	cr_expect_gt(waiting, 400000);
	ct_repeats_close(of.repeats);
}

/* An access that passed in a pause may have been a write. */
Test(comm_repeats, nothing_goes_on_over_a_pause)
{
	struct ct_touch read = {.kind = CT_TOUCH_READ, .times = 1}, other = read;
	struct ct_touch put[CT_REPEATS_PUT_MAX];
	struct looked_for of = {0};
	uint32_t i = 0;

	cr_assert_eq(ct_repeats_open(&of.repeats), 0);
	while (is_seen(&of)) {
		other.page = 1 + i;
		ct_repeats_add(of.repeats, 0, i % 3 ? &other : &read, put);
		i++;
	}
	cr_assert_gt(i, 3);
	while (!is_seen(&of))
		;
	cr_expect_geq(ct_repeats_add(of.repeats, 0, &read, put), 1);
	ct_repeats_close(of.repeats);
}
