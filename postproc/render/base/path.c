/* SPDX-License-Identifier: Apache-2.0 */
/* Where an access stands: the calls that lead to it. */
#include "postproc/render/base/path.h"
#include "postproc/facts/place.h"
#include "postproc/facts/source_name.h"
#include <stddef.h>
#include <stdlib.h>

#define INLINED_MAX 256u
#define PATH_BYTES 4096

/* A site within the function that holds it: the calls it was inlined through, outermost first. */
static void walk_site(const struct ct_unit *unit, uint32_t site,
		      void (*step)(void *user, const struct ct_path_step *step), void *user)
{
	const struct ct_unit_site *info = &unit->sites[site];
	uint32_t frames[INLINED_MAX], count = 0;
	struct ct_path_step last = {
	    .function = ct_unit_string(unit, info->function),
	    .file = ct_unit_string(unit, info->file),
	    .line = info->line,
	    .column = info->column,
	};

	for (uint32_t at = info->inlined_at; at != CT_NONE && count < INLINED_MAX;
	     at = unit->frames[at].inlined_at)
		frames[count++] = at;
	for (uint32_t i = count; i-- > 0;) {
		const struct ct_unit_frame *frame = &unit->frames[frames[i]];
		const struct ct_path_step call = {
		    .function = ct_unit_string(unit, frame->function),
		    .file = ct_unit_string(unit, frame->file),
		    .line = frame->line,
		    .column = frame->column,
		    .is_inlined = i + 1 < count,
		};

		step(user, &call);
	}
	if (count) {
		last.function = "";
		last.is_inlined = 1;
	}
	step(user, &last);
}

struct output {
	FILE *out;
	const char *before;
};

static void write_step(void *user, const struct ct_path_step *step)
{
	struct output *output = user;
	char *name = ct_source_name(step->function), path[PATH_BYTES];

	fprintf(output->out, "%s%s%s", output->before, name ? name : "", name && *name ? " " : "");
	free(name);
	if (*step->file)
		fprintf(output->out, "%s:%u:%u", ct_place_path(step->file, path, sizeof(path)),
			step->line, step->column);
	else
		fprintf(output->out, "unknown location");
	output->before = " > ";
}

void ct_path_write(FILE *out, const struct ct_access *access)
{
	struct output output = {out, ""};

	ct_path_walk(access, write_step, &output);
}

void ct_path_walk(const struct ct_access *access,
		  void (*step)(void *user, const struct ct_path_step *step), void *user)
{
	for (uint32_t i = 0; i < access->depth; i++)
		walk_site(access->path[i].unit, access->path[i].site, step, user);
	walk_site(access->unit, access->site, step, user);
}
