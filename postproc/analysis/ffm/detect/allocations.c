/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is allocated and freed again and again (seed 000, 5.4.1). Where freeing it is an
 * unnecessary wait, both go together: the allocations are reported with that entry. Else they are
 * an entry if their own time is worth it.
 */
#include "postproc/analysis/ffm/detect/detect.h"
#include "postproc/analysis/ffm/pairs.h"
#include <errno.h>
#include <stdlib.h>

#define LEAST_AGAIN 3u
#define LEAST_SHARE 100u /* of the run, as one part in so many */

/* Where memory is allocated. */
static const char *site_of(const struct ct_ffm_process *process, const struct ct_ffm_pair *pair)
{
	const char *site = process->memory.object[pair->object].site;

	return site && *site ? site : NULL;
}

static void note_pair(struct ct_ffm_entry *entry, const struct ct_ffm_process *process,
		      const struct ct_ffm_pair *pair)
{
	struct ct_ffm_facts *facts = &entry->facts;

	facts->site = facts->site ? facts->site : site_of(process, pair);
	ct_ffm_note_bytes(facts, pair->least_bytes);
	ct_ffm_note_bytes(facts, pair->most_bytes);
	facts->again += pair->again;
	if (pair->alive > facts->alive)
		facts->alive = pair->alive;
}

/* A pair's objects but those that are needed at once, one after another. */
struct again {
	const struct ct_ffm_memory *memory;
	const struct ct_ffm_pairs *pairs;
	uint32_t next; /* object; CT_FFM_NONE: no more */
};

static struct again again_of(const struct ct_ffm_process *process, const struct ct_ffm_pairs *pairs,
			     const struct ct_ffm_pair *pair)
{
	struct again again = {&process->memory, pairs, pair->object};

	for (uint32_t kept = 0; kept < pair->alive && again.next != CT_FFM_NONE; kept++)
		again.next = pairs->next[again.next];
	return again;
}

/* NULL: no more. */
static const struct ct_ffm_object *next_again(struct again *again)
{
	uint32_t object = again->next;

	if (object == CT_FFM_NONE)
		return NULL;
	again->next = again->pairs->next[object];
	return &again->memory->object[object];
}

/* Where all is fixed, allocating goes with freeing. */
static int add_to_wait(struct ct_ffm_study *study, struct ct_ffm_process *process,
		       struct ct_ffm_entry *entry, const struct ct_ffm_pairs *pairs,
		       const struct ct_ffm_pair *pair)
{
	struct ct_ffm_site site = ct_ffm_site_of(study, process, pair->allocated);
	struct again again = again_of(process, pairs, pair);
	const struct ct_ffm_object *object;

	note_pair(entry, process, pair);
	entry->facts.dropped_ns += pair->allocate_ns;
	while ((object = next_again(&again)))
		process->program.graph.step[object->allocated].latent |= CT_FFM_CALL;
	return ct_ffm_entry_relate(entry, CT_FFM_ALLOCATED, site.call, site.stack, pair->count);
}

static int measure(struct ct_ffm_process *process, const struct ct_ffm_pairs *pairs,
		   const struct ct_ffm_pair *pair, int64_t *replayed_ns)
{
	uint32_t *step = malloc((2 * pair->count + 1) * sizeof(*step));
	struct again again = again_of(process, pairs, pair);
	const struct ct_ffm_object *object;
	size_t count = 0;
	uint64_t expected;
	int err;

	if (!step)
		return -ENOMEM;
	while ((object = next_again(&again))) {
		step[count++] = object->allocated;
		step[count++] = object->freed;
	}
	err = ct_ffm_what_if(process, step, count, CT_FFM_CALL, &expected, replayed_ns);
	free(step);
	return err;
}

/* own: by site that allocates, the time of the process' pairs so far. */
static int add_entry(struct ct_ffm_study *study, struct ct_ffm_process *process,
		     const struct ct_ffm_pairs *pairs, const struct ct_ffm_pair *pair,
		     struct ct_map *own)
{
	struct ct_ffm_site site = ct_ffm_site_of(study, process, pair->allocated);
	struct ct_ffm_site freed = ct_ffm_site_of(study, process, pair->freed);
	union ct_map_value *own_ns = ct_map_put(own, process->site[pair->allocated], 0);
	struct ct_ffm_entry *entry =
	    ct_ffm_study_entry(study, CT_FFM_ALLOCATION_IN_LOOP, site.call, site.stack);
	int64_t replayed;
	int err;

	if (!entry || !own_ns)
		return -ENOMEM;
	entry->processes += own_ns->number == 0;
	own_ns->number += pair->allocate_ns + pair->free_ns;
	entry->site.count += pair->again;
	entry->bytes += pair->bytes;
	note_pair(entry, process, pair);
	err = ct_ffm_entry_relate(entry, CT_FFM_FREED, freed.call, freed.stack, pair->count);
	if (err < 0 || own_ns->number <= entry->expected_ns)
		return err;
	err = measure(process, pairs, pair, &replayed);
	/* Takes the sum of several pairs of a process, the largest of several processes. */
	entry->replayed_ns = own_ns->number > pair->allocate_ns + pair->free_ns
				 ? entry->replayed_ns + replayed
				 : replayed;
	entry->expected_ns = own_ns->number;
	entry->wait_ns += pair->wait_ns;
	entry->call_ns = entry->expected_ns + entry->wait_ns;
	entry->is_replayed = true;
	return err;
}

static int detect(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	struct ct_map own = {0};
	struct ct_ffm_pairs pairs;
	int err = ct_ffm_pairs_init(&pairs, &process->memory, &process->program, process->site);

	for (size_t i = 0; i < pairs.count && err == 0; i++) {
		const struct ct_ffm_pair *pair = &pairs.pair[i];
		struct ct_ffm_site freed = ct_ffm_site_of(study, process, pair->freed);
		struct ct_ffm_entry *wait =
		    ct_ffm_study_find(study, CT_FFM_UNNECESSARY_WAIT, freed.call, freed.stack);

		if (wait)
			err = add_to_wait(study, process, wait, &pairs, pair);
		else if (pair->again >= LEAST_AGAIN &&
			 (pair->allocate_ns + pair->free_ns) * LEAST_SHARE >= study->run_ns)
			err = add_entry(study, process, &pairs, pair, &own);
	}
	ct_map_fini(&own);
	ct_ffm_pairs_fini(&pairs);
	return err;
}

const struct ct_ffm_detector ct_ffm_detect_allocations = {"allocations", detect};
