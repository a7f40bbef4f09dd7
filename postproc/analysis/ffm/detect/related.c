/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of copies and memsets with problems: of which kind, allocated and freed where; for
 * repeated ones the copy that was first, and who else writes the target. */
#include "base/large.h"
#include "postproc/analysis/ffm/copies.h"
#include "postproc/analysis/ffm/detect/detect.h"
#include "trace/codec/site.h"
#include <ctype.h>
#include <cudatrace/host.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 512u
#define FIRST_ARGUMENT 6u  /* field of a launch's descriptor */
#define LAUNCHES 10000000u /* that are compared with objects, at most */

/* An object that copies of an entry go to. */
struct target {
	uint32_t object;
	uint32_t entry;
};

struct looking {
	struct ct_ffm_study *study;
	struct ct_ffm_process *process;
	uint32_t *from; /* by step of stage 3: of stage 1 */
	struct target *target;
	size_t targets;
};

/* The entry that a step of stage 1 belongs to, if its copy is looked at. */
static struct ct_ffm_entry *entry_of(const struct looking *looking, uint32_t s)
{
	uint8_t problem = s == CT_FFM_NONE ? 0 : looking->process->program.graph.step[s].problem;
	struct ct_ffm_site site;

	if (!problem)
		return NULL;
	site = ct_ffm_site_of(looking->study, looking->process, s);
	return ct_ffm_study_find(looking->study, ct_ffm_kind_of(problem), site.call, site.stack);
}

/* The host's side of a copy; of a memset its only one. */
static int relate_memory(const struct looking *looking, struct ct_ffm_entry *entry,
			 const struct ct_ffm_copy *copy)
{
	const struct ct_ffm_memory *memory = &looking->process->memory;
	uint32_t number =
	    copy->way == CT_COPY_TO_DEVICE ? copy->source_object : copy->target_object;
	const struct ct_ffm_object *object = number == CT_FFM_NONE ? NULL : &memory->object[number];
	struct ct_ffm_facts *facts = &entry->facts;
	int err;

	ct_ffm_note_bytes(facts, copy->bytes);
	if (!object) {
		facts->pageable += copy->way == CT_COPY_TO_DEVICE || copy->way == CT_COPY_TO_HOST;
		return 0;
	}
	facts->pinned += object->kind == CT_OBJECT_HOST;
	facts->managed += object->kind == CT_OBJECT_MANAGED;
	if (object->site && *object->site && !facts->site)
		facts->site = object->site;
	err = ct_ffm_relate_step(looking->study, looking->process, entry, CT_FFM_ALLOCATED,
				 object->allocated);
	return err == 0 ? ct_ffm_relate_step(looking->study, looking->process, entry, CT_FFM_FREED,
					     object->freed)
			: err;
}

static int relate_copies(const struct looking *looking)
{
	const struct ct_ffm_memory *memory = &looking->process->memory;
	int err = 0;

	for (size_t c = 0; c < memory->copies && err == 0; c++) {
		struct ct_ffm_entry *entry = entry_of(looking, memory->copy[c].step);

		if (entry)
			err = relate_memory(looking, entry, &memory->copy[c]);
	}
	return err;
}

static int relate_first(struct looking *looking, struct ct_ffm_entry *entry, size_t c)
{
	const struct ct_ffm_memory *memory = looking->process->uses_memory;
	uint32_t first = looking->process->found[c].first;
	struct ct_ffm_site site;

	if (memory->copy[c].target_object != CT_FFM_NONE)
		looking->target[looking->targets++] = (struct target){
		    memory->copy[c].target_object, (uint32_t)(entry - looking->study->entry)};
	if (first == CT_FFM_NONE || memory->copy[first].step == CT_FFM_NONE)
		return 0;
	site = ct_ffm_site_in_uses(looking->study, looking->process, memory->copy[first].step);
	return ct_ffm_entry_relate(entry, CT_FFM_COPIED, site.call, site.stack, 1);
}

static int compare_targets(const void *a, const void *b)
{
	const struct target *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* Each once, by object. */
static void sort_targets(struct looking *looking)
{
	size_t kept = 0;

	if (looking->targets)
		qsort(looking->target, looking->targets, sizeof(*looking->target), compare_targets);
	for (size_t i = 0; i < looking->targets; i++)
		if (i == 0 || compare_targets(&looking->target[i], &looking->target[kept - 1]))
			looking->target[kept++] = looking->target[i];
	looking->targets = kept;
}

static size_t first_target(const struct looking *looking, uint32_t object)
{
	size_t low = 0, high = looking->targets;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (looking->target[middle].object < object)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A step of stage 3 writes an object: the entries whose copies go there hear of it. */
static int tell_writer(const struct looking *looking, uint32_t object, uint32_t step)
{
	struct ct_ffm_site site;
	int err = 0;

	if (object == CT_FFM_NONE || step == CT_FFM_NONE)
		return 0;
	for (size_t i = first_target(looking, object);
	     i < looking->targets && looking->target[i].object == object && err == 0; i++) {
		struct ct_ffm_entry *entry = &looking->study->entry[looking->target[i].entry];

		site = ct_ffm_site_in_uses(looking->study, looking->process, step);
		if (site.stack != entry->site.stack || strcmp(site.call, entry->site.call) != 0)
			err = ct_ffm_entry_relate(entry, CT_FFM_WRITTEN, site.call, site.stack, 1);
	}
	return err;
}

static bool is_in(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
		bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');

		if (begins && !isalnum((unsigned char)at[length]) && at[length] != '_')
			return true;
	}
	return false;
}

/* A launch of the same function that is given the variable which the memory was allocated to: the
 * kernel may write it. */
static bool is_given(const char *launch, const char *allocation)
{
	char text[TEXT_BYTES], other[TEXT_BYTES];

	if (!*launch || !*allocation ||
	    strcmp(ct_site_field(launch, 1, text, sizeof(text)),
		   ct_site_field(allocation, 1, other, sizeof(other))) != 0 ||
	    strcmp(ct_site_field(launch, 4, text, sizeof(text)),
		   ct_site_field(allocation, 4, other, sizeof(other))) != 0)
		return false;
	ct_site_field(allocation, 5, other, sizeof(other));
	for (unsigned field = FIRST_ARGUMENT; *other; field++) {
		ct_site_field(launch, field, text, sizeof(text));
		if (!*text)
			return false;
		if (is_in(text, other))
			return true;
	}
	return false;
}

/* Kernels are known by their launches' descriptors, of which there are few: each is looked at
 * once for each object. */
static int tell_kernels(const struct looking *looking)
{
	const struct ct_ffm_memory *memory = looking->process->uses_memory;
	struct ct_map given = {0}; /* descriptors of launch and object -> 1 not, 2 given */
	size_t left = LAUNCHES;
	int err = 0;

	for (size_t t = 0; t < looking->targets && err == 0; t++) {
		const struct ct_ffm_object *object = &memory->object[looking->target[t].object];

		if (t && looking->target[t].object == looking->target[t - 1].object)
			continue;
		for (size_t i = ct_ffm_launches_until(memory, object->allocated_at);
		     i < memory->launches && memory->launch[i].index < object->freed_at && left &&
		     err == 0;
		     i++, left--) {
			const struct ct_ffm_launch *launch = &memory->launch[i];
			union ct_map_value *known =
			    ct_map_put(&given, (uintptr_t)launch->site, (uintptr_t)object->site);

			if (known && !known->number)
				known->number = 1u + is_given(launch->site, object->site);
			if (!known)
				err = -ENOMEM;
			else if (known->number == 2)
				err = tell_writer(looking, looking->target[t].object, launch->step);
		}
	}
	ct_map_fini(&given);
	return err;
}

static int relate_repeated(struct looking *looking)
{
	const struct ct_ffm_memory *memory = looking->process->uses_memory;
	int err = 0;

	for (size_t c = 0; c < memory->copies && err == 0; c++) {
		uint32_t u = memory->copy[c].step;
		struct ct_ffm_entry *entry =
		    looking->process->found[c].kind == CT_FFM_COPY_REPEATED && u != CT_FFM_NONE
			? entry_of(looking, looking->from[u])
			: NULL;

		if (entry)
			err = relate_first(looking, entry, c);
	}
	sort_targets(looking);
	for (size_t c = 0; c < memory->copies && err == 0; c++)
		err = tell_writer(looking, memory->copy[c].target_object, memory->copy[c].step);
	return err == 0 ? tell_kernels(looking) : err;
}

/* Pageable memory of the host: where it comes from, as stage 3 has seen it. */
static int relate_origin(const struct looking *looking, struct ct_ffm_entry *entry,
			 const struct ct_ffm_host_block *block)
{
	const struct ct_ffm_study *study = looking->study;
	const struct ct_ffm_process *process = looking->process;
	bool is_same_run = process->uses == &process->program;

	if (block->kind != CT_HOST_ALLOCATED)
		return ct_ffm_entry_relate(
		    entry, block->kind == CT_HOST_STACK ? CT_FFM_ON_STACK : CT_FFM_VARIABLE,
		    block->variable ? block->variable : "", 0, 1);
	return ct_ffm_entry_relate(
	    entry, CT_FFM_ALLOCATED, block->name,
	    ct_ffm_study_node(study, is_same_run ? study->calls : study->uses,
			      is_same_run ? process->calls_part : process->uses_part, block->stack),
	    1);
}

static int relate_origins(const struct looking *looking)
{
	const struct ct_ffm_memory *memory = looking->process->uses_memory;
	int err = 0;

	for (size_t c = 0; c < memory->copies && memory->host_blocks && err == 0; c++) {
		const struct ct_ffm_copy *copy = &memory->copy[c];
		struct ct_ffm_entry *entry =
		    copy->host_block != CT_FFM_NONE && copy->step != CT_FFM_NONE
			? entry_of(looking, looking->from[copy->step])
			: NULL;

		if (entry)
			err = relate_origin(looking, entry, &memory->host_block[copy->host_block]);
	}
	return err;
}

static int detect(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	struct looking looking = {.study = study, .process = process};
	size_t copies = process->uses_memory ? process->uses_memory->copies : 0;
	int err = relate_copies(&looking);

	if (err < 0 || !process->uses_memory)
		return err;
	looking.from = ct_ffm_from_uses(process);
	looking.target = ct_large_alloc(copies + 1, sizeof(*looking.target));
	err = looking.from && looking.target ? relate_repeated(&looking) : -ENOMEM;
	if (err == 0)
		err = relate_origins(&looking);
	ct_large_free(looking.from);
	ct_large_free(looking.target);
	return err;
}

const struct ct_ffm_detector ct_ffm_detect_related = {"related", detect};
