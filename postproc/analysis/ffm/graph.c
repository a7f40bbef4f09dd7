/* SPDX-License-Identifier: Apache-2.0 */
/* Works by stream, and the waits that lie behind each other. */
#include "postproc/analysis/ffm/graph.h"
#include "base/keyed.h"
#include "base/large.h"
#include <errno.h>
#include <stdlib.h>

int ct_ffm_streams_init(struct ct_ffm_streams *streams, const struct ct_ffm_graph *graph)
{
	size_t *first = calloc((size_t)graph->streams + 2, sizeof(*first));

	*streams =
	    (struct ct_ffm_streams){first, ct_large_alloc(graph->works + 1, sizeof(uint32_t))};
	if (!first || !streams->work) {
		ct_ffm_streams_fini(streams);
		return -ENOMEM;
	}
	/* first[s + 1] counts the works of s, then is where the next one goes, so that in the end
	 * it is where s + 1 begins. */
	for (size_t w = 0; w < graph->works; w++)
		first[graph->work[w].stream + 2]++;
	for (size_t s = 2; s <= graph->streams; s++)
		first[s] += first[s - 1];
	for (size_t w = 0; w < graph->works; w++)
		streams->work[first[graph->work[w].stream + 1]++] = (uint32_t)w;
	return 0;
}

void ct_ffm_streams_fini(struct ct_ffm_streams *streams)
{
	free(streams->first);
	ct_large_free(streams->work);
	*streams = (struct ct_ffm_streams){0};
}

uint32_t ct_ffm_last_covered(const struct ct_ffm_graph *graph, const struct ct_ffm_streams *streams,
			     const struct ct_ffm_step *step, uint32_t stream)
{
	size_t low = streams->first[stream], high = streams->first[stream + 1];

	if (step->scope == CT_FFM_ONE_WORK)
		return step->of;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ct_ffm_is_launched(graph, &graph->work[streams->work[middle]], step))
			low = middle + 1;
		else
			high = middle;
	}
	return low > streams->first[stream] ? streams->work[low - 1] : CT_FFM_NONE;
}

int ct_ffm_sort_steps(const struct ct_ffm_graph *graph, uint32_t *step, size_t count)
{
	struct ct_keyed keyed;
	int err = ct_keyed_init(&keyed, count);

	for (size_t i = 0; i < count && err == 0; i++)
		ct_keyed_add(&keyed, step[i], step[i]);
	if (err == 0)
		err = ct_keyed_sort(&keyed);
	for (size_t i = 0; i < count && err == 0; i++)
		keyed.key[i] = ct_ffm_launch_at(&graph->step[keyed.number[i]]);
	if (err == 0)
		err = ct_keyed_sort(&keyed);
	for (size_t i = 0; i < count && err == 0; i++)
		step[i] = keyed.number[i];
	ct_keyed_fini(&keyed);
	return err;
}

/* Steps with waits in two orders. */
struct waits {
	const struct ct_ffm_graph *graph;
	const struct ct_ffm_streams *streams;
	struct ct_keyed by_begin, by_end; /* of the wait, of the step */
	size_t count;
	/* The first of those that are later than the one at hand, by scope and by stream;
	 * CT_FFM_NONE: none. */
	uint32_t of_device, of_legacy;
	uint32_t *of_stream;
};

static void close_waits(struct waits *waits)
{
	ct_keyed_fini(&waits->by_begin);
	ct_keyed_fini(&waits->by_end);
	free(waits->of_stream);
}

static size_t count_waits(const struct ct_ffm_graph *graph)
{
	size_t count = 0;

	for (size_t s = 0; s < graph->steps; s++)
		count += graph->step[s].scope != CT_FFM_NOTHING;
	return count;
}

/* Those of the same time in the order of steps. */
static int sort_waits(struct waits *waits)
{
	const struct ct_ffm_graph *graph = waits->graph;
	int err = ct_keyed_init(&waits->by_begin, waits->count);

	if (err == 0)
		err = ct_keyed_init(&waits->by_end, waits->count);
	for (size_t s = 0; s < graph->steps && err == 0; s++)
		if (graph->step[s].scope != CT_FFM_NOTHING) {
			const struct ct_ffm_step *step = &graph->step[s];

			ct_keyed_add(&waits->by_begin, ct_ffm_wait_at(step), (uint32_t)s);
			ct_keyed_add(&waits->by_end, ct_ffm_end(step), (uint32_t)s);
		}
	if (err == 0)
		err = ct_keyed_sort(&waits->by_begin);
	return err == 0 ? ct_keyed_sort(&waits->by_end) : err;
}

static int open_waits(struct waits *waits, const struct ct_ffm_graph *graph,
		      const struct ct_ffm_streams *streams)
{
	int err = -ENOMEM;

	*waits = (struct waits){.graph = graph,
				.streams = streams,
				.count = count_waits(graph),
				.of_device = CT_FFM_NONE,
				.of_legacy = CT_FFM_NONE,
				.of_stream = malloc((graph->streams + 1) * sizeof(uint32_t))};
	if (waits->of_stream)
		err = sort_waits(waits);
	for (size_t s = 0; s < graph->streams && err == 0; s++)
		waits->of_stream[s] = CT_FFM_NONE;
	if (err < 0)
		close_waits(waits);
	return err;
}

static void set_first(struct waits *waits, uint32_t s)
{
	const struct ct_ffm_step *step = &waits->graph->step[s];

	if (step->scope == CT_FFM_DEVICE)
		waits->of_device = s;
	else if (step->scope == CT_FFM_LEGACY)
		waits->of_legacy = s;
	else
		waits->of_stream[step->scope == CT_FFM_STREAM
				     ? step->of
				     : waits->graph->work[step->of].stream] = s;
}

static bool begins_before(const struct ct_ffm_graph *graph, uint32_t a, uint32_t b)
{
	uint64_t x = ct_ffm_wait_at(&graph->step[a]), y = ct_ffm_wait_at(&graph->step[b]);

	return x != y ? x < y : a < b;
}

static uint32_t earlier(const struct waits *waits, uint32_t a, uint32_t b)
{
	if (a == CT_FFM_NONE || b == CT_FFM_NONE)
		return a == CT_FFM_NONE ? b : a;
	return begins_before(waits->graph, a, b) ? a : b;
}

static uint32_t first_of(const struct waits *waits, uint32_t stream)
{
	uint32_t first = earlier(waits, waits->of_device, waits->of_stream[stream]);

	return waits->graph->is_legacy[stream] ? earlier(waits, first, waits->of_legacy) : first;
}

/* Had the stream works under way when the wait began? */
static bool has_waited_for(const struct waits *waits, const struct ct_ffm_step *step,
			   uint32_t stream)
{
	uint32_t last = ct_ffm_last_covered(waits->graph, waits->streams, step, stream);
	const struct ct_ffm_work *work = &waits->graph->work[last];

	return last != CT_FFM_NONE && work->begin_ns + work->duration_ns > ct_ffm_wait_at(step);
}

/* Whatever streams there are. */
static uint32_t first_of_scope(const struct waits *waits, enum ct_ffm_scope scope)
{
	if (scope == CT_FFM_LEGACY)
		return earlier(waits, waits->of_device, waits->of_legacy);
	return scope == CT_FFM_DEVICE ? waits->of_device : CT_FFM_NONE;
}

/* If it waited for nothing that is known, any later one of its scope. */
static uint32_t find_next(const struct waits *waits, const struct ct_ffm_step *step)
{
	uint32_t of_works = CT_FFM_NONE;
	uint32_t of_scope = first_of_scope(waits, (enum ct_ffm_scope)step->scope);
	bool is_known = false;

	for (uint32_t stream = 0; stream < waits->graph->streams; stream++) {
		if (!ct_ffm_covers(waits->graph, step, stream))
			continue;
		of_scope = earlier(waits, of_scope, first_of(waits, stream));
		if (!has_waited_for(waits, step, stream))
			continue;
		of_works = earlier(waits, of_works, first_of(waits, stream));
		is_known = true;
	}
	return is_known ? of_works : of_scope;
}

/* CPU time without waits, summed over the steps so far; the last step of each step's thread. */
struct sums {
	uint64_t *ns;
	uint32_t *last;
};

static int open_sums(struct sums *sums, const struct ct_ffm_graph *graph)
{
	*sums = (struct sums){ct_large_alloc(graph->steps + 1, sizeof(*sums->ns)),
			      ct_large_alloc(graph->steps + 1, sizeof(*sums->last))};
	if (!sums->ns || !sums->last)
		return -ENOMEM;
	for (size_t s = 0; s < graph->steps; s++)
		sums->ns[s] =
		    (s ? sums->ns[s - 1] : 0) + graph->step[s].work_ns + graph->step[s].launch_ns;
	for (size_t s = graph->steps; s-- > 0;)
		sums->last[s] =
		    s + 1 < graph->steps && graph->step[s].thread == graph->step[s + 1].thread
			? sums->last[s + 1]
			: (uint32_t)s;
	return 0;
}

static void close_sums(struct sums *sums)
{
	ct_large_free(sums->ns);
	ct_large_free(sums->last);
}

/* The thread's time from the end of a step until then, but for waits. */
static uint64_t idle_until(const struct ct_ffm_graph *graph, const struct sums *sums, uint32_t from,
			   uint64_t until)
{
	size_t low = from, high = sums->last[from];
	uint64_t idle, end;

	/* The last step that begins before it. */
	while (low < high) {
		size_t middle = high - (high - low) / 2;

		if (graph->step[middle].begin_ns < until)
			low = middle;
		else
			high = middle - 1;
	}
	idle = sums->ns[low] - sums->ns[from];
	end = low > from ? ct_ffm_wait_at(&graph->step[low]) : ct_ffm_end(&graph->step[from]);
	if (until < end)
		return idle > end - until ? idle - (end - until) : 0;
	return low == sums->last[from] && until > ct_ffm_end(&graph->step[low])
		   ? idle + until - ct_ffm_end(&graph->step[low])
		   : idle;
}

static void fill_gap(const struct waits *waits, const struct sums *sums, uint32_t s,
		     struct ct_ffm_gap *gap)
{
	const struct ct_ffm_graph *graph = waits->graph;

	gap->next = find_next(waits, &graph->step[s]);
	gap->idle_ns = idle_until(
	    graph, sums, s,
	    gap->next == CT_FFM_NONE ? graph->end_ns : ct_ffm_wait_at(&graph->step[gap->next]));
}

int ct_ffm_gaps(const struct ct_ffm_graph *graph, const struct ct_ffm_streams *streams,
		struct ct_ffm_gap *gap)
{
	struct waits waits;
	struct sums sums;
	size_t begun;
	int err = open_waits(&waits, graph, streams);

	if (err < 0)
		return err;
	err = open_sums(&sums, graph);
	for (size_t s = 0; s < graph->steps; s++)
		gap[s] = (struct ct_ffm_gap){.next = CT_FFM_NONE};
	/* From the end of the program backwards, so that those are first which came last. */
	begun = waits.count;
	for (size_t i = waits.count; i-- > 0 && err == 0;) {
		uint32_t s = waits.by_end.number[i];

		for (; begun > 0 && waits.by_begin.number[begun - 1] != s &&
		       waits.by_begin.key[begun - 1] >= waits.by_end.key[i];
		     begun--)
			set_first(&waits, waits.by_begin.number[begun - 1]);
		fill_gap(&waits, &sums, s, &gap[s]);
	}
	close_sums(&sums);
	close_waits(&waits);
	return err;
}
