/* SPDX-License-Identifier: Apache-2.0 */
/* Paths from an instruction to its kernel. */
#include "postproc/analysis/blame/chains.h"

#include <string.h>

static bool push(struct ct_blame_chain *chain, struct ct_blame_frame frame)
{
	if (chain->depth == CT_BLAME_FRAMES_MAX)
		return false;
	chain->frame[chain->depth++] = frame;
	return true;
}

static bool push_frames(struct ct_blame_chain *chain, const struct ct_unit *units, uint32_t unit,
			uint32_t frame)
{
	const struct ct_unit *of = &units[unit];

	for (; frame != CT_NONE; frame = of->frames[frame].inlined_at) {
		const struct ct_unit_frame *f = &of->frames[frame];

		if (!push(chain, (struct ct_blame_frame){unit, ct_unit_string(of, f->function),
							 ct_unit_string(of, f->file), f->line,
							 f->column, f->inlined_at != CT_NONE}))
			return false;
	}
	return true;
}

/* Pushes the place of a call, or an access. */
static bool push_site(struct ct_blame_chain *chain, const struct ct_unit *units, uint32_t unit,
		      uint32_t index)
{
	const struct ct_unit *of = &units[unit];
	const struct ct_unit_site *site = &of->sites[index];
	const char *function =
	    site->inlined_at == CT_NONE ? ct_unit_string(of, site->function) : "";

	return push(chain, (struct ct_blame_frame){unit, function, ct_unit_string(of, site->file),
						   site->line, site->column,
						   site->inlined_at != CT_NONE}) &&
	       push_frames(chain, units, unit, site->inlined_at);
}

static bool push_path(struct ct_blame_chain *chain, const struct ct_blame_weights *weights,
		      uint32_t path)
{
	bool fits = true;

	for (; path && fits; path = weights->path[path].caller)
		fits = push_site(chain, weights->units, weights->path[path].unit,
				 weights->path[path].site);
	return fits;
}

bool ct_blame_chain_known(struct ct_blame_chain *chain, const struct ct_blame_weights *weights,
			  uint32_t unit, uint32_t frame, uint32_t path)
{
	chain->depth = 0;
	return push_frames(chain, weights->units, unit, frame) && push_path(chain, weights, path);
}

bool ct_blame_chain_of_site(struct ct_blame_chain *chain, const struct ct_blame_weights *weights,
			    uint32_t unit, uint32_t site, uint32_t path)
{
	chain->depth = 0;
	return push_site(chain, weights->units, unit, site) && push_path(chain, weights, path);
}

struct search {
	struct ct_blame_chain *chain;
	const struct ct_blame_places *places;
	const struct ct_unit *units;
	const char *kernel;
	int (*each)(void *user, struct ct_blame_chain *chain);
	void *user;
	uint32_t found;
};

static bool is_on(const struct ct_blame_chain *chain, const char *function)
{
	for (uint32_t i = 0; i < chain->depth; i++)
		if (strcmp(chain->frame[i].function, function) == 0)
			return true;
	return false;
}

static int extend(struct search *search)
{
	struct ct_blame_chain *chain = search->chain;
	const char *function = chain->frame[chain->depth - 1].function;
	const struct ct_unit_call *call;
	uint32_t unit;
	size_t at = 0;
	int result = 0;

	if (strcmp(function, search->kernel) == 0) {
		search->found++;
		return search->each(search->user, chain);
	}
	while (result == 0 && search->found < CT_BLAME_CHAINS_MAX &&
	       ct_blame_callers(search->places, function, &at, &unit, &call)) {
		const struct ct_unit *of = &search->units[unit];
		const char *caller = ct_unit_string(of, call->function);

		if (is_on(chain, caller) ||
		    !push(chain,
			  (struct ct_blame_frame){unit, caller, ct_unit_string(of, call->file),
						  call->line, call->column, false}))
			continue;
		result = extend(search);
		chain->depth--;
	}
	return result;
}

int ct_blame_chains_static(struct ct_blame_chain *chain, const struct ct_blame_places *places,
			   const struct ct_unit *units, const char *kernel,
			   int (*each)(void *user, struct ct_blame_chain *chain), void *user)
{
	struct search search = {chain, places, units, kernel, each, user, 0};

	return extend(&search);
}
