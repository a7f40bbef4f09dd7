/* SPDX-License-Identifier: Apache-2.0 */
/* How objects are used: from facts of their pages. */
#include "postproc/analysis/values/figures/usage.h"
#include "postproc/analysis/values/base/facts.h"

#include "base/array.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Counts elements of each size: such that launches use, accesses, and squares of these. */
struct ct_values_shape {
	uint64_t elements[4], hits[4];
	double squares[4];
};

int ct_value_usage_init(struct ct_value_usage *usage, const struct ct_value_engine *engine)
{
	*usage = (struct ct_value_usage){.of = calloc(engine->objects + 1, sizeof(*usage->of)),
					 .unread_object = CT_NONE,
					 .object = engine->first_object};
	usage->shape = calloc(engine->objects + 1, sizeof(*usage->shape));
	return usage->of && usage->shape ? 0 : -ENOMEM;
}

void ct_value_usage_fini(struct ct_value_usage *usage)
{
	free(usage->of);
	free(usage->shape);
}

static uint32_t object_of(const struct ct_sum *sum)
{
	return (uint32_t)sum->key[0];
}

static void end_unread(struct ct_value_usage *usage)
{
	uint32_t object = usage->unread_object;

	if (object != CT_NONE)
		usage->of[object].unread =
		    ct_unread_find(&usage->unread, usage->object[object].event->bytes);
	usage->unread_object = CT_NONE;
	usage->unread = (struct ct_unread){.bytes = 0};
}

void ct_value_usage_add(struct ct_value_usage *usage, const struct ct_sum *sum)
{
	struct ct_values_usage *of = &usage->of[object_of(sum)];
	struct ct_values_shape *shape = &usage->shape[object_of(sum)];

	switch (CT_VALUE_FACT_OF(sum->key[0])) {
	case CT_VALUE_FACT_WROTE:
		of->written += sum->value[0];
		of->dead += sum->value[1];
		of->writes += sum->value[0] != 0;
		of->dead_writes += sum->value[0] && sum->value[0] == sum->value[1];
		break;
	case CT_VALUE_FACT_UNREAD:
		if (usage->unread_object != object_of(sum))
			end_unread(usage);
		usage->unread_object = object_of(sum);
		ct_unread_add(&usage->unread, sum->key[1], sum->value[0], sum->value[1]);
		break;
	case CT_VALUE_FACT_SLICE:
		of->launches++;
		of->shared += sum->value[1];
		of->slice = sum->value[0] > of->slice ? sum->value[0] : of->slice;
		break;
	case CT_VALUE_FACT_HITS:
		shape->elements[sum->key[1]] = sum->value[0];
		shape->hits[sum->key[1]] = sum->value[1];
		break;
	case CT_VALUE_FACT_SQUARES:
		shape->squares[sum->key[1] & 3u] +=
		    sum->key[1] & CT_VALUE_SQUARE_HIGH
			? ldexp((double)sum->value[0], CT_VALUE_SQUARE_BITS)
			: (double)sum->value[0];
		of->used += sum->value[1];
		break;
	case CT_VALUE_FACT_PAGES:
		usage->pages = usage->pages ? usage->pages : sum;
		usage->page_count++;
		break;
	default:
		usage->gaps = usage->gaps ? usage->gaps : sum;
		usage->gap_count++;
	}
}

int ct_value_dead_add(struct ct_values_figures *figures, const struct ct_value_engine *engine,
		      const struct ct_sum *sum)
{
	if (!sum->value[1])
		return 0;
	if (ct_array_grow(&figures->apart.dead, figures->apart.deads, sizeof(*figures->dead)) < 0)
		return -ENOMEM;
	figures->apart.dead[figures->apart.deads++] = (struct ct_values_dead){
	    .group = engine->object[object_of(sum)].group,
	    .node = engine->node[(uint32_t)sum->key[1]],
	    .bytes = sum->value[1],
	    .times = sum->value[0] == sum->value[1],
	};
	return 0;
}

static int compare_dead(const void *a, const void *b)
{
	const struct ct_values_dead *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

void ct_value_dead_finish(struct ct_values_figures *figures)
{
	size_t kept = 0;

	if (figures->deads)
		qsort(figures->dead, figures->deads, sizeof(*figures->dead), compare_dead);
	for (size_t i = 0; i < figures->deads; i++) {
		const struct ct_values_dead *from = &figures->dead[i];
		struct ct_values_dead *last = kept ? &figures->dead[kept - 1] : NULL;

		if (last && !compare_dead(last, from)) {
			last->bytes += from->bytes;
			last->times += from->times;
		} else {
			figures->dead[kept++] = *from;
		}
	}
	figures->deads = kept;
}

/* Walks an object, from its beginning on. */
struct walk {
	uint64_t first, end; /* addresses */
	uint64_t next;       /* what is looked at begins here */
	uint64_t open;       /* bytes before it that are not used */
	uint64_t most;
};

/* A page that is used, with its gaps. */
static void take_page(struct walk *walk, uint64_t page, uint64_t gaps)
{
	uint64_t base = page << CT_VALUE_PAGE_BITS, end = base + CT_VALUE_PAGE_BYTES;
	uint64_t begin = base > walk->first ? base : walk->first;
	uint64_t before = walk->open + (begin - walk->next) + (gaps & 0xffff);

	walk->most = before > walk->most ? before : walk->most;
	walk->most = gaps >> 32 > walk->most ? gaps >> 32 : walk->most;
	walk->open = gaps >> 16 & 0xffff;
	walk->next = end < walk->end ? end : walk->end;
}

/* The next page that the object uses as a whole, of the words from *sum on; UINT64_MAX. */
static uint64_t whole_page(const struct ct_sum *sum, uint64_t bits)
{
	return bits ? sum->key[1] * 64 + (uint64_t)__builtin_ctzll(bits) : UINT64_MAX;
}

/* Both lists are taken as far as they are the object's. */
static uint64_t largest_gap(struct ct_value_usage *usage, uint32_t object,
			    const struct ct_event_alloc *alloc)
{
	struct walk walk = {alloc->address, alloc->address + alloc->bytes, alloc->address, 0, 0};
	uint64_t bits = 0, left;

	for (;;) {
		bool has_gaps = usage->gap_count && object_of(usage->gaps) == object;
		uint64_t whole, part = has_gaps ? usage->gaps->key[1] : UINT64_MAX;

		if (!bits && usage->page_count && object_of(usage->pages) == object)
			bits = usage->pages->value[0];
		whole = bits ? whole_page(usage->pages, bits) : UINT64_MAX;
		if (whole == UINT64_MAX && part == UINT64_MAX)
			break;
		if (part < whole) {
			take_page(&walk, part, usage->gaps->value[0]);
			usage->gaps++;
			usage->gap_count--;
			continue;
		}
		take_page(&walk, whole, 0);
		bits &= bits - 1;
		usage->pages += !bits;
		usage->page_count -= !bits;
	}
	left = walk.open + (walk.end - walk.next);
	return left > walk.most ? left : walk.most;
}

/* Takes elements as most of the object's accesses have. */
static void find_evenness(struct ct_values_usage *of, const struct ct_values_shape *shape,
			  unsigned log2)
{
	double n = (double)shape->elements[log2], mean, square;

	if (!shape->elements[log2])
		return;
	mean = (double)shape->hits[log2] / n;
	square = shape->squares[log2] / n - mean * mean;
	of->element_bytes = 1u << log2;
	of->mean = mean;
	of->deviation = mean > 0 ? sqrt(square > 0 ? square : 0) / mean : 0;
}

/* By group: the size of most elements. */
static unsigned char *find_sizes(const struct ct_values_figures *figures)
{
	uint64_t(*elements)[4] = calloc(figures->groups + 1, sizeof(*elements));
	unsigned char *size = malloc(figures->groups + 1);

	for (size_t i = 0; i < figures->sets && elements && size; i++)
		elements[figures->set[i].group][figures->set[i].type & 3u] +=
		    figures->set[i].elements;
	for (size_t g = 0; g < figures->groups && elements && size; g++) {
		size[g] = 2;
		for (unsigned char log2 = 0; log2 < 4; log2++)
			if (elements[g][log2] > elements[g][size[g]])
				size[g] = log2;
	}
	free(elements);
	return size;
}

int ct_value_usage_finish(struct ct_value_usage *usage, struct ct_values_figures *figures,
			  const struct ct_value_engine *engine)
{
	unsigned char *size = find_sizes(figures);

	end_unread(usage);
	for (uint32_t i = 0; i < figures->lives && size; i++) {
		struct ct_values_lifetime *life = &figures->life[i];
		const struct ct_event_alloc *alloc = engine->first_object[i].event;
		uint64_t gap = largest_gap(usage, i, alloc), unused;

		life->usage = usage->of[i];
		unused = alloc->bytes - life->usage.used;
		life->usage.fragmentation =
		    life->usage.used && unused ? 1 - (double)gap / (double)unused : 0;
		find_evenness(&life->usage, &usage->shape[i], size[life->group]);
	}
	if (!size)
		return -ENOMEM;
	free(size);
	return 0;
}
