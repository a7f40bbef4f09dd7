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

static void end(const struct ct_branches_open *open,
		void (*take)(void *user, const struct ct_branches_taken *taken), void *user)
{
	uint32_t waiting = (uint32_t)__builtin_popcount(open->waiting);

	take(user, &(struct ct_branches_taken){open->site, open->lanes - waiting,
					       open->is_divergent, open->goes_back});
}

/* Lanes that are at a depth go on to a block from the branches that they wait behind there. */
static void go_on(struct ct_branches_warp *warp, uint32_t depth, uint32_t lanes, uint32_t site,
		  void (*take)(void *user, const struct ct_branches_taken *taken), void *user)
{
	for (size_t i = 0; i < warp->count && lanes;) {
		struct ct_branches_open *open = &warp->open[i];
		uint32_t going = open->depth == depth ? open->waiting & lanes : 0;

		if (!going) {
			i++;
			continue;
		}
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
		end(open, take, user);
		*open = warp->open[--warp->count];
	}
}

static int add_open(struct ct_branches_warp *warp, uint32_t depth, uint32_t lanes, uint32_t site)
{
	int err = ct_array_reserve(&warp->open, &warp->room, warp->count + 1, sizeof(*warp->open));

	if (err == 0)
		warp->open[warp->count++] =
		    (struct ct_branches_open){.site = site,
					      .waiting = lanes,
					      .lanes = (uint8_t)__builtin_popcount(lanes),
					      .depth = (uint8_t)depth};
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
		      void (*take)(void *user, const struct ct_branches_taken *taken), void *user)
{
	int err = 0;

	call(warp, lanes, flags & CT_SITE_ENTRY);
	for (uint32_t depth = 1, rest = lanes; depth <= CT_BRANCHES_DEPTH && rest; depth++) {
		uint32_t own = lanes_at(warp, rest, depth);

		rest &= ~own;
		if (!own)
			continue;
		if (!(flags & CT_SITE_ENTRY))
			go_on(warp, depth, own, site, take, user);
		if (flags & CT_SITE_BRANCH && err == 0)
			err = add_open(warp, depth, own, site);
		if (flags & CT_SITE_RETURN)
			warp->deep[depth] &= ~own;
	}
	return err;
}

void ct_branches_end(struct ct_branches_warp *warp,
		     void (*take)(void *user, const struct ct_branches_taken *taken), void *user)
{
	for (size_t i = 0; i < warp->count; i++)
		if (warp->open[i].has_target)
			end(&warp->open[i], take, user);
	warp->count = 0;
}

bool ct_branches_is_over(const struct ct_branches_warp *warp)
{
	return !warp->deep[1];
}

void ct_branches_warp_fini(struct ct_branches_warp *warp)
{
	free(warp->open);
}
