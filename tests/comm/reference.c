/* SPDX-License-Identifier: Apache-2.0 */
/* The naive analysis: opening, and what passes the filter. */
#include "tests/comm/reference.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct ct_object_info *object_number(const struct reference *reference, uint64_t index)
{
	const struct ct_object_info *objects;

	ct_trace_objects(reference->trace, &objects);
	return &objects[index];
}

const struct ct_object_info *reference_object_at(const struct reference *reference,
						 uint32_t superstep, uint64_t byte)
{
	const struct before_call *step = before_step(&reference->before, superstep);
	const struct ct_launch_info then = {.part = step->part, .event_index = step->event_index};

	return ct_trace_object_at(reference->trace, &then, byte);
}

uint64_t reference_group_of(const struct reference *reference, const struct ct_object_info *object)
{
	uint64_t i = 0;

	if (!object)
		return NO_OBJECT;
	while (strcmp(object_number(reference, i)->name, object->name) != 0 ||
	       strcmp(object_number(reference, i)->site, object->site) != 0)
		i++;
	return i;
}

uint64_t reference_object_group(const struct reference *reference, uint32_t superstep,
				uint64_t byte)
{
	return reference_group_of(reference, reference_object_at(reference, superstep, byte));
}

static bool is_named(const struct ct_object_info *object, const char *wanted)
{
	char file[256], line[32], place[300], id[32];

	snprintf(place, sizeof(place), "%s:%s", ct_site_field(object->site, 1, file, sizeof(file)),
		 ct_site_field(object->site, 2, line, sizeof(line)));
	snprintf(id, sizeof(id), "%u", object->event->object);
	return strcmp(wanted, object->name) == 0 || strcmp(wanted, place) == 0 ||
	       strcmp(wanted, id) == 0;
}

bool reference_has_object(const struct reference *reference, const char *wanted)
{
	const struct ct_object_info *objects;
	size_t count = ct_trace_objects(reference->trace, &objects), i = 0;

	while (i < count && !is_named(&objects[i], wanted))
		i++;
	return i < count;
}

static bool is_chosen(const struct ct_selection *selection, const struct ct_object_info *object)
{
	for (size_t i = 0; i < selection->objects; i++)
		if (is_named(object, selection->object[i]))
			return true;
	return false;
}

bool reference_group_passes(const struct reference *reference, uint64_t group)
{
	return !reference->is_meant || (group != NO_OBJECT && reference->is_meant[group]);
}

/* The groups of objects that the selection means, once. */
static void choose_groups(struct reference *reference)
{
	const struct ct_selection *selection = reference->options.selection;
	const struct ct_object_info *objects;
	size_t count = ct_trace_objects(reference->trace, &objects);

	if (!selection || !selection->objects)
		return;
	reference->is_meant = must_have(count, sizeof(bool));
	for (size_t i = 0; i < count; i++)
		if (is_chosen(selection, &objects[i]))
			reference->is_meant[reference_group_of(reference, &objects[i])] = true;
}

bool reference_object_passes(const struct reference *reference, uint32_t superstep, uint64_t byte)
{
	return !reference->is_meant ||
	       reference_group_passes(reference,
				      reference_object_group(reference, superstep, byte));
}

/* Choices by number only: linear CTAs, sites of the unit. */
bool reference_touch_passes(const struct reference *reference, const struct touch *touch)
{
	const struct ct_selection *s = reference->options.selection;
	bool cta = !s || !s->ctas, site = !s || !s->sites;

	for (size_t i = 0; s && i < s->ctas; i++)
		cta |= touch->cta >= s->cta[i].linear.first && touch->cta <= s->cta[i].linear.last;
	for (size_t i = 0; s && i < s->sites; i++)
		site |= touch->site == s->site[i].number;
	if (!reference->passes[touch->superstep])
		return false;
	return !before_step(&reference->before, touch->superstep)->launch ||
	       (cta && site &&
		reference_object_passes(reference, touch->superstep, touch->address));
}

/* Supersteps. */

static bool is_in(const struct ct_id_span *span, size_t count, uint64_t id)
{
	bool found = !count;

	for (size_t i = 0; i < count; i++)
		found |= id >= span[i].first && id <= span[i].last;
	return found;
}

static bool launch_passes(const struct ct_selection *selection, const struct ct_launch_info *launch)
{
	regex_t kernels;
	bool matches;

	if (!is_in(selection->stream, selection->streams, launch->event->stream) ||
	    !is_in(selection->launch, selection->launches, launch->event->launch))
		return false;
	if (!selection->kernels)
		return true;
	if (regcomp(&kernels, selection->kernels, REG_EXTENDED | REG_NOSUB))
		return false;
	matches = !regexec(&kernels, launch->kernel, 0, NULL, 0) ||
		  !regexec(&kernels, launch->kernel_name, 0, NULL, 0);
	regfree(&kernels);
	return matches;
}

static uint32_t kernel_number(struct reference *reference, const struct ct_launch_info *launch)
{
	struct ct_comm_figures *figures = &reference->figures;
	size_t k = 0;

	while (k < figures->kernels && strcmp(figures->kernel[k].symbol, launch->kernel_name) != 0)
		k++;
	if (k == figures->kernels)
		figures->kernel[figures->kernels++] =
		    (struct ct_comm_kernel){.name = launch->kernel, .symbol = launch->kernel_name};
	return (uint32_t)k;
}

void reference_choose(struct reference *reference)
{
	struct ct_comm_figures *figures = &reference->figures;
	uint32_t steps = reference->before.steps;

	choose_groups(reference);
	reference->passes = must_have(steps, sizeof(bool));
	reference->kernel = must_have(steps, sizeof(uint32_t));
	figures->of_superstep = must_have(steps, sizeof(*figures->of_superstep));
	figures->supersteps = steps;
	figures->kernel = must_have(steps, sizeof(*figures->kernel));
	for (uint32_t s = 0; s < steps; s++) {
		const struct before_call *step = before_step(&reference->before, s);
		const struct ct_event_launch *launch = step->launch ? step->launch->event : NULL;

		reference->passes[s] = !launch || !reference->options.selection ||
				       launch_passes(reference->options.selection, step->launch);
		figures->of_superstep[s].passes = reference->passes[s];
		if (!launch)
			continue;
		reference->kernel[s] = kernel_number(reference, step->launch);
		if (!reference->passes[s])
			continue;
		figures->launches++;
		figures->traced_launches += (launch->flags & CT_LAUNCH_TRACED) != 0;
		figures->kernel[reference->kernel[s]].launches++;
		if (figures->ctas < (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2])
			figures->ctas =
			    (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
	}
}

int reference_open(struct reference *reference, const char *directory,
		   const struct ct_comm_options *options, char *why, size_t why_bytes)
{
	int err;

	memset(reference, 0, sizeof(*reference));
	reference->options = *options;
	err = ct_trace_open(&reference->trace, directory, why, why_bytes);
	if (err < 0)
		return err;
	before_init(&reference->before, reference->trace);
	err = touches_load(&reference->touches, reference->trace, &reference->before);
	if (err < 0) {
		snprintf(why, why_bytes, "%s: %s", directory, ct_strerror(err));
		reference_close(reference);
		return err;
	}
	reference_choose(reference);
	reference_match(reference);
	reference_sum(reference);
	return 0;
}

static void release_figures(struct ct_comm_figures *figures)
{
	free(figures->of_superstep);
	free(figures->cta);
	free(figures->transfer_size.entry);
	free(figures->distance.entry);
	free(figures->self_size.entry);
	free(figures->self_distance.entry);
	free(figures->in_degree.entry);
	free(figures->out_degree.entry);
	free(figures->load_stride.entry);
	free(figures->store_stride.entry);
	free(figures->density.cell);
	free(figures->density.self);
	free(figures->kernel);
	free(figures->kernel_pair);
	free(figures->line_pair);
	free(figures->object);
}

void reference_close(struct reference *reference)
{
	release_figures(&reference->figures);
	bag_fini(&reference->transfers);
	bag_fini(&reference->sent);
	bag_fini(&reference->exchanged);
	bag_fini(&reference->to_others);
	bag_fini(&reference->received);
	bag_fini(&reference->ctas);
	bag_fini(&reference->lines);
	bag_fini(&reference->self_lines);
	bag_fini(&reference->objects);
	bag_fini(&reference->pairs);
	for (int k = 0; k < REFERENCE_DEVICES - 1; k++)
		for (int turn = 0; turn < 2; turn++)
			bag_fini(&reference->crossing[k][turn]);
	bag_fini(&reference->strides[0]);
	bag_fini(&reference->strides[1]);
	free(reference->passes);
	free(reference->is_meant);
	free(reference->kernel);
	touches_fini(&reference->touches);
	before_fini(&reference->before);
	ct_trace_close(reference->trace);
	memset(reference, 0, sizeof(*reference));
}
