/* SPDX-License-Identifier: Apache-2.0 */
/* Writes of a page: pending until the end of their superstep, and what becomes of the older ones.
 */
#include "postproc/analysis/comm/page.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NODES_TO_COMPACT (1u << 20)

/* Make room for one more element: capacity is the next power of two. */
static bool has_room(struct ct_pages *pages, void **array, size_t count, size_t size)
{
	void *bigger;

	if (count & (count - 1))
		return true;
	bigger = realloc(*array, (count ? 2 * count : 1) * size);
	if (!bigger) {
		ct_page_fail(pages, -ENOMEM);
		return false;
	}
	*array = bigger;
	return true;
}

static uint32_t add_node(struct ct_pages *pages, uint32_t superstep, const struct ct_pending *by,
			 uint32_t next)
{
	if (pages->nodes >= CT_NODES_MAX) {
		ct_page_fail(pages, -EOVERFLOW);
		return 0;
	}
	if (!has_room(pages, (void **)&pages->node, pages->nodes, sizeof(*pages->node)))
		return 0;
	pages->node[pages->nodes] = (struct ct_node){superstep, by->cta, by->site, by->phase, next};
	return (uint32_t)pages->nodes++;
}

/* Where elements begin: address modulo their size; of a range, its offset. */
static uint32_t phase_of(const struct ct_pages *pages, const struct ct_touch *touch)
{
	uint32_t element = ct_page_element(pages, touch->site, 0);

	if (!element)
		return touch->first;
	return (uint32_t)(((pages->page << CT_PAGE_BITS) + ct_page_start(touch, element)) %
			  element);
}

void ct_page_write(struct ct_pages *pages, const struct ct_touch *touch, uint32_t warp_mark)
{
	struct ct_pending *last = pages->pendings ? &pages->pending[pages->pendings - 1] : NULL;
	uint32_t site = touch->site, end = (uint32_t)touch->last + 1;

	if (warp_mark)
		for (uint32_t i = touch->first >> pages->shift; i < end >> pages->shift; i++)
			pages->granule[i].own = warp_mark;
	if (last && last->cta == pages->cta && last->site == site && last->end == touch->first &&
	    ct_page_element(pages, site, 0)) {
		last->end = end;
		return;
	}
	if (!has_room(pages, (void **)&pages->pending, pages->pendings, sizeof(*pages->pending)))
		return;
	pages->pending[pages->pendings++] =
	    (struct ct_pending){pages->cta, site, phase_of(pages, touch), touch->first, end};
}

/* At the end of a group: who writes a granule, and whether he reads it as well. */
void ct_page_mark_writes(struct ct_pages *pages, const struct ct_touch *touch)
{
	for (uint32_t i = touch->first >> pages->shift;
	     i < ((uint32_t)touch->last + 1) >> pages->shift; i++) {
		struct ct_granule *granule = &pages->granule[i];
		bool reads_too = granule->seen == pages->group_mark;

		if (granule->own == pages->group_mark)
			continue; /* by another touch of this group */
		granule->own = pages->group_mark;
		if (granule->write == pages->superstep_mark) {
			granule->writers = CT_WRITER_SEVERAL;
			continue;
		}
		granule->write = pages->superstep_mark;
		granule->writers = reads_too ? CT_WRITER_READS_TOO : CT_WRITER_ONE;
	}
}

/* Nobody will read this write any more. */
static void retire_node(struct ct_pages *pages, const struct ct_node *node, uint32_t flags,
			uint32_t first, uint32_t end)
{
	uint32_t bytes = (end - first) << pages->shift, at = first << pages->shift;
	uint32_t element, head;
	uint64_t address;

	if (!(flags & CT_FLAG) || node->site == CT_NO_SITE)
		return;
	pages->volume.exchanged_store_bytes += flags & CT_FLAG_OTHER ? bytes : 0;
	ct_page_emit_volume(pages, node->superstep, node->cta, 0, bytes);
	ct_page_select_object(pages, node->superstep, at);
	pages->object_communicated_stores += bytes;
	element = ct_page_element(pages, node->site, 0);
	address = pages->page << CT_PAGE_BITS | at;
	/* From the first byte of the element, or range, that the run begins in. */
	head = element ? (uint32_t)((address + element - node->phase) % element) : at - node->phase;
	element = element ? element : bytes + head;
	ct_page_emit_run(pages, (uint64_t)node->cta << 32 | node->superstep,
			 (address - head) | CT_RUN_STORE, bytes + head, element);
}

static void retire_list(struct ct_pages *pages, uint32_t head, uint32_t first, uint32_t end)
{
	bool is_total = pages->engine->step[pages->node[CT_NODE(head)].superstep].is_total;

	for (uint32_t at = CT_NODE(head); at; at = CT_NODE(pages->node[at].next))
		retire_node(pages, &pages->node[at], is_total ? head : pages->node[at].next, first,
			    end);
}

/* The granules from first on that have the same writer. */
static uint32_t run_end(const struct ct_granule *granule, uint32_t first, uint32_t end)
{
	uint32_t at = first + 1;

	while (at < end && granule[at].writer == granule[first].writer)
		at++;
	return at;
}

static void apply_ordered(struct ct_pages *pages, const struct ct_pending *by)
{
	struct ct_granule *granule = pages->granule;
	uint32_t end = by->end >> pages->shift, next, fresh = 0;

	for (uint32_t at = by->first >> pages->shift; at < end; at = next) {
		uint32_t old = granule[at].writer, node;

		next = run_end(granule, at, end);
		if (CT_NODE(old) && pages->node[CT_NODE(old)].superstep == pages->superstep) {
			/* Of one CTA's writes, the last. */
			if (pages->node[CT_NODE(old)].cta == by->cta)
				old = pages->node[CT_NODE(old)].next;
			node = add_node(pages, pages->superstep, by, CT_NODE(old));
		} else {
			if (old & CT_FLAG)
				retire_list(pages, old, at, next);
			if (!fresh)
				fresh = add_node(pages, pages->superstep, by, 0);
			node = fresh;
		}
		for (uint32_t i = at; i < next; i++)
			granule[i].writer = node;
	}
}

/* Drop from a granule's list what no superstep from now on can read. */
static void prune(struct ct_pages *pages, uint32_t granule)
{
	uint32_t *link = &pages->granule[granule].writer, supersteps = 0, last = CT_NO_SUPERSTEP;
	uint32_t settled = CT_NO_SUPERSTEP;

	while (CT_NODE(*link)) {
		struct ct_node *node = &pages->node[CT_NODE(*link)];

		supersteps += node->superstep != last;
		last = node->superstep;
		if (supersteps > CT_HISTORY)
			pages->volume.forgotten_bytes += 1u << pages->shift;
		if (supersteps > CT_HISTORY ||
		    (settled != CT_NO_SUPERSTEP &&
		     ct_order_before(pages->engine->order, node->superstep, settled))) {
			retire_node(pages, node, node->next, granule, granule + 1);
			*link = (*link & CT_FLAGS) | CT_NODE(node->next);
			continue;
		}
		if (settled == CT_NO_SUPERSTEP &&
		    pages->engine->step[node->superstep].settled <= pages->superstep)
			settled = node->superstep;
		link = &node->next;
	}
}

/* Lists of single granules, for they differ. */
static void apply_unordered(struct ct_pages *pages, const struct ct_pending *by)
{
	for (uint32_t at = by->first >> pages->shift; at < by->end >> pages->shift; at++) {
		uint32_t *writer = &pages->granule[at].writer;
		struct ct_node *head = &pages->node[CT_NODE(*writer)];
		bool is_first = !CT_NODE(*writer) || head->superstep != pages->superstep;

		if (!is_first && head->cta == by->cta) {
			head->site = by->site;
			head->phase = by->phase;
			continue;
		}
		*writer = add_node(pages, pages->superstep, by, CT_NODE(*writer));
		if (is_first)
			prune(pages, at);
	}
}

/* Bytes that a CTA read while another one of the launch wrote them. */
static void count_same_superstep(struct ct_pages *pages, const struct ct_pending *by)
{
	uint64_t granules = 0;

	for (uint32_t i = by->first >> pages->shift; i < by->end >> pages->shift; i++) {
		struct ct_granule *granule = &pages->granule[i];

		if (granule->write != pages->superstep_mark)
			continue; /* counted for an earlier write */
		granule->write = 0;
		if (granule->read == pages->superstep_mark)
			granules += granule->readers - (granule->writers == CT_WRITER_READS_TOO);
	}
	pages->volume.same_superstep_bytes += granules << pages->shift;
}

/* A list of its own for a granule that shares one. */
static uint32_t copy_list(struct ct_pages *pages, uint32_t head)
{
	uint32_t first = 0, last = 0;

	for (uint32_t at = CT_NODE(head); at; at = CT_NODE(pages->node[at].next)) {
		struct ct_node node = pages->node[at];
		struct ct_pending by = {node.cta, node.site, node.phase, 0, 0};
		uint32_t copy = add_node(pages, node.superstep, &by, node.next & CT_FLAGS);

		if (last)
			pages->node[last].next |= copy;
		else
			first = copy;
		last = copy;
	}
	return (head & CT_FLAGS) | first;
}

void ct_page_split_lists(struct ct_pages *pages, uint32_t factor)
{
	for (uint32_t i = 0; i < CT_PAGE_BYTES >> pages->shift; i++) {
		uint32_t *writer = &pages->granule[i].writer;

		if (i % factor && CT_NODE(*writer))
			*writer = copy_list(pages, *writer);
	}
}

/* Keep the nodes that granules refer to, and renumber them. */
static void compact(struct ct_pages *pages)
{
	uint32_t granules = CT_PAGE_BYTES >> pages->shift, count = 1;
	uint32_t *renumbered = calloc(pages->nodes, sizeof(*renumbered));

	if (!renumbered) {
		ct_page_fail(pages, -ENOMEM);
		return;
	}
	for (uint32_t i = 0; i < granules; i++)
		for (uint32_t at = CT_NODE(pages->granule[i].writer); at && !renumbered[at];
		     at = CT_NODE(pages->node[at].next))
			renumbered[at] = 1;
	for (size_t i = 1; i < pages->nodes; i++)
		if (renumbered[i]) {
			pages->node[count] = pages->node[i];
			renumbered[i] = count++;
		}
	for (uint32_t i = 1; i < count; i++)
		pages->node[i].next =
		    (pages->node[i].next & CT_FLAGS) | renumbered[CT_NODE(pages->node[i].next)];
	for (uint32_t i = 0; i < granules; i++) {
		uint32_t *writer = &pages->granule[i].writer;

		*writer = (*writer & CT_FLAGS) | renumbered[CT_NODE(*writer)];
	}
	pages->nodes = count;
	pages->compact_at = 2 * count > NODES_TO_COMPACT ? 2 * count : NODES_TO_COMPACT;
	free(renumbered);
}

void ct_page_apply(struct ct_pages *pages)
{
	bool is_total;

	if (!pages->pendings)
		return;
	is_total = pages->engine->step[pages->superstep].is_total;
	for (size_t i = 0; i < pages->pendings; i++) {
		if (is_total)
			apply_ordered(pages, &pages->pending[i]);
		else
			apply_unordered(pages, &pages->pending[i]);
		if (ct_page_is_launch(pages, pages->superstep) &&
		    pages->engine->step[pages->superstep].passes)
			count_same_superstep(pages, &pages->pending[i]);
	}
	ct_page_flush_run(pages);
	pages->pendings = 0;
	if (pages->nodes >= NODES_TO_COMPACT && pages->nodes >= pages->compact_at)
		compact(pages);
}

void ct_page_retire(struct ct_pages *pages)
{
	uint32_t granules = CT_PAGE_BYTES >> pages->shift, next;

	for (uint32_t at = 0; at < granules; at = next) {
		next = run_end(pages->granule, at, granules);
		if (CT_NODE(pages->granule[at].writer))
			retire_list(pages, pages->granule[at].writer, at, next);
	}
	ct_page_flush_run(pages);
}
