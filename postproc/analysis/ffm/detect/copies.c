/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of what is there partly, elsewhere on the side that they go to, or came from there: from
 * stage 3, with the times of stage 1. */
#include "postproc/analysis/ffm/copies.h"
#include "base/large.h"
#include "postproc/analysis/ffm/detect/detect.h"
#include <errno.h>
#include <stdlib.h>

/* Shorter copies are counters and flags, which are equal by chance. */
#define LEAST_BYTES 4096u
/* A copy is partly repeated if of a call site's bytes so many were there, in all and as one part
 * in so many. Below, finding out what has changed costs more than copying it. */
#define LEAST_SAME_BYTES 8192u
#define LEAST_SHARE 4u

struct hit {
	uint32_t kind; /* enum ct_ffm_kind */
	uint32_t site; /* of the study */
	uint32_t step; /* of stage 1 */
	uint32_t copy;
};

struct looking {
	struct ct_ffm_study *study;
	struct ct_ffm_process *process;
	struct hit *hit;
	size_t hits;
	uint32_t *step; /* room for those of a group */
};

static bool is_hit(const struct ct_ffm_copy *copy, const struct ct_ffm_found *found, uint32_t *kind)
{
	switch (found->kind) {
	case CT_FFM_COPY_ROUND_TRIP:
		*kind = CT_FFM_ROUND_TRIP;
		return copy->bytes >= LEAST_BYTES;
	case CT_FFM_COPY_REUSED:
		*kind = CT_FFM_REUSED_COPY;
		return copy->bytes >= LEAST_BYTES;
	case CT_FFM_COPY_PARTLY:
		*kind = CT_FFM_PARTLY_REPEATED_COPY;
		return true;
	default:
		return false;
	}
}

static int compare_hits(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return x->copy < y->copy ? -1 : x->copy > y->copy;
}

static int list_hits(struct looking *looking)
{
	const struct ct_ffm_process *process = looking->process;
	const struct ct_ffm_memory *memory = process->uses_memory;
	uint32_t *from = ct_ffm_from_uses(process);

	looking->hit = ct_large_alloc(memory->copies + 1, sizeof(*looking->hit));
	looking->step = ct_large_alloc(memory->copies + 1, sizeof(*looking->step));
	if (!from || !looking->hit || !looking->step) {
		ct_large_free(from);
		return -ENOMEM;
	}
	for (size_t c = 0; c < memory->copies; c++) {
		uint32_t u = memory->copy[c].step, kind;
		uint32_t s = u == CT_FFM_NONE ? CT_FFM_NONE : from[u];

		if (s != CT_FFM_NONE &&
		    is_hit(&memory->copy[c], &looking->process->found[c], &kind))
			looking->hit[looking->hits++] =
			    (struct hit){kind, process->site[s], s, (uint32_t)c};
	}
	ct_large_free(from);
	qsort(looking->hit, looking->hits, sizeof(*looking->hit), compare_hits);
	return 0;
}

static uint64_t in_proportion(uint64_t of, uint64_t same, uint64_t bytes)
{
	return (uint64_t)((double)of * (double)same / (double)bytes);
}

/* Measures for copies that are partly there the part of what dropping them would save. */
static int measure(const struct looking *looking, struct ct_ffm_entry *entry, const struct hit *hit,
		   size_t count, uint64_t same, uint64_t bytes)
{
	uint64_t expected;
	int64_t replayed;
	int err;

	for (size_t i = 0; i < count; i++)
		looking->step[i] = hit[i].step;
	err = ct_ffm_what_if(looking->process, looking->step, count, CT_FFM_TRANSFER, &expected,
			     &replayed);
	if (entry->kind == CT_FFM_PARTLY_REPEATED_COPY) {
		expected = in_proportion(expected, same, bytes);
		replayed = replayed > 0 ? (int64_t)in_proportion((uint64_t)replayed, same, bytes)
					: replayed;
	}
	if (entry->processes++ && expected <= entry->expected_ns)
		return err;
	entry->expected_ns = expected;
	entry->replayed_ns = replayed;
	entry->is_replayed = true;
	entry->call_ns = entry->wait_ns = 0;
	for (size_t i = 0; i < count; i++) {
		const struct ct_ffm_step *step = &looking->process->program.graph.step[hit[i].step];

		entry->call_ns += step->launch_ns + step->wait_ns;
		entry->wait_ns += step->wait_ns;
	}
	return err;
}

static int relate(const struct looking *looking, struct ct_ffm_entry *entry, const struct hit *hit,
		  size_t count)
{
	const struct ct_ffm_process *process = looking->process;
	const struct ct_ffm_memory *memory = process->uses_memory;
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_ffm_copy *copy = &memory->copy[hit[i].copy];
		const struct ct_ffm_found *found = &looking->process->found[hit[i].copy];
		struct ct_ffm_site site;

		entry->bytes += copy->bytes;
		entry->facts.same_bytes += copy->same_bytes;
		entry->facts.held += found->is_held;
		ct_ffm_note_bytes(&entry->facts, copy->bytes);
		if (found->first == CT_FFM_NONE || memory->copy[found->first].step == CT_FFM_NONE)
			continue;
		site =
		    ct_ffm_site_in_uses(looking->study, process, memory->copy[found->first].step);
		err = ct_ffm_entry_relate(entry, CT_FFM_COPIED, site.call, site.stack, 1);
	}
	return err;
}

static int add_hits(const struct looking *looking, const struct hit *hit, size_t count)
{
	const struct ct_ffm_site *site = &looking->study->site[hit->site];
	const struct ct_ffm_copy *copy = looking->process->uses_memory->copy;
	struct ct_ffm_entry *entry;
	uint64_t same = 0, bytes = 0;
	int err;

	for (size_t i = 0; i < count; i++) {
		same += copy[hit[i].copy].same_bytes;
		bytes += copy[hit[i].copy].bytes;
	}
	if (hit->kind == CT_FFM_PARTLY_REPEATED_COPY &&
	    (same < LEAST_SAME_BYTES || same < bytes / LEAST_SHARE))
		return 0;
	entry = ct_ffm_study_entry(looking->study, (enum ct_ffm_kind)hit->kind, site->call,
				   site->stack);
	if (!entry)
		return -ENOMEM;
	entry->site.count += count;
	err = measure(looking, entry, hit, count, same, bytes);
	return err == 0 ? relate(looking, entry, hit, count) : err;
}

static int detect(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	struct looking looking = {.study = study, .process = process};
	int err;

	if (!process->uses_memory)
		return 0;
	err = list_hits(&looking);
	for (size_t i = 0, end; i < looking.hits && err == 0; i = end) {
		for (end = i + 1; end < looking.hits &&
				  looking.hit[end].kind == looking.hit[i].kind &&
				  looking.hit[end].site == looking.hit[i].site;)
			end++;
		err = add_hits(&looking, &looking.hit[i], end - i);
	}
	ct_large_free(looking.hit);
	ct_large_free(looking.step);
	return err;
}

const struct ct_ffm_detector ct_ffm_detect_copies = {"copies", detect};
