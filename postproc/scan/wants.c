/* SPDX-License-Identifier: Apache-2.0 */
/* Joins what the analyses of a pass want, and divides the work for it. */
#include "postproc/scan/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CHUNKS_PER_WORKER 4u /* at least, to go to whoever is free */

/* By launch: whether any task that scans wants it. NULL: some task wants all. */
static int join_launches(struct ct_pass *pass)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(pass->trace, &launches);

	for (size_t t = 0; t < pass->tasks; t++)
		if (pass->wants[t].what && !pass->wants[t].launches)
			return 0;
	pass->launches = calloc(count + 1, 1);
	if (!pass->launches)
		return -ENOMEM;
	for (size_t t = 0; t < pass->tasks; t++)
		for (size_t i = 0; pass->wants[t].what && i < count; i++)
			pass->launches[i] |= pass->wants[t].launches[i];
	return 0;
}

/* Likewise by unit and site. */
static int join_sites(struct ct_pass *pass)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(pass->trace, &units);

	for (size_t t = 0; t < pass->tasks; t++)
		if (pass->wants[t].what && !pass->wants[t].sites)
			return 0;
	pass->sites = calloc(count + 1, sizeof(*pass->sites));
	if (!pass->sites)
		return -ENOMEM;
	for (size_t u = 0; u < count; u++) {
		uint32_t sites = units[u].header->site_count;

		pass->sites[u] = calloc((size_t)sites + 1, 1);
		if (!pass->sites[u])
			return -ENOMEM;
		for (size_t t = 0; t < pass->tasks; t++)
			for (uint32_t s = 0; pass->wants[t].what && s < sites; s++)
				pass->sites[u][s] |= pass->wants[t].sites[u][s];
	}
	return 0;
}

static unsigned with_consequences(unsigned what)
{
	return what & (CT_WANT_VALUES | CT_WANT_PATHS) ? what | CT_WANT_WARPS : what;
}

/* Records go by path to those who want that, and whole to the others. */
static enum ct_scan_paths paths_of(const struct ct_pass *pass)
{
	bool by_path = false, whole = false;

	for (size_t t = 0; t < pass->tasks; t++) {
		by_path |= (pass->wants[t].what & CT_WANT_PATHS) != 0;
		whole |= pass->wants[t].what && !(pass->wants[t].what & CT_WANT_PATHS);
	}
	return !by_path ? CT_SCAN_NO_PATHS : whole ? CT_SCAN_BOTH_WAYS : CT_SCAN_BY_PATH;
}

/* Workers of a short trace would have a chunk or two, or none. */
void ct_pass_divide_short(struct ct_pass *pass)
{
	struct ct_ranks *ranks = pass->options.ranks;
	uint64_t workers = ranks->greatest(ranks, pass->workers) * ranks->size;

	if (pass->division == CT_DIVIDE_CHUNKS && workers > 1 &&
	    pass->chunks < CHUNKS_PER_WORKER * workers)
		pass->division = CT_DIVIDE_WARPS;
}

int ct_pass_plan(struct ct_pass *pass)
{
	unsigned what = 0;
	int err = 0;

	for (size_t t = 0; t < pass->tasks && err == 0; t++) {
		err = pass->task[t].analysis->wants(pass->task[t].job, &pass->wants[t]);
		pass->wants[t].what = with_consequences(pass->wants[t].what);
		what |= pass->wants[t].what;
	}
	if (err == 0 && what)
		err = join_launches(pass);
	if (err == 0 && what)
		err = join_sites(pass);
	if (err < 0)
		return err;
	pass->division = what & CT_WANT_ORDER   ? CT_DIVIDE_NOTHING
			 : what & CT_WANT_WARPS ? CT_DIVIDE_WARPS
						: CT_DIVIDE_CHUNKS;
	pass->scans = what != 0;
	pass->chunks = what ? ct_trace_record_chunks(pass->trace) : 0;
	if (pass->division == CT_DIVIDE_NOTHING && pass->options.ranks->rank != 0)
		pass->chunks = 0;
	pass->request = (struct ct_scan){
	    .launches = pass->launches,
	    .sites = (const uint8_t *const *)pass->sites,
	    .paths = paths_of(pass),
	};
	ct_feed_callbacks(&pass->request);
	if (!(what & CT_WANT_EVENTS))
		pass->request.event = NULL;
	if (!(what & CT_WANT_VALUES))
		pass->request.value = NULL;
	return 0;
}

void ct_pass_forget_plan(struct ct_pass *pass)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(pass->trace, &units);

	for (size_t u = 0; pass->sites && u < count; u++)
		free(pass->sites[u]);
	free(pass->sites);
	free(pass->launches);
	pass->sites = NULL;
	pass->launches = NULL;
	memset(pass->wants, 0, pass->tasks * sizeof(*pass->wants));
}
