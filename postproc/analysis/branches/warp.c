/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes of a warp between the blocks of its functions. */
#include "postproc/analysis/branches/warp.h"
#include "base/array.h"

#include <cudatrace/unit.h>
#include <stdlib.h>

/* Lanes of those given that are in exactly so many functions. */
static uint32_t lanes_at(const struct ct_branches_warp *warp, uint32_t lanes, uint32_t depth)
{
	uint32_t deeper = depth < CT_BRANCHES_DEPTH ? warp->deep[depth + 1] : 0;

	return (depth ? lanes & warp->deep[depth] : lanes) & ~deeper;
}

static int end(const struct ct_branches_open *open, const struct ct_branches_listener *listener)
{
	const struct ct_branches_taken taken = {
	    .site = open->site,
	    .lanes = (uint32_t)__builtin_popcount(open->lanes & ~open->waiting),
	    .is_divergent = open->is_divergent,
	    .goes_back = open->goes_back,
	};

	return listener->take(listener->user, &taken);
}

/* Some of the lanes at a branch go on, the first ones to do so. */
static int part(struct ct_branches_warp *warp, const struct ct_branches_open *open,
		const struct ct_branches_listener *listener)
{
	bool is_first;
	int err = ct_branches_idle_part(&warp->idle, open->site, open->lanes, &is_first);

	return err == 0 && is_first ? listener->part(listener->user, open->site) : err;
}

/* Lanes that are at a depth go on to a block from the branches that they wait behind there. */
static int go_on(struct ct_branches_warp *warp, uint32_t depth, uint32_t lanes, uint32_t site,
		 const struct ct_branches_listener *listener)
{
	int err = 0;

	for (size_t i = 0; i < warp->count && lanes && err == 0;) {
		struct ct_branches_open *open = &warp->open[i];
		uint32_t going = open->depth == depth ? open->waiting & lanes : 0;

		if (!going) {
			i++;
			continue;
		}
		if (open->waiting == open->lanes && going != open->lanes)
			err = part(warp, open, listener);
		open->is_divergent |= open->has_target && open->target != site;
		open->goes_back |= site <= open->site;
		open->has_target = true;
		open->target = site;
		open->waiting &= ~going;
		lanes &= ~going;
		if (open->waiting) {
			i++;
			continue;
		}
		if (err == 0)
			err = end(open, listener);
		*open = warp->open[--warp->count];
	}
	return err;
}

static int add_open(struct ct_branches_warp *warp, uint32_t depth, uint32_t lanes, uint32_t site)
{
	int err = ct_array_reserve(&warp->open, &warp->room, warp->count + 1, sizeof(*warp->open));

	if (err == 0)
		warp->open[warp->count++] = (struct ct_branches_open){
		    .site = site, .waiting = lanes, .lanes = lanes, .depth = (uint8_t)depth};
	return err;
}

/* Lanes that no function was entered by are in the first one: what came before is not recorded. */
static void call(struct ct_branches_warp *warp, uint32_t lanes, bool is_entry)
{
	for (uint32_t depth = CT_BRANCHES_DEPTH; depth > 1 && is_entry; depth--)
		warp->deep[depth] |= lanes & warp->deep[depth - 1];
	warp->deep[1] |= lanes;
}

int ct_branches_enter(struct ct_branches_warp *warp, uint32_t site, uint32_t lanes, uint32_t flags,
		      const struct ct_branches_listener *listener)
{
	int err = 0;

	ct_branches_idle_meet(&warp->idle, lanes);
	call(warp, lanes, flags & CT_SITE_ENTRY);
	for (uint32_t depth = 1, rest = lanes; depth <= CT_BRANCHES_DEPTH && rest; depth++) {
		uint32_t own = lanes_at(warp, rest, depth);

		rest &= ~own;
		if (!own)
			continue;
		if (!(flags & CT_SITE_ENTRY) && err == 0)
			err = go_on(warp, depth, own, site, listener);
		if (flags & CT_SITE_BRANCH && err == 0)
			err = add_open(warp, depth, own, site);
		if (flags & CT_SITE_RETURN)
			warp->deep[depth] &= ~own;
	}
	return err;
}

int ct_branches_end(struct ct_branches_warp *warp, const struct ct_branches_listener *listener)
{
	int err = 0;

	for (size_t i = 0; i < warp->count && err == 0; i++)
		if (warp->open[i].has_target)
			err = end(&warp->open[i], listener);
	warp->count = 0;
	return err;
}

bool ct_branches_is_over(const struct ct_branches_warp *warp)
{
	return !warp->deep[1];
}

void ct_branches_warp_fini(struct ct_branches_warp *warp)
{
	free(warp->open);
	ct_branches_idle_fini(&warp->idle);
}
