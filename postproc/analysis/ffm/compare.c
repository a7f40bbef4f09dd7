/* SPDX-License-Identifier: Apache-2.0 */
/* Two studies: entries in pairs, then the gain of those that are gone. */
#include "postproc/analysis/ffm/compare.h"
#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SMALL 100u  /* of the run, as one part in so many: runs differ by that much */
#define KERNELS 20u /* likewise, of the kernels' time */

struct place {
	const struct ct_ffm_entry *entry;
	const char *function, *file;
	uint32_t line;
	bool is_paired;
};

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->line < y->line ? -1 : x->line > y->line;
}

/* In the order of lines. NULL: memory is short. */
static struct place *list_places(const struct ct_ffm_study *study)
{
	struct place *place = calloc(study->entries + 1, sizeof(*place));

	for (size_t i = 0; i < study->entries && place; i++) {
		const struct ct_ffm_entry *entry = &study->entry[i];
		const struct ct_code_frame *frame = ct_ffm_study_frame(study, entry->site.stack);

		place[i] = (struct place){.entry = entry, .function = "", .file = ""};
		if (!frame)
			continue;
		place[i].function = frame->function;
		/* The program may be another file now. */
		place[i].file = *frame->file ? name_of(frame->file) : "";
		place[i].line = frame->line;
	}
	if (place && study->entries)
		qsort(place, study->entries, sizeof(*place), compare_places);
	return place;
}

static bool is_same(const struct place *a, const struct place *b)
{
	return a->entry->kind == b->entry->kind &&
	       strcmp(a->entry->site.call, b->entry->site.call) == 0 &&
	       strcmp(a->function, b->function) == 0 && strcmp(a->file, b->file) == 0;
}

static int add_pair(struct ct_ffm_comparison *comparison, const struct place *before,
		    const struct place *after)
{
	if (ct_array_grow(&comparison->entry, comparison->entries, sizeof(*comparison->entry)) < 0)
		return -ENOMEM;
	comparison->entry[comparison->entries++] =
	    (struct ct_ffm_compared){before ? before->entry : NULL, after ? after->entry : NULL};
	comparison->gone += before && !after;
	comparison->remaining += before && after;
	return 0;
}

/* Each of before with the first one of after that is the same and, at first, on its line. */
static int pair_places(struct ct_ffm_comparison *comparison, struct place *before,
		       struct place *after, bool by_line)
{
	int err = 0;

	for (size_t i = 0; i < comparison->study[0]->entries && err == 0; i++)
		for (size_t j = 0; j < comparison->study[1]->entries && !before[i].is_paired; j++) {
			if (after[j].is_paired || !is_same(&before[i], &after[j]) ||
			    (by_line && before[i].line != after[j].line))
				continue;
			before[i].is_paired = after[j].is_paired = true;
			err = add_pair(comparison, &before[i], &after[j]);
		}
	return err;
}

static uint64_t predicted_of(const struct ct_ffm_compared *compared)
{
	return ct_ffm_entry_worth(compared->before ? compared->before : compared->after);
}

static int state_of(const struct ct_ffm_compared *compared)
{
	if (!compared->before)
		return 2;
	return compared->after ? 1 : 0;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct ct_ffm_compared *x = a, *y = b;
	uint64_t i = predicted_of(x), j = predicted_of(y);

	if (state_of(x) != state_of(y))
		return state_of(x) - state_of(y);
	return i != j ? (i > j ? -1 : 1) : 0;
}

static int pair_entries(struct ct_ffm_comparison *comparison)
{
	struct place *before = list_places(comparison->study[0]);
	struct place *after = list_places(comparison->study[1]);
	int err = before && after ? 0 : -ENOMEM;

	if (err == 0)
		err = pair_places(comparison, before, after, true);
	if (err == 0)
		err = pair_places(comparison, before, after, false);
	for (size_t i = 0; i < comparison->study[0]->entries && err == 0; i++)
		if (!before[i].is_paired)
			err = add_pair(comparison, &before[i], NULL);
	for (size_t i = 0; i < comparison->study[1]->entries && err == 0; i++)
		if (!after[i].is_paired)
			err = add_pair(comparison, NULL, &after[i]);
	free(before);
	free(after);
	if (err == 0 && comparison->entries)
		qsort(comparison->entry, comparison->entries, sizeof(*comparison->entry),
		      compare_pairs);
	return err;
}

static bool is_of_steps(enum ct_ffm_kind kind)
{
	return kind == CT_FFM_UNNECESSARY_WAIT || kind == CT_FFM_MISPLACED_WAIT ||
	       kind == CT_FFM_REPEATED_COPY;
}

/* By entry of before. NULL: memory is short. */
static bool *list_gone(const struct ct_ffm_comparison *comparison)
{
	const struct ct_ffm_study *study = comparison->study[0];
	bool *is_gone = calloc(study->entries + 1, sizeof(*is_gone));

	for (size_t i = 0; i < comparison->gone && is_gone; i++)
		is_gone[comparison->entry[i].before - study->entry] = true;
	return is_gone;
}

/* Predicts what is gone of a process' steps, together: of several processes the one that gains
 * most. */
static int predict_steps(const struct ct_ffm_comparison *comparison,
			 const struct ct_ffm_process *process, const bool *is_gone,
			 uint64_t *expected_ns, int64_t *replayed_ns)
{
	const struct ct_ffm_graph *graph = &process->program.graph;
	uint32_t *chosen = malloc((graph->steps + 1) * sizeof(*chosen));
	size_t count = 0;
	uint64_t expected = 0;
	int64_t replayed = 0;
	int err = chosen ? 0 : -ENOMEM;

	for (size_t s = 0; s < graph->steps && err == 0; s++) {
		const struct ct_ffm_entry *entry =
		    ct_ffm_study_entry_of(comparison->study[0], process, (uint32_t)s);

		if (entry && is_gone[entry - comparison->study[0]->entry])
			chosen[count++] = (uint32_t)s;
	}
	if (err == 0 && count)
		err = ct_ffm_sort_steps(graph, chosen, count);
	if (err == 0 && count)
		err = ct_ffm_expect(graph, process->gap, chosen, count, &expected);
	if (err == 0 && count)
		err = ct_ffm_replay(graph, &process->program.streams, chosen, count, &replayed);
	free(chosen);
	if (err == 0 && expected > *expected_ns) {
		*expected_ns = expected;
		*replayed_ns = replayed;
	}
	return err;
}

/* Beside the steps' together: what other kinds are worth, and allocations that went with frees. */
static int predict(struct ct_ffm_comparison *comparison)
{
	const struct ct_ffm_study *study = comparison->study[0];
	bool *is_gone = list_gone(comparison);
	int err = is_gone ? 0 : -ENOMEM;

	for (size_t i = 0; i < study->processes && err == 0; i++)
		err = predict_steps(comparison, &study->process[i], is_gone,
				    &comparison->predicted_ns, &comparison->replayed_ns);
	free(is_gone);
	for (size_t i = 0; i < comparison->gone && err == 0; i++) {
		const struct ct_ffm_entry *entry = comparison->entry[i].before;

		comparison->predicted_ns += entry->facts.dropped_ns;
		comparison->replayed_ns += (int64_t)entry->facts.dropped_ns;
		if (is_of_steps(entry->kind))
			continue;
		comparison->predicted_ns += entry->expected_ns;
		comparison->replayed_ns +=
		    entry->is_replayed ? entry->replayed_ns : (int64_t)entry->expected_ns;
	}
	return err;
}

/* NULL: memory is short. */
static struct ct_ffm_compared_call *call_of(struct ct_ffm_comparison *comparison, const char *call)
{
	for (size_t i = 0; i < comparison->calls; i++)
		if (strcmp(comparison->call[i].call, call) == 0)
			return &comparison->call[i];
	if (ct_array_grow(&comparison->call, comparison->calls, sizeof(*comparison->call)) < 0)
		return NULL;
	comparison->call[comparison->calls] = (struct ct_ffm_compared_call){.call = call};
	return &comparison->call[comparison->calls++];
}

static int compare_calls(const void *a, const void *b)
{
	const struct ct_ffm_compared_call *x = a, *y = b;

	for (unsigned when = 0; when < 2; when++)
		if (x->call_ns[when] != y->call_ns[when])
			return x->call_ns[when] > y->call_ns[when] ? -1 : 1;
	return strcmp(x->call, y->call);
}

/* The entry's own calls, and those that allocate or free the same memory. */
static int note_fixed(struct ct_ffm_comparison *comparison, const struct ct_ffm_entry *entry)
{
	struct ct_ffm_compared_call *call = call_of(comparison, entry->site.call);

	if (!call)
		return -ENOMEM;
	call->predicted_ns += entry->expected_ns;
	call->fixed += entry->occurrences;
	for (size_t r = 0; r < entry->relations; r++) {
		const struct ct_ffm_related *related = &entry->related[r];

		if (related->role != CT_FFM_ALLOCATED && related->role != CT_FFM_FREED)
			continue;
		call = call_of(comparison, related->site.call);
		if (!call)
			return -ENOMEM;
		call->fixed += related->site.count;
	}
	return 0;
}

static int list_calls(struct ct_ffm_comparison *comparison)
{
	int err = 0;

	for (unsigned when = 0; when < 2 && err == 0; when++)
		for (size_t i = 0; i < comparison->study[when]->profiled && err == 0; i++) {
			const struct ct_ffm_profiled *row = &comparison->study[when]->profile[i];
			struct ct_ffm_compared_call *call = call_of(comparison, row->call);

			if (!call)
				return -ENOMEM;
			call->count[when] = row->count;
			call->call_ns[when] = row->call_ns;
			call->wait_ns[when] = row->wait_ns;
		}
	for (size_t i = 0; i < comparison->gone && err == 0; i++)
		err = note_fixed(comparison, comparison->entry[i].before);
	if (err == 0 && comparison->calls)
		qsort(comparison->call, comparison->calls, sizeof(*comparison->call),
		      compare_calls);
	return err;
}

static int sum_kernels(struct ct_ffm_comparison *comparison, unsigned when)
{
	const struct ct_ffm_study *study = comparison->study[when];
	int err = 0;

	for (size_t p = 0; p < study->processes && err == 0; p++) {
		const void *rows;
		size_t count;

		err = ct_trace_rows(study->calls, study->process[p].calls_part, CT_TABLE_ACTIVITY,
				    &rows, &count);
		for (size_t i = 0; i < count; i++) {
			const struct ct_row_activity *row =
			    (const struct ct_row_activity *)rows + i;

			if (row->kind != CT_ACTIVITY_KERNEL || row->flags & CT_ACTIVITY_OURS)
				continue;
			comparison->kernels[when]++;
			comparison->kernel_ns[when] += row->duration_ns;
		}
	}
	return err;
}

/* Behind the program's name, which may be another one now. */
static const char *arguments_of(const struct ct_ffm_study *study)
{
	const struct ct_process_info *processes;
	size_t count = ct_trace_processes(study->calls, &processes);

	return count ? processes[0].program + strcspn(processes[0].program, " ") : "";
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* But for "Async", the names are the same. */
static bool are_alike(const char *a, const char *b)
{
	size_t async = strlen("Async");

	while (*a || *b) {
		if (strncmp(a, "Async", async) == 0)
			a += async;
		else if (strncmp(b, "Async", async) == 0)
			b += async;
		else if (*a++ != *b++)
			return false;
	}
	return true;
}

bool ct_ffm_is_unexplained(const struct ct_ffm_comparison *comparison,
			   const struct ct_ffm_compared_call *call)
{
	uint64_t before = 0, after = 0;

	for (size_t i = 0; i < comparison->calls; i++) {
		const struct ct_ffm_compared_call *other = &comparison->call[i];

		if (!are_alike(call->call, other->call))
			continue;
		before += other->count[0];
		after += other->count[1] + other->fixed;
	}
	return after < before;
}

/* Calls that are fewer than what is gone explains; copies that are more. */
static bool has_other_calls(const struct ct_ffm_comparison *comparison)
{
	uint64_t copies[2] = {0, 0};

	for (size_t i = 0; i < comparison->calls; i++) {
		const struct ct_ffm_compared_call *call = &comparison->call[i];

		if (strstr(call->call, "Memcpy")) {
			copies[0] += call->count[0];
			copies[1] += call->count[1];
		}
		if (ct_ffm_is_unexplained(comparison, call))
			return true;
	}
	return copies[1] > copies[0];
}

static unsigned doubts_of(const struct ct_ffm_comparison *comparison)
{
	const struct ct_ffm_study *before = comparison->study[0], *after = comparison->study[1];
	int64_t saved = comparison->saved_ns;
	unsigned doubts = 0;

	if (strcmp(arguments_of(before), arguments_of(after)) != 0)
		doubts |= CT_FFM_OTHER_COMMAND;
	if (before->processes != after->processes)
		doubts |= CT_FFM_OTHER_PROCESSES;
	if (comparison->kernels[0] != comparison->kernels[1])
		doubts |= CT_FFM_OTHER_LAUNCHES;
	if (distance(comparison->kernel_ns[0], comparison->kernel_ns[1]) * KERNELS >
	    comparison->kernel_ns[0])
		doubts |= CT_FFM_OTHER_KERNELS;
	if (has_other_calls(comparison))
		doubts |= CT_FFM_OTHER_CALLS;
	if ((uint64_t)(saved < 0 ? -saved : saved) * SMALL < before->run_ns)
		doubts |= CT_FFM_SMALL;
	return doubts;
}

int ct_ffm_compare(struct ct_ffm_comparison *comparison, const struct ct_ffm_study *before,
		   const struct ct_ffm_study *after)
{
	int err;

	*comparison = (struct ct_ffm_comparison){.study = {before, after}};
	comparison->saved_ns = (int64_t)(before->run_ns - after->run_ns);
	err = pair_entries(comparison);
	if (err == 0)
		err = predict(comparison);
	if (err == 0)
		err = list_calls(comparison);
	for (unsigned when = 0; when < 2 && err == 0; when++)
		err = sum_kernels(comparison, when);
	if (err == 0)
		comparison->doubts = doubts_of(comparison);
	return err;
}

void ct_ffm_comparison_fini(struct ct_ffm_comparison *comparison)
{
	free(comparison->entry);
	free(comparison->call);
	*comparison = (struct ct_ffm_comparison){.entries = 0};
}
