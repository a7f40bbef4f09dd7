/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of what calls can save, site by site; of several processes each site's largest. */
#include "postproc/analysis/ffm/feed.h"
#include "base/array.h"
#include "base/large.h"
#include "base/map.h"
#include "postproc/analysis/ffm/pauses.h"
#include "postproc/analysis/ffm/problems.h"
#include "postproc/analysis/ffm/stack_sites.h"
#include <errno.h>
#include <stdlib.h>

#define DISTURBED_PERCENT 120u /* of the time that it takes in stage 1 */
#define DISTURBED_NS 1000u     /* that it takes longer at least */

/* The state of a process. */
struct feeding {
	struct ct_trace *trace;
	uint32_t part;
	struct ct_ffm_program program;
	struct ct_ffm_judgement *judgement; /* of stage 3, by step; NULL */
	uint64_t *site;                     /* by row of STACK */
	size_t rows;
	uint64_t waited_ns;    /* by the last wait of the thread that did */
	struct ct_map numbers; /* site -> number + 1 in sums */
	struct ct_ffm_feed sums;
};

static const char *name_of(const struct feeding *feeding, size_t s)
{
	const struct ct_ffm_program *program = &feeding->program;

	return ct_trace_string(feeding->trace, feeding->part,
			       program->calls[program->call[s]].name);
}

/* Returns what the call of a step can save at most; false: nothing. */
static bool worth_of(const struct feeding *feeding, size_t s, uint64_t *worth_ns)
{
	const struct ct_ffm_step *step = &feeding->program.graph.step[s];
	const struct ct_ffm_judgement *judgement =
	    feeding->judgement ? &feeding->judgement[s] : NULL;

	*worth_ns = step->wait_ns;
	if (!feeding->program.activity_count) {
		*worth_ns = step->launch_ns;
		return ct_wait_kind(name_of(feeding, s)).what != CT_WAIT_FOR_NONE;
	}
	if (!step->wait_ns && (judgement || step->scope == CT_FFM_NOTHING))
		return false;
	if (!judgement) {
		*worth_ns = feeding->waited_ns;
		if (ct_ffm_must_go(name_of(feeding, s)))
			*worth_ns += step->launch_ns;
		return true;
	}
	if (judgement->first_use_ns < *worth_ns)
		*worth_ns = judgement->first_use_ns;
	return judgement->need == CT_FFM_NEEDED;
}

static uint64_t site_of(const struct feeding *feeding, size_t s)
{
	const struct ct_row_call *call = &feeding->program.calls[feeding->program.call[s]];

	return call->stack <= feeding->rows ? feeding->site[call->stack] : 0;
}

static int add(struct feeding *feeding, size_t s, uint64_t worth_ns)
{
	uint64_t site = site_of(feeding, s);
	union ct_map_value *number = ct_map_put(&feeding->numbers, site, 0);
	struct ct_ffm_feed *sums = &feeding->sums;

	if (!number)
		return -ENOMEM;
	if (!number->number) {
		if (ct_array_grow(&sums->fed, sums->count, sizeof(*sums->fed)) < 0)
			return -ENOMEM;
		sums->fed[sums->count] =
		    (struct ct_ffm_fed){.site = site, .call = name_of(feeding, s)};
		number->number = ++sums->count;
	}
	sums->fed[number->number - 1].count++;
	sums->fed[number->number - 1].worth_ns += worth_ns;
	return 0;
}

static int init(struct feeding *feeding, bool is_judged)
{
	struct ct_ffm_program *program = &feeding->program;
	struct ct_ffm_verdicts verdicts;
	int err = ct_ffm_program_init(program, feeding->trace, feeding->part);

	if (err == 0)
		err = ct_ffm_stack_sites(feeding->trace, feeding->part, &feeding->site,
					 &feeding->rows);
	if (err < 0 || !is_judged)
		return err;
	feeding->judgement = ct_large_alloc(program->graph.steps + 1, sizeof(*feeding->judgement));
	return feeding->judgement ? ct_ffm_judge(program, NULL, NULL, feeding->trace, feeding->part,
						 feeding->judgement, &verdicts)
				  : -ENOMEM;
}

static void fini(struct feeding *feeding)
{
	ct_ffm_program_fini(&feeding->program);
	ct_large_free(feeding->judgement);
	free(feeding->site);
	ct_map_fini(&feeding->numbers);
	ct_ffm_feed_fini(&feeding->sums);
}

/* numbers: site -> number + 1 in the feed. */
static int join(struct ct_ffm_feed *feed, struct ct_map *numbers, const struct ct_ffm_fed *fed)
{
	union ct_map_value *number = ct_map_put(numbers, fed->site, 0);
	struct ct_ffm_fed *known;

	if (!number ||
	    (!number->number && ct_array_grow(&feed->fed, feed->count, sizeof(*feed->fed)) < 0))
		return -ENOMEM;
	if (!number->number) {
		feed->fed[feed->count] = *fed;
		number->number = ++feed->count;
		return 0;
	}
	known = &feed->fed[number->number - 1];
	known->count += fed->count;
	if (known->worth_ns < fed->worth_ns)
		known->worth_ns = fed->worth_ns;
	return 0;
}

/* Behind calls that waited. */
static int add_pauses(struct ct_ffm_pauses *pauses, const struct feeding *feeding)
{
	const struct ct_ffm_graph *graph = &feeding->program.graph;
	int err = 0;

	for (size_t s = 0; s + 1 < graph->steps && err == 0; s++)
		if (graph->step[s].wait_ns && graph->step[s + 1].thread == graph->step[s].thread)
			err = ct_ffm_pauses_add(pauses, site_of(feeding, s),
						graph->step[s + 1].work_ns);
	return err;
}

static int find_pauses(struct ct_ffm_pauses *pauses, struct ct_trace *trace)
{
	const struct ct_process_info *process;
	size_t processes = ct_trace_processes(trace, &process);
	int err = 0;

	for (size_t i = 0; i < processes && err == 0; i++) {
		struct feeding feeding = {.trace = trace, .part = process[i].part};

		err = init(&feeding, false);
		if (err == 0)
			err = add_pauses(pauses, &feeding);
		fini(&feeding);
	}
	return err;
}

static bool is_disturbed(struct ct_ffm_pauses *before, struct ct_ffm_pauses *now, uint64_t site)
{
	uint64_t was = ct_ffm_pauses_median(before, site), is = ct_ffm_pauses_median(now, site);

	return was == UINT64_MAX || is == UINT64_MAX ||
	       is > was / 100 * DISTURBED_PERCENT + DISTURBED_NS;
}

static int add_part(struct ct_ffm_feed *feed, struct ct_map *numbers, struct feeding *feeding,
		    bool is_judged)
{
	int err = init(feeding, is_judged);
	uint64_t run_ns, worth_ns;

	for (size_t s = 0; s < feeding->program.graph.steps && err == 0; s++) {
		const struct ct_ffm_step *step = &feeding->program.graph.step[s];

		if (step->wait_ns || s == 0 || step[-1].thread != step->thread)
			feeding->waited_ns = step->wait_ns;
		if (worth_of(feeding, s, &worth_ns))
			err = add(feeding, s, worth_ns);
	}
	run_ns = err == 0 ? ct_ffm_program_run_ns(&feeding->program) : 0;
	for (size_t i = 0; i < feeding->sums.count && err == 0; i++)
		if (feeding->sums.fed[i].worth_ns >= run_ns / CT_FFM_FEED_SHARE ||
		    !feeding->program.activity_count)
			err = join(feed, numbers, &feeding->sums.fed[i]);
	return err;
}

static int compare(const void *a, const void *b)
{
	const struct ct_ffm_fed *x = a, *y = b;

	if (x->worth_ns != y->worth_ns)
		return x->worth_ns > y->worth_ns ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

static int feed_all(struct ct_ffm_feed *feed, struct ct_trace *trace, bool is_judged)
{
	const struct ct_process_info *process;
	size_t processes = ct_trace_processes(trace, &process);
	struct ct_map numbers = {0};
	int err = 0;

	*feed = (struct ct_ffm_feed){0};
	for (size_t i = 0; i < processes && err == 0; i++) {
		struct feeding feeding = {.trace = trace, .part = process[i].part};

		err = add_part(feed, &numbers, &feeding, is_judged);
		fini(&feeding);
	}
	ct_map_fini(&numbers);
	if (feed->count)
		qsort(feed->fed, feed->count, sizeof(*feed->fed), compare);
	return err;
}

int ct_ffm_feed_uses(struct ct_ffm_feed *feed, struct ct_trace *calls)
{
	return feed_all(feed, calls, false);
}

int ct_ffm_feed_first_uses(struct ct_ffm_feed *feed, struct ct_trace *uses, struct ct_trace *calls)
{
	struct ct_ffm_pauses before = {.count = 0}, now = {.count = 0};
	int err = feed_all(feed, uses, true);
	size_t kept = 0;

	if (err < 0 || !calls || !feed->count)
		return err;
	err = find_pauses(&before, calls);
	if (err == 0)
		err = find_pauses(&now, uses);
	for (size_t i = 0; i < feed->count && err == 0; i++)
		if (is_disturbed(&before, &now, feed->fed[i].site))
			feed->fed[kept++] = feed->fed[i];
	if (err == 0)
		feed->count = kept;
	ct_ffm_pauses_fini(&before);
	ct_ffm_pauses_fini(&now);
	return err;
}

void ct_ffm_feed_fini(struct ct_ffm_feed *feed)
{
	free(feed->fed);
	*feed = (struct ct_ffm_feed){0};
}
