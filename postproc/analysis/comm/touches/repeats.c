/* SPDX-License-Identifier: Apache-2.0 */
/* Two tables in which what comes later drives out what was there: windows, and touches in them. */
#include "postproc/analysis/comm/touches/repeats.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WINDOWS 1024u
#define TOUCHES 8192u
#define TRIAL 8192u         /* touches, after which it is seen whether they are worth it */
#define PAUSE (64u * TRIAL) /* touches that are not looked at if they are not */

struct window {
	uint64_t page, chunk;
	uint64_t number; /* 0: none */
	uint32_t superstep, cta, warp;
	bool only_writes; /* so far: all of its touches are of accesses that write */
};

struct repeat {
	uint64_t window;
	struct ct_touch touch; /* that waits, times 0: none does */
};

struct ct_repeats {
	uint32_t seen, put; /* of the trial */
	uint64_t windows;   /* numbers given out */
	uint32_t taken;     /* of the second table, at the end */
	struct window window[WINDOWS];
	struct repeat repeat[TOUCHES];
};

int ct_repeats_open(struct ct_repeats **out)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : -ENOMEM;
}

void ct_repeats_close(struct ct_repeats *repeats)
{
	free(repeats);
}

/* Accesses that pass in a pause may be of any window: none goes on. */
static uint64_t begin_pause(struct ct_repeats *repeats)
{
	memset(repeats->window, 0, sizeof(repeats->window));
	return PAUSE;
}

uint64_t ct_repeats_pause(struct ct_repeats *repeats)
{
	bool is_vain = 2 * repeats->put > repeats->seen;

	if (repeats->seen++ < TRIAL)
		return 0;
	repeats->seen = repeats->put = 0;
	return is_vain ? begin_pause(repeats) : 0;
}

static bool is_of(const struct window *window, uint64_t chunk, const struct ct_touch *touch)
{
	return window->number && window->page == touch->page && window->chunk == chunk &&
	       window->superstep == touch->superstep && window->cta == touch->cta &&
	       window->warp == touch->order >> CT_ORDER_BITS;
}

/* The number of the window that the touch is in: what only reads ends at a write. */
static uint64_t enter(struct ct_repeats *repeats, uint64_t chunk, const struct ct_touch *touch)
{
	uint64_t warp = touch->order >> CT_ORDER_BITS;
	uint64_t key = (uint64_t)touch->superstep << 32 ^ touch->cta ^ touch->page << 5 ^ warp;
	struct window *window = &repeats->window[ct_spread(key) % WINDOWS];
	bool writes = touch->kind & CT_TOUCH_WRITE;

	if (!is_of(window, chunk, touch) || (writes && !window->only_writes))
		*window = (struct window){.page = touch->page,
					  .chunk = chunk,
					  .number = ++repeats->windows,
					  .superstep = touch->superstep,
					  .cta = touch->cta,
					  .warp = (uint32_t)warp,
					  .only_writes = true};
	window->only_writes &= writes;
	return window->number;
}

static bool is_same(const struct repeat *repeat, uint64_t window, const struct ct_touch *touch)
{
	return repeat->window == window && repeat->touch.first == touch->first &&
	       repeat->touch.last == touch->last && repeat->touch.site == touch->site &&
	       repeat->touch.kind == touch->kind;
}

/* It waits with those before it, as long as their number can be reported. */
static uint32_t wait_with(struct repeat *repeat, const struct ct_touch *touch, struct ct_touch *put)
{
	uint32_t times = repeat->touch.times + touch->times, count = times > CT_TOUCH_TIMES_MAX;

	if (count)
		*put = repeat->touch;
	repeat->touch.times = count ? touch->times : times;
	repeat->touch.order = touch->order;
	return count;
}

uint32_t ct_repeats_add(struct ct_repeats *repeats, uint64_t chunk, const struct ct_touch *touch,
			struct ct_touch put[CT_REPEATS_PUT_MAX])
{
	uint64_t window = enter(repeats, chunk, touch);
	uint64_t key =
	    window << 32 ^ (uint64_t)touch->first << 16 ^ touch->last ^ (uint64_t)touch->site << 40;
	struct repeat *repeat = &repeats->repeat[ct_spread(key) % TOUCHES];
	uint32_t count = 0;

	if (is_same(repeat, window, touch)) {
		count = wait_with(repeat, touch, put);
	} else {
		if (repeat->touch.times)
			put[count++] = repeat->touch;
		put[count++] = *touch;
		repeat->window = window;
		repeat->touch = *touch;
		repeat->touch.times = 0;
	}
	repeats->put += count;
	return count;
}

bool ct_repeats_take(struct ct_repeats *repeats, struct ct_touch *touch)
{
	while (repeats->taken < TOUCHES) {
		struct repeat *repeat = &repeats->repeat[repeats->taken++];

		if (!repeat->touch.times)
			continue;
		*touch = repeat->touch;
		repeat->touch.times = 0;
		return true;
	}
	return false;
}
