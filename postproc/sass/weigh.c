/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of SAMPLE, joined with launches and places, added up by what they have in common. */
#include "postproc/sass/weigh.h"
#include "postproc/sass/waits.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "smsp__pcsamp_warps_issue_stalled_"
#define NOT_ISSUED "_not_issued"

/* Kept as long as the weights are. */
struct owner {
	struct ct_code *code;
	char **texts;
	size_t text_count;
};

static void close_weights(struct ct_weights *weights)
{
	struct owner *owner = weights->owner;

	ct_code_close(owner->code);
	for (size_t i = 0; i < owner->text_count; i++)
		free(owner->texts[i]);
	free(owner->texts);
	free(owner);
	free(weights->places);
	free(weights->list);
	free(weights->waits);
	free(weights->reasons);
	*weights = (struct ct_weights){0};
}

/* The number of a text, from 1; 0: memory is short. */
static uint32_t text_number(struct ct_weighing *w, const char *text)
{
	uint32_t number;
	bool is_new;

	if (ct_array_grow(&w->texts, w->text_count, sizeof(*w->texts)) < 0)
		return 0;
	number = ct_intern_add(&w->text_ids, text, strlen(text), &is_new);
	if (!number || !is_new)
		return number;
	w->texts[w->text_count] = strdup(text);
	return w->texts[w->text_count] ? (uint32_t)++w->text_count : 0;
}

static int reason_number(struct ct_weighing *w, const char *name, size_t bytes, uint32_t *number)
{
	bool is_new;
	uint32_t id = ct_intern_add(&w->reason_ids, name, bytes, &is_new), text;
	char *copy;

	if (!id)
		return -ENOMEM;
	*number = id - 1;
	if (!is_new)
		return 0;
	copy = strndup(name, bytes);
	text = copy ? text_number(w, copy) : 0;
	free(copy);
	if (!text || ct_array_reserve(&w->out->reasons, &w->reason_room, w->out->reason_count + 1,
				      sizeof(char *)) < 0)
		return -ENOMEM;
	w->out->reasons[w->out->reason_count++] = w->texts[text - 1];
	return 0;
}

bool ct_stall_reason(const char *text, const char **name, size_t *bytes, bool *is_latency)
{
	size_t tail = strlen(NOT_ISSUED);
	bool is_stall = strncmp(text, PREFIX, strlen(PREFIX)) == 0;

	*name = is_stall ? text + strlen(PREFIX) : text;
	*bytes = strlen(*name);
	*is_latency = *bytes > tail && strcmp(*name + *bytes - tail, NOT_ISSUED) == 0;
	if (*is_latency)
		*bytes -= tail;
	return is_stall;
}

static int resolve(struct ct_weighing *w, const struct ct_row_sample *row, const char *function,
		   const struct ct_resolved **out)
{
	uint32_t text = text_number(w, function), symbol;
	union ct_map_value *known =
	    text ? ct_map_put(&w->resolved_of, ct_hash_join(row->cubin, text), row->pc) : NULL;
	struct ct_resolved resolved;
	int err;

	if (!known || ct_array_grow(&w->resolved, w->resolved_count, sizeof(*w->resolved)) < 0)
		return -ENOMEM;
	if (!known->number) {
		err = ct_code_find(w->code, row->cubin, w->texts[text - 1], row->pc, &resolved.at);
		resolved.previous = resolved.at;
		if (err == 0 && row->pc >= CT_SASS_BYTES)
			err = ct_code_find(w->code, row->cubin, w->texts[text - 1],
					   row->pc - CT_SASS_BYTES, &resolved.previous);
		symbol = err < 0 ? 0 : text_number(w, resolved.at.symbol);
		if (!symbol)
			return -ENOMEM;
		resolved.symbol = symbol;
		w->resolved[w->resolved_count] = resolved;
		known->number = ++w->resolved_count;
	}
	*out = &w->resolved[known->number - 1];
	return 0;
}

/* The weight of a sample's kind, added if it is new. */
static int weight_at(struct ct_weighing *w, const struct ct_weight *like, uint32_t kernel,
		     uint32_t symbol, struct ct_weight **out)
{
	union ct_map_value *known =
	    ct_map_put(&w->weight_of, ((uint64_t)kernel << 32) + symbol,
		       ct_hash_join(like->context, ((uint64_t)like->place << 32) + like->reason));

	if (!known ||
	    ct_array_reserve(&w->out->list, &w->room, w->out->count + 1, sizeof(*like)) < 0)
		return -ENOMEM;
	if (!known->number) {
		w->out->list[w->out->count] = *like;
		known->number = ++w->out->count;
	}
	*out = &w->out->list[known->number - 1];
	return 0;
}

static int add_stalled(struct ct_weighing *w, size_t resolved, size_t weight, uint64_t samples)
{
	union ct_map_value *known = ct_map_put(&w->stalled_of, resolved, weight);

	if (!known || ct_array_grow(&w->stalled, w->stalled_count, sizeof(*w->stalled)) < 0)
		return -ENOMEM;
	if (!known->number) {
		w->stalled[w->stalled_count] =
		    (struct ct_stalled){.resolved = resolved, .weight = weight};
		known->number = ++w->stalled_count;
	}
	w->stalled[known->number - 1].samples += samples;
	return 0;
}

static int add_sample(struct ct_weighing *w, const struct ct_row_sample *row, const char *function,
		      const char *reason, const struct ct_launch_info *launch)
{
	const char *name, *kernel = launch ? launch->kernel_name : function;
	const struct ct_resolved *resolved;
	struct ct_weight like = {.context = launch ? launch->event->context : 0}, *weight;
	size_t bytes;
	bool is_latency;
	uint32_t number = text_number(w, kernel);
	int err = number ? 0 : -ENOMEM;

	if (err < 0 || !ct_stall_reason(reason, &name, &bytes, &is_latency))
		return err;
	err = resolve(w, row, function, &resolved);
	if (err == 0)
		err = reason_number(w, name, bytes, &like.reason);
	if (err < 0)
		return err;
	like.kernel = w->texts[number - 1];
	like.symbol = w->texts[resolved->symbol - 1];
	like.place = resolved->at.place;
	err = weight_at(w, &like, number, resolved->symbol, &weight);
	if (err < 0)
		return err;
	if (resolved->at.cubin == CT_WEIGHT_NONE && !ct_map_put(&w->missing, row->cubin, 0))
		return -ENOMEM;
	if (is_latency) {
		weight->latency += row->samples;
		return 0;
	}
	weight->weight += row->samples;
	w->out->total += row->samples;
	return add_stalled(w, (size_t)(resolved - w->resolved), (size_t)(weight - w->out->list),
			   row->samples);
}

/* Launches of a part by their ids; few commands ask, so they are looked for one by one. */
static const struct ct_launch_info *find_launch(const struct ct_weighing *w, uint32_t part,
						uint32_t id)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(w->trace, &launches), low = 0, high = count;

	/* By part; within it ids ascend. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (launches[middle].part < part ||
		    (launches[middle].part == part && launches[middle].event->launch < id))
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && launches[low].part == part && launches[low].event->launch == id
		   ? &launches[low]
		   : NULL;
}

/* Any launch of the kernel's name that passes. */
static bool any_passes(const struct ct_weighing *w, const char *function)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(w->trace, &launches);

	for (size_t i = 0; i < count; i++)
		if (strcmp(launches[i].kernel_name, function) == 0 &&
		    ct_filter_launch(w->filter, &launches[i]))
			return true;
	return false;
}

/* Without a launch: any of the function's name that passes, or there is no filter. 1, 0 or -ENOMEM;
 * launches are gone through once for each function. */
static int passes(struct ct_weighing *w, const struct ct_launch_info *launch, const char *function)
{
	union ct_map_value *known;
	uint32_t text;

	if (!w->filter || launch)
		return !w->filter || ct_filter_launch(w->filter, launch);
	text = text_number(w, function);
	known = text ? ct_map_put(&w->passes_of, text, 0) : NULL;
	if (!known)
		return -ENOMEM;
	if (!known->number)
		known->number = any_passes(w, function) ? 1 : 2;
	return known->number == 1;
}

static int add_part(struct ct_weighing *w, uint32_t part)
{
	const struct ct_row_look *looks;
	const struct ct_row_sample *rows;
	size_t look_count, count = 0;
	int err = ct_trace_rows(w->trace, part, CT_TABLE_LOOK, (const void **)&looks, &look_count);

	if (err == 0)
		err = ct_trace_rows(w->trace, part, CT_TABLE_SAMPLE, (const void **)&rows, &count);
	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_row_sample *row = &rows[i];
		const char *function = ct_trace_string(w->trace, part, row->function);
		uint32_t id =
		    row->look && row->look <= look_count ? looks[row->look - 1].launch : 0;
		const struct ct_launch_info *launch = id ? find_launch(w, part, id) : NULL;

		err = passes(w, launch, function);
		if (err < 0)
			return err;
		if (err == 0)
			continue;
		if (launch && !ct_map_put(&w->launches, part, id))
			return -ENOMEM;
		err = add_sample(w, row, function, ct_trace_string(w->trace, part, row->reason),
				 launch);
	}
	return err;
}

static int add_looks(struct ct_weighing *w, uint32_t part)
{
	struct ct_sampled_facts *facts = w->facts;
	const struct ct_row_look *looks;
	size_t count;
	int err = ct_trace_rows(w->trace, part, CT_TABLE_LOOK, (const void **)&looks, &count);

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_row_look *look = &looks[i];

		facts->total += look->total;
		facts->dropped += look->dropped;
		facts->others += look->others;
		facts->is_concurrent |= look->mode == CT_LOOK_CONCURRENT;
		if (!facts->looks || look->period < facts->period_min)
			facts->period_min = look->period;
		if (look->period > facts->period_max)
			facts->period_max = look->period;
		facts->looks++;
	}
	return err;
}

static void note_asked(struct ct_weighing *w)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(w->trace, CT_EVENT_SAMPLING, &events);

	w->facts->missing = "";
	for (size_t i = 0; i < count && !*w->facts->missing; i++) {
		const struct ct_event_sampling *event = events[i].sampling;

		if (strcmp(ct_trace_string(w->trace, events[i].part, event->source),
			   CT_SAMPLING_OF_HOST) == 0)
			continue;
		w->facts->was_asked = true;
		w->facts->missing = ct_trace_string(w->trace, events[i].part, event->missing);
	}
}

static int copy_places(struct ct_weighing *w)
{
	const struct ct_weight_place *places;
	size_t count = ct_code_places(w->code, &places);

	w->out->places = malloc((count + 1) * sizeof(*places));
	if (!w->out->places)
		return -ENOMEM;
	if (count)
		memcpy(w->out->places, places, count * sizeof(*places));
	w->out->place_count = count;
	for (size_t i = 0; i < w->out->count; i++) {
		const struct ct_weight *weight = &w->out->list[i];

		if (weight->place == CT_WEIGHT_NONE || !places[weight->place].line)
			w->out->unplaced += weight->weight;
	}
	return 0;
}

static void finish_facts(struct ct_weighing *w)
{
	w->facts->missing_cubins = w->missing.count;
	w->facts->launches = w->launches.count;
	ct_code_count(w->code, &w->facts->cubins, &w->facts->damaged_cubins,
		      &w->facts->unlined_cubins);
	w->facts->cubins += w->missing.count;
}

static void fini(struct ct_weighing *w)
{
	ct_intern_fini(&w->text_ids);
	ct_intern_fini(&w->reason_ids);
	ct_map_fini(&w->missing);
	ct_map_fini(&w->launches);
	ct_map_fini(&w->resolved_of);
	ct_map_fini(&w->weight_of);
	ct_map_fini(&w->stalled_of);
	ct_map_fini(&w->passes_of);
	free(w->stalled);
	free(w->resolved);
}

int ct_weigh_samples(struct ct_weights *weights, struct ct_sampled_facts *facts,
		     struct ct_trace *trace, const struct ct_filter *filter)
{
	struct ct_weighing w = {.out = weights, .facts = facts, .trace = trace, .filter = filter};
	struct owner *owner = calloc(1, sizeof(*owner));
	const struct ct_process_info *processes;
	size_t count = ct_trace_processes(trace, &processes);
	int err;

	*weights = (struct ct_weights){.unit = "samples"};
	*facts = (struct ct_sampled_facts){.missing = ""};
	if (!owner)
		return -ENOMEM;
	weights->owner = owner;
	weights->close = close_weights;
	err = ct_code_open(&w.code, trace);
	note_asked(&w);
	for (size_t i = 0; i < count && err == 0; i++) {
		err = add_looks(&w, processes[i].part);
		if (err == 0)
			err = add_part(&w, processes[i].part);
	}
	for (size_t i = 0; i < w.stalled_count && err == 0; i++)
		err = ct_weigh_waits(&w, &w.stalled[i]);
	if (err == 0)
		err = copy_places(&w);
	if (err == 0)
		finish_facts(&w);
	*owner = (struct owner){w.code, w.texts, w.text_count};
	fini(&w);
	return err;
}
