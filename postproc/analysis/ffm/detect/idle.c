/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time that the device idles between works that one thread asked for one behind the other, because
 * of that thread:
 *
 *	launch-bound	it does next to nothing but launch, without waiting: each call takes longer
 *			than the work before it. Launches of one stretch are one problem, at the
 *			site that most of the time is lost at: a graph makes them in one call.
 *	host-bound	it computes meanwhile: what it has waited for before could be done beside
 *			that. What it has only asked for before it computes is done so already.
 *
 * Of devices that are CPU threads nothing is said: their times are none of a GPU.
 */
#include "base/large.h"
#include "postproc/analysis/ffm/detect/detect.h"
#include "postproc/analysis/model/machine.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define LEAST_SHARE 100u /* of the run, as one part in so many */
#define LEAST_TIMES 8u   /* as often at least: less is no loop */
/* So much stands between two works of a graph (docs/validation.md: 0.9 us for an empty kernel,
 * with the gap behind it). */
#define GRAPH_NS 900u
/* So much recording a launch takes of a device of which it is not known how long launches take
 * (bench/calls); of others that by which calls take longer. */
#define RECORDING_NS 2100u
#define MOST_NS 20000u /* of a gap: longer ones are no matter of launching alone */
#define HOST_NS                                                                                    \
	10000u /* that a thread computes between two launches and still does nothing else          \
		*/

/* Before a work. */
struct gap {
	uint32_t step;             /* that launched it */
	uint32_t before;           /* that launched the work before it */
	uint32_t stretch;          /* of launches without a wait */
	uint32_t computing;        /* the step ahead of whose call the thread computes longest */
	uint64_t idle_ns, host_ns; /* host: of that, the thread's own computation */
	uint64_t device_ns; /* of what was waited for since the last gap that is the host's; of
			       LAUNCH: of the work */
	bool is_host;
};

/* Sums all gaps that are reported at a site. */
struct sum {
	uint64_t lost_ns, times;
	bool is_counted; /* its entry has this process */
};

struct looking {
	struct ct_ffm_study *study;
	struct ct_ffm_process *process;
	struct gap *gap;
	size_t gaps;
	uint32_t stretches;
	uint64_t
	    left_ns;    /* of a gap between launches: by the graph in their place, and recording */
	uint64_t *lost; /* by site of the study: of launches, to choose where to tell them */
	uint32_t *reported; /* by stretch: the site that it is reported at */
	struct sum *sum[2]; /* of launches, of the host: by site */
};

static uint64_t end_of(const struct ct_ffm_work *work)
{
	return work->begin_ns + work->duration_ns;
}

static uint64_t overlap(uint64_t begin, uint64_t end, uint64_t other, uint64_t other_end)
{
	uint64_t from = begin > other ? begin : other, to = end < other_end ? end : other_end;

	return from < to ? to - from : 0;
}

/* Looks at what the thread did behind the launch before, up to this one. */
static void look_at_thread(struct gap *gap, bool *waits, const struct ct_ffm_graph *graph,
			   uint64_t begin_ns, uint64_t end_ns)
{
	uint64_t longest_ns = 0;

	*waits = false;
	for (uint32_t s = gap->before + 1; s <= gap->step; s++) {
		const struct ct_ffm_step *step = &graph->step[s];
		uint64_t host_ns =
		    overlap(step->begin_ns, ct_ffm_launch_at(step), begin_ns, end_ns);

		*waits |= step->scope != CT_FFM_NOTHING;
		gap->host_ns += host_ns;
		if (host_ns > longest_ns) {
			longest_ns = host_ns;
			gap->computing = s;
		}
	}
}

/* Whether both were asked for by one thread, this one later. */
static bool is_behind(const struct ct_ffm_graph *graph, const struct ct_ffm_work *before,
		      const struct ct_ffm_work *work)
{
	return work->step != CT_FFM_NONE && before->step != CT_FFM_NONE &&
	       before->step < work->step &&
	       graph->step[before->step].thread == graph->step[work->step].thread;
}

static bool is_of_launches(const struct gap *gap)
{
	return gap->idle_ns > GRAPH_NS && gap->host_ns <= HOST_NS && gap->idle_ns <= MOST_NS;
}

/* The thread computes, and the device idles for that. */
static bool is_of_host(const struct gap *gap)
{
	return gap->host_ns > HOST_NS && 2 * gap->host_ns >= gap->idle_ns;
}

static bool is_wait_of(const struct ct_ffm_step *step, uint32_t thread)
{
	return step->scope != CT_FFM_NOTHING && step->thread == thread;
}

/* How long those works took that the thread has waited for before it computes. */
static uint64_t waited_for_ns(const struct ct_ffm_graph *graph, const struct ct_ffm_work *work,
			      size_t count, uint32_t computing)
{
	uint32_t first = computing, wait, thread = graph->step[computing].thread;
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < count; i++)
		first = work[i].step < first ? work[i].step : first;
	for (wait = computing; wait > first && !is_wait_of(&graph->step[wait - 1], thread);)
		wait--;
	for (size_t i = 0; i < count; i++)
		sum_ns += work[i].step < wait ? work[i].duration_ns : 0;
	return sum_ns;
}

static void list_gaps(struct looking *looking)
{
	const struct ct_ffm_graph *graph = &looking->process->program.graph;
	const struct ct_ffm_work *last = NULL;
	size_t since = 0;

	for (size_t w = 0; w < graph->works; w++) {
		const struct ct_ffm_work *work = &graph->work[w];
		bool waits = true;

		if (last && work->begin_ns > end_of(last) && is_behind(graph, last, work)) {
			struct gap gap = {.step = work->step,
					  .before = last->step,
					  .idle_ns = work->begin_ns - end_of(last)};

			look_at_thread(&gap, &waits, graph, end_of(last), work->begin_ns);
			gap.is_host = is_of_host(&gap);
			looking->stretches += waits;
			gap.stretch = looking->stretches;
			gap.device_ns = work->duration_ns;
			if (gap.is_host) {
				gap.device_ns = waited_for_ns(graph, &graph->work[since], w - since,
							      gap.computing);
				since = w;
			}
			if (gap.is_host ? gap.device_ns != 0 : !waits && is_of_launches(&gap))
				looking->gap[looking->gaps++] = gap;
		}
		if (!last || end_of(work) > end_of(last))
			last = work;
	}
	looking->stretches++;
}

/* Recording a launch lasts as long as its call takes longer than a call takes on such a device. */
static uint64_t left_of_gaps(const struct looking *looking)
{
	const struct ct_ffm_graph *graph = &looking->process->program.graph;
	uint64_t sum_ns = 0, launches = 0;
	struct ct_machine machine;
	double excess_ns;

	ct_machine_of_trace(&machine, looking->study->calls);
	for (size_t i = 0; i < looking->gaps; i++)
		if (!looking->gap[i].is_host) {
			sum_ns += graph->step[looking->gap[i].step].launch_ns;
			launches++;
		}
	if (!machine.is_measured || !launches)
		return GRAPH_NS + RECORDING_NS;
	excess_ns = (double)sum_ns / (double)launches - 1e9 * machine.launch_seconds;
	return GRAPH_NS + (uint64_t)fmax(excess_ns, 0);
}

static uint64_t lost_of(const struct looking *looking, const struct gap *gap)
{
	if (!gap->is_host)
		return gap->idle_ns > looking->left_ns ? gap->idle_ns - looking->left_ns : 0;
	return gap->host_ns < gap->device_ns ? gap->host_ns : gap->device_ns;
}

/* Gaps between launches that a graph would leave are none. */
static void drop_what_stays(struct looking *looking)
{
	size_t kept = 0;

	looking->left_ns = left_of_gaps(looking);
	for (size_t i = 0; i < looking->gaps; i++)
		if (lost_of(looking, &looking->gap[i]))
			looking->gap[kept++] = looking->gap[i];
	looking->gaps = kept;
}

/* At which site each stretch of launches is reported: the one of them that most is lost at in all.
 */
static void choose_sites(struct looking *looking)
{
	const uint32_t *site = looking->process->site;

	for (size_t i = 0; i < looking->gaps; i++)
		if (!looking->gap[i].is_host)
			looking->lost[site[looking->gap[i].step]] +=
			    lost_of(looking, &looking->gap[i]);
	for (uint32_t i = 0; i < looking->stretches; i++)
		looking->reported[i] = CT_FFM_NONE;
	for (size_t i = 0; i < looking->gaps; i++) {
		const struct gap *gap = &looking->gap[i];
		uint32_t *reported = &looking->reported[gap->stretch];

		if (!gap->is_host && (*reported == CT_FFM_NONE ||
				      looking->lost[site[gap->step]] > looking->lost[*reported]))
			*reported = site[gap->step];
	}
}

static uint32_t reported_at(const struct looking *looking, const struct gap *gap)
{
	return gap->is_host ? looking->process->site[gap->step] : looking->reported[gap->stretch];
}

static int add_gap(struct looking *looking, struct ct_ffm_entry *entry, const struct gap *gap)
{
	const struct ct_ffm_step *step = &looking->process->program.graph.step[gap->step];

	entry->site.count++;
	entry->call_ns += step->launch_ns;
	entry->facts.idle_ns += gap->idle_ns;
	entry->facts.device_ns += gap->device_ns;
	entry->facts.host_ns += gap->host_ns;
	if (looking->process->site[gap->step] == reported_at(looking, gap))
		return 0;
	return ct_ffm_relate_step(looking->study, looking->process, entry, CT_FFM_LAUNCHED,
				  gap->step);
}

/* All gaps that are reported at its site lose enough to be worth a word. */
static bool is_reported(const struct looking *looking, const struct gap *gap)
{
	const struct sum *sum = &looking->sum[gap->is_host][reported_at(looking, gap)];

	return sum->times >= LEAST_TIMES && sum->lost_ns * LEAST_SHARE >= looking->study->run_ns;
}

/* The entry that the gap is of: worth what it is in the process that loses most. NULL: memory is
 * short. */
static struct ct_ffm_entry *entry_of(struct looking *looking, const struct gap *gap)
{
	struct ct_ffm_study *study = looking->study;
	enum ct_ffm_kind kind = gap->is_host ? CT_FFM_HOST_BOUND : CT_FFM_LAUNCH_BOUND;
	const struct ct_ffm_site *site = &study->site[reported_at(looking, gap)];
	struct sum *sum = &looking->sum[gap->is_host][reported_at(looking, gap)];
	struct ct_ffm_entry *entry = ct_ffm_study_entry(study, kind, site->call, site->stack);

	if (!entry || sum->is_counted)
		return entry;
	sum->is_counted = true;
	entry->processes++;
	if (sum->lost_ns <= entry->expected_ns)
		return entry;
	entry->expected_ns = sum->lost_ns;
	entry->replayed_ns = gap->is_host ? 0 : (int64_t)sum->lost_ns;
	entry->is_replayed = !gap->is_host;
	return entry;
}

static int add_gaps(struct looking *looking)
{
	int err = 0;

	for (size_t i = 0; i < looking->gaps; i++) {
		struct gap *gap = &looking->gap[i];
		struct sum *sum = &looking->sum[gap->is_host][reported_at(looking, gap)];

		sum->lost_ns += lost_of(looking, gap);
		sum->times++;
	}
	for (size_t i = 0; i < looking->gaps && err == 0; i++) {
		struct ct_ffm_entry *entry;

		if (!is_reported(looking, &looking->gap[i]))
			continue;
		entry = entry_of(looking, &looking->gap[i]);
		err = entry ? add_gap(looking, entry, &looking->gap[i]) : -ENOMEM;
	}
	return err;
}

static bool is_cpu(const struct ct_trace *trace)
{
	const struct ct_device_info *devices;

	return ct_trace_devices(trace, &devices) && devices->event->is_cpu_target;
}

static int detect(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	struct looking looking = {.study = study, .process = process};
	size_t works = process->program.graph.works;
	int err;

	if (is_cpu(study->calls))
		return 0;
	looking.gap = ct_large_alloc(works + 1, sizeof(*looking.gap));
	looking.reported = ct_large_alloc(works + 1, sizeof(*looking.reported));
	looking.lost = calloc(study->sites + 1, sizeof(*looking.lost));
	looking.sum[0] = calloc(study->sites + 1, sizeof(*looking.sum[0]));
	looking.sum[1] = calloc(study->sites + 1, sizeof(*looking.sum[1]));
	err = looking.gap && looking.reported && looking.lost && looking.sum[0] && looking.sum[1]
		  ? 0
		  : -ENOMEM;
	if (err == 0) {
		list_gaps(&looking);
		drop_what_stays(&looking);
		choose_sites(&looking);
		err = add_gaps(&looking);
	}
	ct_large_free(looking.gap);
	ct_large_free(looking.reported);
	free(looking.lost);
	free(looking.sum[0]);
	free(looking.sum[1]);
	return err;
}

const struct ct_ffm_detector ct_ffm_detect_idle = {"idle", detect};
