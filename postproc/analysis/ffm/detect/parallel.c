/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Missed parallelism (seed 000, 3.1), as far as it is certain: a copy that was asked for while what
 * is before it in its stream was under way, and began behind that alone because of the stream.
 *
 *	a copy the other way, of other memory: devices copy both ways at once
 *	a kernel that was launched before the memory was allocated that is copied to
 *
 * What kernels access beside is not known, so nothing is said of other kernels. What could overlap
 * is the shorter of both, at most.
 */
#include "base/large.h"
#include "postproc/analysis/ffm/detect/detect.h"
#include <errno.h>
#include <stdlib.h>

#define LEAST_SHARE 100u /* of the run, as one part in so many */

struct looking {
	struct ct_ffm_study *study;
	struct ct_ffm_process *process;
	uint32_t *copy;         /* by step: its copy + 1; 0 none, CT_FFM_NONE several */
	uint64_t *launched;     /* by step: place of its LAUNCH event + 1; 0 none */
	struct ct_map gains;    /* site of the study -> ns */
	struct ct_map reported; /* sites of this process that have their entry */
};

static uint64_t end_of(const struct ct_ffm_work *work)
{
	return work->begin_ns + work->duration_ns;
}

static int list_steps(struct looking *looking)
{
	const struct ct_ffm_memory *memory = &looking->process->memory;
	size_t steps = looking->process->program.graph.steps;

	looking->copy = ct_large_alloc(steps + 1, sizeof(*looking->copy));
	looking->launched = ct_large_alloc(steps + 1, sizeof(*looking->launched));
	if (!looking->copy || !looking->launched)
		return -ENOMEM;
	for (size_t c = 0; c < memory->copies; c++) {
		uint32_t s = memory->copy[c].step;

		if (s != CT_FFM_NONE)
			looking->copy[s] = looking->copy[s] ? CT_FFM_NONE : (uint32_t)c + 1;
	}
	for (size_t i = 0; i < memory->launches; i++)
		if (memory->launch[i].step != CT_FFM_NONE)
			looking->launched[memory->launch[i].step] = memory->launch[i].index + 1;
	return 0;
}

static const struct ct_ffm_copy *copy_of(const struct looking *looking,
					 const struct ct_ffm_work *work)
{
	uint32_t number = work->step == CT_FFM_NONE ? 0 : looking->copy[work->step];

	return number && number != CT_FFM_NONE ? &looking->process->memory.copy[number - 1] : NULL;
}

static bool overlap(uint64_t begin, uint64_t end, uint64_t other, uint64_t other_end)
{
	return begin < other_end && other < end;
}

static bool is_other_memory(const struct ct_ffm_copy *a, const struct ct_ffm_copy *b)
{
	return !overlap(a->target, a->target_end, b->target, b->target_end) &&
	       !overlap(a->target, a->target_end, b->source, b->source_end) &&
	       !overlap(a->source, a->source_end, b->target, b->target_end);
}

static bool is_other_way(uint32_t way, uint32_t other)
{
	return (way == CT_COPY_TO_DEVICE && other == CT_COPY_TO_HOST) ||
	       (way == CT_COPY_TO_HOST && other == CT_COPY_TO_DEVICE);
}

/* The kernel that was launched by a step cannot know the memory. */
static bool is_new_memory(const struct looking *looking, const struct ct_ffm_copy *copy,
			  const struct ct_ffm_work *before)
{
	const struct ct_ffm_object *object =
	    copy->target_object == CT_FFM_NONE
		? NULL
		: &looking->process->memory.object[copy->target_object];
	uint64_t launched = before->step == CT_FFM_NONE ? 0 : looking->launched[before->step];

	return object && launched && !object->is_ordered && copy->way == CT_COPY_TO_DEVICE &&
	       object->allocated != CT_FFM_NONE && object->allocated_at > launched - 1;
}

/* Returns what would have run at the same time, by the stream's last two works; 0: nothing, for
 * certain. */
static uint64_t gain_of(const struct looking *looking, uint32_t before, uint32_t after)
{
	const struct ct_ffm_graph *graph = &looking->process->program.graph;
	const struct ct_ffm_work *a = &graph->work[before], *b = &graph->work[after];
	const struct ct_ffm_copy *first = copy_of(looking, a), *copy = copy_of(looking, b);

	if (!copy || copy->target >= copy->target_end || a->step == CT_FFM_NONE ||
	    a->step == b->step || ct_ffm_launch_at(&graph->step[b->step]) >= end_of(a) ||
	    b->begin_ns < end_of(a) || graph->first_before[after] != graph->first_before[after + 1])
		return 0;
	if (first ? !is_other_way(first->way, copy->way) || !is_other_memory(first, copy)
		  : !is_new_memory(looking, copy, a))
		return 0;
	return a->duration_ns < b->duration_ns ? a->duration_ns : b->duration_ns;
}

/* If all of its site together are worth it. */
static int add_pair(struct looking *looking, uint32_t before, uint32_t after)
{
	const struct ct_ffm_graph *graph = &looking->process->program.graph;
	uint32_t step = graph->work[after].step;
	struct ct_ffm_site site = ct_ffm_site_of(looking->study, looking->process, step);
	const union ct_map_value *gain =
	    ct_map_find(&looking->gains, looking->process->site[step], 0);
	struct ct_ffm_entry *entry;

	if (gain->number * LEAST_SHARE < looking->study->run_ns)
		return 0;
	entry =
	    ct_ffm_study_entry(looking->study, CT_FFM_MISSED_PARALLELISM, site.call, site.stack);
	if (!entry)
		return -ENOMEM;
	if (!ct_map_find(&looking->reported, looking->process->site[step], 0))
		entry->processes++;
	if (!ct_map_put(&looking->reported, looking->process->site[step], 0))
		return -ENOMEM;
	entry->site.count++;
	entry->bytes += copy_of(looking, &graph->work[after])->bytes;
	if (gain->number > entry->expected_ns)
		entry->expected_ns = gain->number;
	entry->call_ns += graph->step[step].launch_ns + graph->step[step].wait_ns;
	entry->wait_ns += graph->step[step].wait_ns;
	return ct_ffm_relate_step(looking->study, looking->process, entry, CT_FFM_PRODUCED,
				  graph->work[before].step);
}

static int sum_gain(struct looking *looking, uint32_t after, uint64_t ns)
{
	uint32_t step = looking->process->program.graph.work[after].step;
	union ct_map_value *gain = ct_map_put(&looking->gains, looking->process->site[step], 0);

	if (!gain)
		return -ENOMEM;
	gain->number += ns;
	return 0;
}

/* Twice: what each site could gain, then those of whom it is worth it. */
static int each_pair(struct looking *looking, bool is_sum)
{
	const struct ct_ffm_program *program = &looking->process->program;
	const struct ct_ffm_streams *streams = &program->streams;
	int err = 0;

	for (uint32_t stream = 0; stream < program->graph.streams && err == 0; stream++)
		for (size_t i = streams->first[stream] + 1;
		     i < streams->first[stream + 1] && err == 0; i++) {
			uint64_t ns = gain_of(looking, streams->work[i - 1], streams->work[i]);

			if (ns)
				err = is_sum ? sum_gain(looking, streams->work[i], ns)
					     : add_pair(looking, streams->work[i - 1],
							streams->work[i]);
		}
	return err;
}

static int detect(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	struct looking looking = {.study = study, .process = process};
	int err = list_steps(&looking);

	if (err == 0)
		err = each_pair(&looking, true);
	if (err == 0)
		err = each_pair(&looking, false);
	ct_large_free(looking.copy);
	ct_large_free(looking.launched);
	ct_map_fini(&looking.gains);
	ct_map_fini(&looking.reported);
	return err;
}

const struct ct_ffm_detector ct_ffm_detect_parallel = {"parallel", detect};
