/* SPDX-License-Identifier: Apache-2.0 */
/* Who wrote each byte of a page last, and who read it. */
#include "postproc/analysis/values/pages/history.h"
#include "postproc/analysis/values/base/facts.h"
#include "postproc/facts/unread.h"

#include "base/array.h"
#include <errno.h>
#include <string.h>

#define HITS_MAX (UINT64_C(1) << 44) /* whose square is counted */

void ct_history_begin_page(struct ct_value_history *history, uint64_t page)
{
	history->page = page;
	history->span = history->room[0];
	history->next = history->room[1];
	history->is_begun = true;
	history->places = 0;
	history->spans = 1;
	history->span[0] = (struct ct_history_span){.start = 0};
	history->parts = 0;
}

static int add(struct ct_value_history *history, enum ct_value_fact fact, uint64_t rest,
	       uint64_t second, uint64_t a, uint64_t b)
{
	if (!a && !b)
		return 0;
	return ct_sums_add(history->sums, CT_VALUE_FACT_KEY((uint64_t)fact, rest), second, a, b);
}

static uint32_t end_of(const struct ct_value_history *history, uint32_t span)
{
	return span + 1 < history->spans ? history->span[span + 1].start : CT_HISTORY_BYTES;
}

/* Each object's bytes that a launch uses, and how often its elements are accessed. */
struct use {
	uint64_t elements[4], hits[4];
	uint64_t squares[4], high[4];           /* below CT_VALUE_SQUARE_BITS, and above */
	uint32_t bytes, first, last, most, gap; /* gap: bytes unused so far, side by side */
	bool is_used;                           /* any byte so far */
};

static void add_gap(struct use *use, uint32_t bytes)
{
	use->gap += bytes;
	use->most = use->gap > use->most ? use->gap : use->most;
	if (!use->is_used)
		use->first += bytes;
}

/* The greatest size that all places of elements in the page are multiples of. */
static uint32_t least_size(const struct ct_value_history *history)
{
	uint32_t log2 = 0;

	while (log2 < 3 && !(history->places >> log2 & 1))
		log2++;
	return log2;
}

/* Accesses by element of that size; how many elements there are. */
static uint32_t gather_hits(const struct ct_value_history *history,
			    const struct ct_history_part *part, uint32_t log2, uint64_t *hits)
{
	uint32_t first = part->start & ~7u, count = (((part->end + 7u) & ~7u) - first) >> log2;

	for (size_t i = 0; i < count; i++) {
		uint32_t at = first + (uint32_t)(i << log2);

		hits[i] = at >= part->start && at < part->end ? history->hits[at] : 0;
	}
	return count;
}

/* Elements of 1, 2, 4 and 8 bytes in the part: from each size to the next, two become one. Of a
 * size below the least there are as many as of that. */
static void count_hits(struct ct_value_history *history, const struct ct_history_part *part,
		       struct use *use)
{
	uint64_t hits[CT_HISTORY_BYTES];
	uint32_t least = least_size(history), count = gather_hits(history, part, least, hits);

	for (uint32_t log2 = least; log2 < 4; log2++, count /= 2) {
		for (size_t i = 0; i < count; i++) {
			uint64_t own = hits[i] < HITS_MAX ? hits[i] : HITS_MAX;

			use->elements[log2] += hits[i] != 0;
			use->hits[log2] += hits[i];
			if (own >> CT_VALUE_SQUARE_BITS / 2) {
				unsigned __int128 square = (unsigned __int128)own * own;

				use->high[log2] += (uint64_t)(square >> CT_VALUE_SQUARE_BITS);
				use->squares[log2] += (uint64_t)square & CT_VALUE_SQUARE_MASK;
				continue;
			}
			use->squares[log2] += own * own;
		}
		for (size_t i = 0; i < count / 2; i++)
			hits[i] = hits[2 * i] + hits[2 * i + 1];
	}
	for (uint32_t log2 = 0; log2 < least; log2++) {
		use->elements[log2] = use->elements[least];
		use->hits[log2] = use->hits[least];
		use->squares[log2] = use->squares[least];
		use->high[log2] = use->high[least];
	}
}

/* Adds the bytes of a part of the page that were never read: sums of offsets in the object. */
static int add_unread(struct ct_value_history *history, uint32_t object,
		      const struct ct_unread *unread)
{
	int err = add(history, CT_VALUE_FACT_UNREAD, object, CT_UNREAD_ALL, unread->bytes,
		      unread->offsets);

	if (err == 0)
		err =
		    add(history, CT_VALUE_FACT_UNREAD, object, CT_UNREAD_BLOCKS, unread->blocks, 0);
	for (uint32_t r = 0; r < CT_UNREAD_RESIDUES && err == 0; r++)
		err = add(history, CT_VALUE_FACT_UNREAD, object, CT_UNREAD_RESIDUE + r,
			  unread->residue[r], 0);
	for (uint32_t p = 0; p < CT_UNREAD_PARTS && err == 0; p++)
		err = add(history, CT_VALUE_FACT_UNREAD, object, CT_UNREAD_PART + p,
			  unread->part[p], 0);
	return err;
}

/* Ends the bytes that were never read when the object ends, from `start` in the page on. */
static int end_span(struct ct_value_history *history, const struct ct_history_part *part,
		    const struct ct_history_span *span, uint32_t start, uint32_t bytes,
		    struct ct_unread *unread)
{
	const struct ct_value_engine *engine = history->engine;
	uint32_t freed_at = engine->object[part->object].freed_at;
	const struct ct_event_alloc *object = engine->first_object[part->object].event;
	uint64_t first = (history->page << CT_VALUE_PAGE_BITS) + start - object->address;

	if (!span->is_unread || !engine->object[part->object].is_device ||
	    engine->object[part->object].is_shared ||
	    engine->unseen[freed_at] != engine->unseen[span->writer])
		return 0;
	ct_unread_take(unread, first, first + bytes, object->bytes);
	return add(history, CT_VALUE_FACT_WROTE, part->object, span->writer - 1, 0, bytes);
}

static int add_use(struct ct_value_history *history, const struct ct_history_part *part,
		   const struct use *use)
{
	int err = 0;

	for (uint32_t log2 = 0; log2 < 4 && err == 0; log2++) {
		err = add(history, CT_VALUE_FACT_HITS, part->object, log2, use->elements[log2],
			  use->hits[log2]);
		if (err == 0)
			err = add(history, CT_VALUE_FACT_SQUARES, part->object, log2,
				  use->squares[log2], log2 ? 0 : use->bytes);
		if (err == 0)
			err = add(history, CT_VALUE_FACT_SQUARES, part->object,
				  log2 | CT_VALUE_SQUARE_HIGH, use->high[log2], 0);
	}
	if (err < 0 || !use->bytes)
		return err;
	if (use->bytes == CT_HISTORY_BYTES)
		return add(history, CT_VALUE_FACT_PAGES, part->object, history->page / 64,
			   (uint64_t)1 << history->page % 64, 0);
	return add(history, CT_VALUE_FACT_GAPS, part->object, history->page,
		   CT_VALUE_GAPS(use->first, use->gap, use->most), 1);
}

static int end_part(struct ct_value_history *history, const struct ct_history_part *part)
{
	struct use use = {.bytes = 0};
	struct ct_unread unread = {.bytes = 0};
	int err = 0;

	for (uint32_t i = 0; i < history->spans && err == 0; i++) {
		const struct ct_history_span *span = &history->span[i];
		uint32_t start = span->start > part->start ? span->start : part->start;
		uint32_t end = end_of(history, i) < part->end ? end_of(history, i) : part->end;

		if (start >= end)
			continue;
		err = end_span(history, part, span, start, end - start, &unread);
		if (!span->user) {
			add_gap(&use, end - start);
			continue;
		}
		use.bytes += end - start;
		use.is_used = true;
		use.gap = 0;
	}
	if (unread.bytes && err == 0)
		err = add_unread(history, part->object, &unread);
	if (use.bytes)
		count_hits(history, part, &use);
	memset(history->hits + part->start, 0, (part->end - part->start) * sizeof(*history->hits));
	return err == 0 ? add_use(history, part, &use) : err;
}

/* Those in next become the spans. */
static void replace_spans(struct ct_value_history *history, uint32_t count)
{
	struct ct_history_span *before = history->span;

	history->span = history->next;
	history->next = before;
	history->spans = count;
}

/* Its bytes belong to none from now on. */
static void forget(struct ct_value_history *history, const struct ct_history_part *part)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < history->spans; i++) {
		struct ct_history_span span = history->span[i];
		uint32_t end = end_of(history, i);
		const struct ct_history_span none = {.start = part->start};

		if (span.start < part->start)
			history->next[count++] = span;
		if (span.start <= part->start && part->start < end)
			history->next[count++] = none;
		if (end > part->end && span.start < part->end) {
			span.start = part->end;
			history->next[count++] = span;
		} else if (span.start >= part->end) {
			history->next[count++] = span;
		}
	}
	replace_spans(history, count);
}

/* Objects that are no longer there leave. */
static int end_objects(struct ct_value_history *history)
{
	size_t kept = 0;
	int err = 0;

	for (size_t i = 0; i < history->parts && err == 0; i++) {
		const struct ct_history_part part = history->part[i];

		if (history->engine->object[part.object].freed_at > history->step) {
			history->part[kept++] = part;
			continue;
		}
		err = end_part(history, &part);
		forget(history, &part);
	}
	history->parts = kept;
	return err;
}

int ct_history_begin_run(struct ct_value_history *history, uint32_t step)
{
	history->step = step;
	history->first = CT_HISTORY_BYTES;
	history->end = 0;
	return end_objects(history);
}

int ct_history_end_page(struct ct_value_history *history)
{
	int err = 0;

	if (!history->is_begun)
		return 0;
	history->is_begun = false;
	for (size_t i = 0; i < history->parts && err == 0; i++)
		err = end_part(history, &history->part[i]);
	return err;
}

/* The part that the byte is in; NULL: of no known object. *err: 0 or -ENOMEM. */
static struct ct_history_part *part_of(struct ct_value_history *history, uint32_t at, int *err)
{
	uint64_t base = history->page << CT_VALUE_PAGE_BITS, first, last;
	uint32_t object;

	for (size_t i = 0; i < history->parts; i++)
		if (at >= history->part[i].start && at < history->part[i].end)
			return &history->part[i];
	object = ct_value_object_at(history->engine, history->step, base + at);
	if (object == CT_NONE)
		return NULL;
	if (ct_array_grow(&history->part, history->parts, sizeof(*history->part)) < 0) {
		*err = -ENOMEM;
		return NULL;
	}
	first = history->engine->first_object[object].event->address;
	last = first + history->engine->first_object[object].event->bytes;
	history->part[history->parts] = (struct ct_history_part){
	    .start = first > base ? (uint32_t)(first - base) : 0,
	    .end = last < base + CT_HISTORY_BYTES ? (uint32_t)(last - base) : CT_HISTORY_BYTES,
	    .object = object};
	return &history->part[history->parts++];
}

/* Behind a byte of no known object: where the next one begins, or `end`. */
static uint32_t next_object(const struct ct_value_history *history, uint32_t at, uint32_t end)
{
	uint64_t base = history->page << CT_VALUE_PAGE_BITS;
	uint64_t begin = ct_value_object_after(history->engine, history->step, base + at);

	return begin < base + end ? (uint32_t)(begin - base) : end;
}

/* Ends what has come together from one writer. */
static int end_edge(struct ct_value_history *history)
{
	const struct ct_value_engine *engine = history->engine;
	const struct ct_history_edge edge = history->edge;
	uint32_t group, from;
	int err;

	history->edge = (struct ct_history_edge){.object = CT_NONE};
	if (edge.object == CT_NONE)
		return 0;
	group = engine->object[edge.object].group;
	from = edge.writer ? engine->node[edge.writer - 1] : CT_NODE_ALLOC;
	err = add(history, CT_VALUE_FACT_FLOW_READ, group,
		  (uint64_t)from << 32 | engine->node[history->step], edge.read, 0);
	if (err == 0)
		err = add(history, CT_VALUE_FACT_FLOW_OVER, group,
			  (uint64_t)from << 32 | engine->node[history->step], edge.over, edge.same);
	return err == 0 && edge.dead
		   ? add(history, CT_VALUE_FACT_WROTE, edge.object, edge.writer - 1, 0, edge.dead)
		   : err;
}

/* Nothing can have written unseen since then. */
static bool is_certain(const struct ct_value_history *history, uint32_t writer, uint32_t object)
{
	const struct ct_value_engine *engine = history->engine;
	uint32_t since = writer ? writer : engine->object[object].allocated_at;

	return engine->object[object].is_device &&
	       engine->unseen[history->step] == engine->unseen[since];
}

static int begin_edge(struct ct_value_history *history, uint32_t object, uint32_t writer)
{
	int err = end_edge(history);

	history->edge = (struct ct_history_edge){.object = object, .writer = writer};
	history->run.is_certain = is_certain(history, writer, object);
	return err;
}

/* So many bytes of a span are marked. */
static int take(struct ct_value_history *history, struct ct_history_span *span,
		struct ct_history_part *part, uint32_t mark, uint32_t bytes)
{
	const struct ct_history_run run = history->run;
	const uint32_t reads = CT_MARK_READ_OLD | CT_MARK_READ_OWN;
	int err = 0;

	if (mark & CT_MARK_MIXED && mark & CT_MARK_WROTE && mark & (reads | CT_MARK_LOADED))
		mark |= reads;
	part->touched += run.is_launch ? bytes : 0;
	part->shared += run.is_launch && span->user && span->user != history->step + 1 ? bytes : 0;
	part->wrote += mark & CT_MARK_WROTE ? bytes : 0;
	if (history->edge.object != part->object || history->edge.writer != span->writer)
		err = begin_edge(history, part->object, span->writer);
	if (run.is_ordered && !span->is_open && history->run.is_certain) {
		history->edge.read += mark & CT_MARK_READ_OLD ? bytes : 0;
		history->edge.over += mark & CT_MARK_WROTE ? bytes : 0;
		history->edge.same += mark & CT_MARK_WROTE && mark & CT_MARK_SAME ? bytes : 0;
		if (mark & CT_MARK_WROTE && !(mark & CT_MARK_READ_OLD) && span->is_unread &&
		    !run.hides && !history->engine->object[part->object].is_shared)
			history->edge.dead += bytes;
	}
	if (mark & reads || !run.is_ordered)
		span->is_unread = false;
	if (mark & CT_MARK_WROTE) {
		span->writer = history->step + 1;
		span->is_open = !run.is_ordered || run.hides;
		span->is_unread = !span->is_open && !(mark & CT_MARK_READ_OWN);
	}
	span->user = run.is_launch ? history->step + 1 : span->user;
	return err;
}

static void push(struct ct_value_history *history, uint32_t *count, struct ct_history_span span,
		 uint32_t start)
{
	const struct ct_history_span *last = *count ? &history->next[*count - 1] : NULL;

	if (last && last->writer == span.writer && last->user == span.user &&
	    last->is_unread == span.is_unread && last->is_open == span.is_open)
		return;
	span.start = start;
	history->next[(*count)++] = span;
}

/* Where the bytes with one mark end, from at on. */
static uint32_t end_of_mark(const struct ct_value_history *history, uint32_t at, uint32_t end)
{
	uint64_t all = history->mark[at] * 0x0101010101010101u, here;

	/* Copies mark whole pages: each byte is like the one before it. */
	if (!memcmp(history->mark + at, history->mark + at + 1, end - at - 1))
		return end;
	while (at < end) {
		memcpy(&here, history->mark + at, sizeof(here));
		if (here != all)
			return at + (uint32_t)__builtin_ctzll(here ^ all) / 8 < end
				   ? at + (uint32_t)__builtin_ctzll(here ^ all) / 8
				   : end;
		at += 8;
	}
	return end;
}

/* Marks and spans, from both to new spans. */
static int merge(struct ct_value_history *history)
{
	const struct ct_value_engine *engine = history->engine;
	uint32_t count = 0, span = 0;
	int err = 0;

	history->run = (struct ct_history_run){
	    .is_launch = engine->superstep[history->step].launch != NULL,
	    .is_ordered = engine->step[history->step].is_ordered,
	    .hides = engine->step[history->step].hides_uses,
	};
	for (uint32_t at = 0, end; at < CT_HISTORY_BYTES && err == 0; at = end) {
		struct ct_history_span own = history->span[span];
		struct ct_history_part *part = NULL;

		end = end_of(history, span);
		if (at < history->first) {
			end = end < history->first ? end : history->first;
		} else if (at < history->end) {
			end = end_of_mark(history, at, end < history->end ? end : history->end);
			if (history->mark[at])
				part = part_of(history, at, &err);
			end = part && part->end < end ? part->end : end;
			if (history->mark[at] && !part)
				end = next_object(history, at, end);
		}
		if (part && err == 0)
			err = take(history, &own, part, history->mark[at], end - at);
		push(history, &count, own, at);
		span += end == end_of(history, span);
	}
	replace_spans(history, count);
	return err == 0 ? end_edge(history) : err;
}

int ct_history_end_run(struct ct_value_history *history)
{
	int err = 0;

	history->edge.object = CT_NONE;
	if (history->first < history->end)
		err = merge(history);
	for (size_t i = 0; i < history->parts && err == 0; i++) {
		struct ct_history_part *part = &history->part[i];

		err = add(history, CT_VALUE_FACT_SLICE, part->object, history->step, part->touched,
			  part->shared);
		if (err == 0)
			err = add(history, CT_VALUE_FACT_WROTE, part->object, history->step,
				  part->wrote, 0);
		part->touched = part->shared = part->wrote = 0;
	}
	if (history->first < history->end)
		memset(history->mark + history->first, 0, history->end - history->first);
	return err;
}
