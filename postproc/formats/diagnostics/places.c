/* SPDX-License-Identifier: Apache-2.0 */
/* Where problems are, for editors and code hosts. */
#include "postproc/formats/diagnostics/diagnostics.h"

#include "postproc/facts/place.h"
#include "postproc/facts/words.h"
#include "trace/codec/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From the root on; NULL: it is not below it. */
static const char *below(const char *root, const char *path)
{
	size_t length = strlen(root);

	return length > 1 && !strncmp(path, root, length) && path[length] == '/' ? path + length + 1
										 : NULL;
}

/* A path that is there is looked for without links, and a relative one from where this runs. */
static void put_path(struct ct_shown_place *place, const struct ct_problem_export *problems,
		     const char *path)
{
	char buffer[sizeof(place->path)], *real = realpath(path, NULL);
	const char *own = real ? below(problems->root, real) : below(problems->root, path);

	if (!own)
		own = ct_place_path(path, buffer, sizeof(buffer));
	place->is_relative = *own != '/';
	if (!strncmp(own, "./", 2))
		own += 2;
	snprintf(place->path, sizeof(place->path), "%s", own);
	free(real);
}

/* Where a kernel of the trace is declared. */
static void put_kernel(struct ct_shown_place *place, const struct ct_problem_export *problems,
		       const char *name)
{
	const struct ct_launch_info *launch;
	size_t launches = ct_trace_launches(problems->inquiry->trace, &launch);

	for (size_t i = 0; i < launches; i++) {
		const struct ct_unit_kernel *kernel;

		if (!launch[i].unit || launch[i].kernel_index == CT_NONE ||
		    strcmp(launch[i].kernel, name) != 0)
			continue;
		kernel = &launch[i].unit->kernels[launch[i].kernel_index];
		put_path(place, problems, ct_unit_string(launch[i].unit, kernel->file));
		place->line = kernel->line;
		place->column = kernel->column;
		return;
	}
}

/* From a descriptor of a launch or an allocation. */
static void put_descriptor(struct ct_shown_place *place, const struct ct_problem_export *problems,
			   const char *descriptor)
{
	char file[1024], line[32];

	ct_site_field(descriptor, 1, file, sizeof(file));
	ct_site_field(descriptor, 2, line, sizeof(line));
	if (!*file || !*line)
		return;
	put_path(place, problems, file);
	place->line = (uint32_t)strtoul(line, NULL, 10);
}

void ct_shown_place_of(struct ct_shown_place *place, const struct ct_problem_export *problems,
		       const struct ct_identity *identity)
{
	const struct ct_finding *finding = identity->finding;

	*place = (struct ct_shown_place){.line = identity->line, .column = identity->column};
	if (*identity->path && identity->line) {
		put_path(place, problems, identity->path);
		return;
	}
	*place = (struct ct_shown_place){.line = 0};
	if (finding->kernels)
		put_kernel(place, problems, finding->kernel[0]);
	else if (finding->objects)
		put_descriptor(place, problems, finding->object[0]->site);
}

bool ct_shown_place_other(struct ct_shown_place *place, const struct ct_problem_export *problems,
			  const struct ct_finding *finding, size_t number, char words[512])
{
	char name[400];

	*place = (struct ct_shown_place){.line = 0};
	if (number + 1 < finding->sites) {
		const struct ct_finding_site *at = &finding->site[number + 1];
		struct ct_place of = ct_place_of(at->unit, &at->unit->sites[at->site]);

		put_path(place, problems, of.file);
		place->line = of.line;
		place->column = of.column;
		snprintf(words, 512, "here, too");
		return true;
	}
	number -= finding->sites ? finding->sites - 1 : 0;
	if (number < finding->objects) {
		put_descriptor(place, problems, finding->object[number]->site);
		snprintf(words, 512, "%s is allocated here",
			 ct_words_object(finding->object[number], name, sizeof(name)));
		return true;
	}
	number -= finding->objects;
	if (number < finding->launches) {
		put_descriptor(place, problems, finding->launch[number]->site);
		snprintf(words, 512, "launch %u is made here",
			 finding->launch[number]->event->launch);
		return true;
	}
	return false;
}
