/* SPDX-License-Identifier: Apache-2.0 */
/* Who wrote each byte of a small range of memory, as its operations pass by in order. */
#include "postproc/analysis/comm/history/bytes.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Writers of a byte that are remembered where supersteps are not ordered. */
#define DEPTH 32u

struct writer {
	uint32_t superstep; /* CT_NO_SUPERSTEP: none */
	uint32_t cta;       /* the smallest id */
	uint32_t ctas;
};

/* The writes of the superstep at hand; readers of it do not see them. */
struct pending {
	struct writer writer;
	uint32_t last_cta, last_warp;
	uint64_t first_access; /* of that warp */
};

struct ct_history_bytes {
	const struct ct_order *order;
	const struct ct_superstep *superstep;
	uint64_t first;
	size_t count;
	uint32_t depth; /* 1 if all supersteps are ordered */
	uint32_t part;  /* of the operations at hand */
	struct pending *pending;
	struct writer *writer; /* of byte i from i * depth on, the newest first */
};

struct origin {
	enum ct_origin kind;
	struct writer from;
};

static bool are_ordered(const struct ct_order *order, size_t supersteps)
{
	for (size_t s = 0; s + 1 < supersteps; s++)
		if (!ct_order_before(order, (uint32_t)s, (uint32_t)(s + 1)))
			return false;
	return true;
}

static void forget(struct ct_history_bytes *bytes)
{
	for (size_t i = 0; i < bytes->count; i++)
		bytes->pending[i].writer.superstep = CT_NO_SUPERSTEP;
	for (size_t i = 0; i < bytes->count * bytes->depth; i++)
		bytes->writer[i].superstep = CT_NO_SUPERSTEP;
}

int ct_history_bytes_open(struct ct_history_bytes **out, const struct ct_order *order,
			  uint64_t first, uint64_t last)
{
	struct ct_history_bytes *bytes = calloc(1, sizeof(*bytes));
	size_t supersteps;

	*out = bytes;
	if (!bytes)
		return -ENOMEM;
	supersteps = ct_order_supersteps(order, &bytes->superstep);
	bytes->order = order;
	bytes->first = first;
	bytes->count = (size_t)(last - first + 1);
	bytes->depth = are_ordered(order, supersteps) ? 1 : DEPTH;
	bytes->pending = malloc(bytes->count * sizeof(*bytes->pending));
	bytes->writer = malloc(bytes->count * bytes->depth * sizeof(*bytes->writer));
	if (!bytes->pending || !bytes->writer) {
		ct_history_bytes_close(bytes);
		*out = NULL;
		return -ENOMEM;
	}
	forget(bytes);
	return 0;
}

void ct_history_bytes_close(struct ct_history_bytes *bytes)
{
	if (!bytes)
		return;
	free(bytes->pending);
	free(bytes->writer);
	free(bytes);
}

/* Ends what was pending when another superstep comes. */
static void conclude(struct ct_history_bytes *bytes, size_t at, uint32_t superstep)
{
	struct pending *pending = &bytes->pending[at];
	struct writer *writer = &bytes->writer[at * bytes->depth];

	if (pending->writer.superstep == CT_NO_SUPERSTEP || pending->writer.superstep == superstep)
		return;
	memmove(writer + 1, writer, (bytes->depth - 1) * sizeof(*writer));
	writer[0] = pending->writer;
	pending->writer.superstep = CT_NO_SUPERSTEP;
}

/* Did a newer writer that the reader sees overwrite writer[i]? */
static bool is_overwritten(const struct ct_history_bytes *bytes, const struct writer *writer,
			   uint32_t i, uint32_t superstep)
{
	for (uint32_t newer = 0; newer < i; newer++)
		if (ct_order_before(bytes->order, writer[newer].superstep, superstep) &&
		    ct_order_before(bytes->order, writer[i].superstep, writer[newer].superstep))
			return true;
	return false;
}

static struct origin origin_of(const struct ct_history_bytes *bytes, size_t at,
			       const struct ct_history_entry *operation)
{
	const struct writer *writer = &bytes->writer[at * bytes->depth];
	const struct pending *pending = &bytes->pending[at];
	struct origin unordered = {.from = {.superstep = CT_NO_SUPERSTEP}};

	if (pending->writer.superstep != CT_NO_SUPERSTEP && operation->unit &&
	    pending->last_cta == operation->cta && pending->last_warp == operation->warp &&
	    pending->first_access < operation->access)
		return (struct origin){CT_ORIGIN_OWN, {.superstep = CT_NO_SUPERSTEP}};
	for (uint32_t i = 0; i < bytes->depth && writer[i].superstep != CT_NO_SUPERSTEP; i++) {
		bool is_launch = bytes->superstep[writer[i].superstep].launch != NULL;

		if (!ct_order_before(bytes->order, writer[i].superstep, operation->superstep)) {
			if (unordered.kind == CT_ORIGIN_NONE)
				unordered = (struct origin){CT_ORIGIN_UNORDERED, writer[i]};
			continue;
		}
		if (!is_overwritten(bytes, writer, i, operation->superstep))
			return (struct origin){is_launch ? CT_ORIGIN_CTA : CT_ORIGIN_HOST,
					       writer[i]};
	}
	return unordered;
}

static void take_read(struct ct_history_bytes *bytes, struct ct_history_entry *operation)
{
	size_t at = (size_t)(operation->address - bytes->first);
	struct origin first = origin_of(bytes, at, operation);

	operation->origin = first.kind;
	operation->source_superstep = first.from.superstep;
	operation->source_cta = first.from.cta;
	operation->sources = first.from.ctas;
	for (size_t i = 1; i < operation->bytes; i++) {
		struct origin other = origin_of(bytes, at + i, operation);

		if (other.kind != first.kind || other.from.superstep != first.from.superstep ||
		    other.from.cta != first.from.cta || other.from.ctas != first.from.ctas)
			operation->origin = CT_ORIGIN_MIXED;
	}
}

static void take_write(struct ct_history_bytes *bytes, const struct ct_history_entry *operation)
{
	size_t at = (size_t)(operation->address - bytes->first);
	uint32_t cta = (uint32_t)operation->cta;

	for (size_t i = 0; i < operation->bytes; i++) {
		struct pending *pending = &bytes->pending[at + i];
		bool is_new = pending->writer.superstep == CT_NO_SUPERSTEP;

		if (is_new)
			pending->writer = (struct writer){operation->superstep, cta, 1};
		else
			pending->writer.ctas += pending->last_cta != cta;
		if (is_new || pending->last_cta != cta || pending->last_warp != operation->warp)
			pending->first_access = operation->access;
		pending->last_cta = cta;
		pending->last_warp = operation->warp;
	}
}

void ct_history_bytes_take(struct ct_history_bytes *bytes, struct ct_history_entry *operation)
{
	size_t at = (size_t)(operation->address - bytes->first);

	/* Processes share no memory. */
	if (bytes->part != bytes->superstep[operation->superstep].part)
		forget(bytes);
	bytes->part = bytes->superstep[operation->superstep].part;
	for (size_t i = 0; i < operation->bytes; i++)
		conclude(bytes, at + i, operation->superstep);
	operation->origin = CT_ORIGIN_NONE;
	operation->source_superstep = CT_NO_SUPERSTEP;
	if (operation->reads)
		take_read(bytes, operation);
	if (operation->writes)
		take_write(bytes, operation);
}
