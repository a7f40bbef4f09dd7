/* SPDX-License-Identifier: Apache-2.0 */
/* Reads of a page: whom the data is from. */
#include "postproc/analysis/comm/page.h"

/* A run of granules with the same history, read by one touch. */
struct run {
	const struct ct_touch *touch;
	uint32_t first, end; /* granules */
	uint32_t warp_mark;  /* of granules that the warp has written itself; 0: of none */
	bool is_fresh;       /* not read by this CTA in this superstep before */
	uint64_t bytes;      /* distinct: 0 unless fresh */
	uint64_t loaded;     /* every thread's */
	uint64_t loads;      /* accesses that begin here */
};

/* Bytes of the run that nobody has read in this superstep. Sets flags, too. */
static uint64_t share(struct ct_pages *pages, const struct run *run, uint32_t flags)
{
	struct ct_granule *granule = pages->granule;
	uint64_t granules = 0;

	for (uint32_t i = run->first; i < run->end; i++) {
		granules += granule[i].shared != pages->superstep_mark;
		granule[i].shared = pages->superstep_mark;
		granule[i].writer |= flags;
	}
	return granules << pages->shift;
}

static bool is_before(const struct ct_pages *pages, uint32_t s, uint32_t t)
{
	return pages->is_total || ct_order_before(pages->engine->order, s, t);
}

/* Which writes of a list, newest first, a read sees: those of supersteps before
 * it that no other one of them has overwritten. */
struct view {
	uint32_t superstep; /* of the last write looked at */
	bool is_before, is_seen;
	uint32_t seen[CT_HISTORY]; /* supersteps */
	uint32_t count;
};

static void begin_view(struct view *view)
{
	view->superstep = CT_NO_SUPERSTEP;
	view->count = 0;
}

static void look(const struct ct_pages *pages, struct view *view, uint32_t superstep)
{
	if (superstep == view->superstep)
		return;
	view->superstep = superstep;
	view->is_before = is_before(pages, superstep, pages->superstep);
	view->is_seen = view->is_before && view->count < CT_HISTORY;
	for (uint32_t i = 0; i < view->count && view->is_seen; i++)
		view->is_seen = !is_before(pages, superstep, view->seen[i]);
	if (view->is_seen)
		view->seen[view->count++] = superstep;
}

/* Does a read of the list see a write of the node's CTA and superstep? */
static bool is_source(const struct ct_pages *pages, uint32_t head, const struct ct_node *node)
{
	struct view view;

	begin_view(&view);
	for (uint32_t at = CT_NODE(head); at; at = CT_NODE(pages->node[at].next)) {
		look(pages, &view, pages->node[at].superstep);
		if (pages->node[at].superstep == node->superstep &&
		    pages->node[at].cta == node->cta)
			return view.is_seen;
	}
	return false;
}

/* Accesses that the run has bytes of, but for one that an earlier run of the
 * touch has counted for the same source. */
static uint64_t count_loads(const struct ct_pages *pages, const struct run *run,
			    const struct ct_node *node)
{
	const struct ct_touch *touch = run->touch;
	uint32_t whole = (uint32_t)touch->last - touch->first + 1;
	uint32_t element = ct_page_element(pages, touch->site, whole);
	uint32_t from = (run->first << pages->shift) - touch->first;
	uint32_t to = (run->end << pages->shift) - touch->first, begin, loads;

	if (to - from == element && whole == element)
		return touch->times;
	loads = (to - 1) / element - from / element + 1;
	begin = (touch->first + from / element * element) >> pages->shift;
	for (uint32_t i = begin; i < run->first; i++)
		if (!(run->warp_mark && pages->granule[i].own == run->warp_mark) &&
		    is_source(pages, pages->granule[i].writer, node)) {
			loads--;
			break;
		}
	return (uint64_t)loads * touch->times;
}

/* Is it the first superstep of its kernel that the read sees? Its bytes count once per kernel. */
static bool is_first_of_kernel(const struct ct_pages *pages, const struct view *view)
{
	const struct ct_step *step = pages->engine->step;

	for (uint32_t i = 0; i + 1 < view->count; i++)
		if (step[view->seen[i]].kernel == step[view->superstep].kernel &&
		    step[view->seen[i]].passes)
			return false;
	return true;
}

/* One of those that wrote the run. */
static void take_source(struct ct_pages *pages, const struct run *run, const struct ct_node *node)
{
	ct_page_emit_flow(pages, node, run->bytes, count_loads(pages, run, node));
	ct_page_emit_line(pages, node->site, run->touch->site, run->bytes, run->loaded);
	pages->object_bytes += run->bytes;
}

/* The elements that the run has bytes of, from the first byte of the first one. */
static void emit_elements(struct ct_pages *pages, const struct run *run)
{
	const struct ct_touch *touch = run->touch;
	uint32_t whole = (uint32_t)touch->last - touch->first + 1;
	uint32_t element = ct_page_element(pages, touch->site, whole);
	uint64_t start = ct_page_start(touch, element), at = run->first << pages->shift;

	if (pages->cta % pages->engine->stride_step)
		return;
	start += (at - start) / element * element;
	ct_page_emit_run(pages, (uint64_t)pages->cta << 32 | pages->superstep,
			 (pages->page << CT_PAGE_BITS) + start,
			 (uint32_t)((run->end << pages->shift) - start), element);
}

static void read_communicated(struct ct_pages *pages, const struct run *run)
{
	pages->communicated_bytes += run->loaded;
	pages->object_communicated_loads += run->loaded;
	emit_elements(pages, run);
}

/* What a run's writers amount to. */
enum { SOURCE_LAUNCH = 1, SOURCE_HOST = 2, SOURCE_UNORDERED = 4 };

/* What the CTA at hand makes of a launch's writes, from the node on, by reading them. */
static uint32_t flags_of(const struct ct_pages *pages, const struct ct_node *node)
{
	const struct ct_step *step = pages->engine->step;
	const struct ct_node *next = &pages->node[CT_NODE(node->next)];
	bool has_several = CT_NODE(node->next) && next->superstep == node->superstep;
	bool is_other = has_several || node->cta != pages->cta ||
			step[node->superstep].kernel != step[pages->superstep].kernel;

	return is_other ? CT_FLAGS : CT_FLAG;
}

/* A launch that the run's data is from, with all its CTAs that wrote it. */
static void take_sources(struct ct_pages *pages, const struct run *run, uint32_t at, uint32_t flags)
{
	uint32_t superstep = pages->node[at].superstep;

	for (; at && pages->node[at].superstep == superstep; at = CT_NODE(pages->node[at].next)) {
		if (pages->node[at].site == CT_NO_SITE)
			continue; /* an access that reaches over from another object */
		take_source(pages, run, &pages->node[at]);
		pages->node[at].next |= flags;
	}
}

static void emit_pair(struct ct_pages *pages, uint32_t superstep, uint64_t distinct)
{
	const struct ct_step *step = pages->engine->step;

	ct_page_emit_pair(pages, step[superstep].kernel, step[pages->superstep].kernel, distinct);
}

/* Ordered supersteps: the list is one superstep's, and all of it is read. */
static unsigned find_ordered(struct ct_pages *pages, const struct run *run, uint32_t head)
{
	uint32_t at = CT_NODE(head), superstep = pages->node[at].superstep;
	const struct ct_step *step = &pages->engine->step[superstep];

	if (step->kernel == CT_NONE)
		return SOURCE_HOST;
	if (pages->node[at].site == CT_NO_SITE)
		return 0;
	if (!pages->is_launch)
		return SOURCE_LAUNCH;
	emit_pair(pages, superstep, share(pages, run, flags_of(pages, &pages->node[at])));
	take_sources(pages, run, at, 0);
	return SOURCE_LAUNCH;
}

static unsigned find_sources(struct ct_pages *pages, const struct run *run, uint32_t head)
{
	const struct ct_step *step = pages->engine->step;
	unsigned sources = 0;
	uint64_t distinct = 0;
	struct view view;

	if (pages->is_total)
		return find_ordered(pages, run, head);
	begin_view(&view);
	for (uint32_t at = CT_NODE(head); at; at = CT_NODE(pages->node[at].next)) {
		uint32_t superstep = pages->node[at].superstep;

		if (superstep == view.superstep)
			continue; /* another CTA of the same launch */
		look(pages, &view, superstep);
		sources |= view.is_before ? 0 : SOURCE_UNORDERED;
		if (!view.is_seen)
			continue;
		if (step[superstep].kernel == CT_NONE) {
			sources |= SOURCE_HOST;
		} else if (pages->node[at].site != CT_NO_SITE) {
			if (pages->is_launch && !(sources & SOURCE_LAUNCH))
				distinct = share(pages, run, 0);
			sources |= SOURCE_LAUNCH;
			if (!pages->is_launch)
				continue;
			if (is_first_of_kernel(pages, &view))
				emit_pair(pages, superstep, distinct);
			take_sources(pages, run, at, flags_of(pages, &pages->node[at]));
		}
	}
	return sources;
}

/* A copy has read the run. */
static void read_by_host(struct ct_pages *pages, const struct run *run)
{
	pages->volume.to_host_bytes += run->bytes;
	ct_page_fail(pages,
		     ct_sums_add(pages->sums, CT_FACT_KEY(CT_FACT_STEP_HOST, pages->superstep), 0,
				 0, run->bytes));
}

static void read_from_host(struct ct_pages *pages, const struct run *run)
{
	pages->volume.from_host_bytes += run->bytes;
	ct_page_fail(pages,
		     ct_sums_add(pages->sums, CT_FACT_KEY(CT_FACT_STEP_HOST, pages->superstep), 0,
				 run->bytes, 0));
}

static void read_run(struct ct_pages *pages, struct run *run, uint32_t head)
{
	uint64_t bytes = (uint64_t)(run->end - run->first) << pages->shift;
	unsigned sources;

	if (!pages->is_launch && !ct_page_object_passes(pages, run->first << pages->shift))
		return;
	run->bytes = run->is_fresh ? bytes : 0;
	run->loaded = bytes * run->touch->times;
	if (!CT_NODE(head)) {
		pages->volume.unwritten_bytes += pages->is_launch ? run->bytes : 0;
		return;
	}
	sources = find_sources(pages, run, head);
	if (!pages->is_launch) {
		if (sources & SOURCE_LAUNCH)
			read_by_host(pages, run);
		return;
	}
	if (sources & SOURCE_UNORDERED)
		pages->volume.unordered_bytes += run->bytes;
	if (sources & SOURCE_HOST && run->bytes)
		read_from_host(pages, run);
	if (sources & SOURCE_LAUNCH)
		read_communicated(pages, run);
}

/* This CTA reads these granules for the first time in the superstep. */
static void mark_fresh(struct ct_pages *pages, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++) {
		struct ct_granule *granule = &pages->granule[i];

		granule->seen = pages->group_mark;
		granule->readers &= -(uint32_t)(granule->read == pages->superstep_mark);
		granule->readers++;
		granule->read = pages->superstep_mark;
	}
}

void ct_page_read(struct ct_pages *pages, const struct ct_touch *touch, uint32_t warp_mark)
{
	const struct ct_granule *granule = pages->granule;
	uint32_t end = ((uint32_t)touch->last + 1) >> pages->shift, at;
	uint32_t group_mark = pages->group_mark;
	struct run run = {.touch = touch, .warp_mark = warp_mark};

	for (at = touch->first >> pages->shift; at < end; at = run.end) {
		bool is_own = warp_mark && granule[at].own == warp_mark;
		bool is_seen = granule[at].seen == group_mark;
		uint32_t head = granule[at].writer;

		run.first = at;
		for (run.end = at + 1; run.end < end && granule[run.end].writer == head &&
				       (warp_mark && granule[run.end].own == warp_mark) == is_own &&
				       (granule[run.end].seen == group_mark) == is_seen;
		     run.end++)
			;
		if (is_own)
			continue;
		run.is_fresh = !is_seen;
		if (run.is_fresh)
			mark_fresh(pages, run.first, run.end);
		read_run(pages, &run, head);
	}
}
