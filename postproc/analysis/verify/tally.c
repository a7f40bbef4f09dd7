/* SPDX-License-Identifier: Apache-2.0 */
/* Count, sum and sum of squares of addresses per launch and site. */
#include "postproc/analysis/verify/tally.h"
#include "postproc/analysis/verify/tally_order.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Tallies what one launch did at the sites of one unit. */
struct unit_figures {
	struct unit_figures *next;
	const struct ct_unit *unit;
	struct ct_tally_figures site[];
};

struct ct_tally {
	const struct ct_launch_info *launches;
	size_t launch_count;
	const struct ct_unit *units;
	size_t unit_count;
	uint8_t *by;                   /* per launch */
	struct unit_figures **figures; /* per launch */
	struct ct_tally_launch *launch;
	uint64_t **line_hash; /* per unit, by site; made when needed */
	struct ct_tally_order order;
};

int ct_tally_open(struct ct_tally **out, const struct ct_trace *trace, const uint8_t *by)
{
	struct ct_tally *tally = calloc(1, sizeof(*tally));

	*out = NULL;
	if (!tally)
		return -ENOMEM;
	tally->launch_count = ct_trace_launches(trace, &tally->launches);
	tally->unit_count = ct_trace_units(trace, &tally->units);
	tally->by = calloc(tally->launch_count + 1, 1);
	tally->figures = calloc(tally->launch_count + 1, sizeof(struct unit_figures *));
	tally->launch = calloc(tally->launch_count + 1, sizeof(*tally->launch));
	tally->line_hash = calloc(tally->unit_count + 1, sizeof(uint64_t *));
	if (!tally->by || !tally->figures || !tally->launch || !tally->line_hash) {
		ct_tally_close(tally);
		return -ENOMEM;
	}
	if (by)
		memcpy(tally->by, by, tally->launch_count);
	ct_tally_order_init(&tally->order);
	*out = tally;
	return 0;
}

void ct_tally_close(struct ct_tally *tally)
{
	if (!tally)
		return;
	for (size_t i = 0; tally->figures && i < tally->launch_count; i++)
		while (tally->figures[i]) {
			struct unit_figures *next = tally->figures[i]->next;

			free(tally->figures[i]);
			tally->figures[i] = next;
		}
	for (size_t i = 0; tally->line_hash && i < tally->unit_count; i++)
		free(tally->line_hash[i]);
	ct_tally_order_fini(&tally->order);
	free(tally->by);
	free(tally->figures);
	free(tally->launch);
	free(tally->line_hash);
	free(tally);
}

uint32_t ct_tally_line_of(const struct ct_unit *unit, uint32_t site)
{
	uint32_t line = unit->sites[site].line, left = unit->header->frame_count;

	for (uint32_t at = unit->sites[site].inlined_at; at != CT_NONE && left; left--) {
		line = unit->frames[at].line;
		at = unit->frames[at].inlined_at;
	}
	return line;
}

static uint64_t *make_line_hashes(const struct ct_unit *unit)
{
	uint64_t *hashes = malloc(((size_t)unit->header->site_count + 1) * sizeof(*hashes));

	for (uint32_t site = 0; hashes && site < unit->header->site_count; site++)
		hashes[site] = ct_tally_hash(ct_tally_line_of(unit, site));
	return hashes;
}

static uint64_t *line_hashes(struct ct_tally *tally, const struct ct_unit *unit)
{
	uint64_t **hashes = &tally->line_hash[unit - tally->units];

	if (!*hashes)
		*hashes = make_line_hashes(unit);
	return *hashes;
}

/* Returns the figures of a launch at the sites of unit; NULL out of memory. The last one asked
 * for comes first. */
static struct unit_figures *figures_of(struct ct_tally *tally, size_t launch,
				       const struct ct_unit *unit)
{
	struct unit_figures **first = &tally->figures[launch], **at = first, *found;

	while (*at && (*at)->unit != unit)
		at = &(*at)->next;
	found = *at;
	if (found) {
		*at = found->next;
	} else {
		found =
		    calloc(1, sizeof(*found) + unit->header->site_count * sizeof(found->site[0]));
		if (!found)
			return NULL;
		found->unit = unit;
	}
	found->next = *first;
	*first = found;
	return found;
}

static void add_addresses(struct ct_tally_figures *figures, const struct ct_access *access)
{
	uint64_t base = access->address[0], stride = (uint64_t)access->stride;

	if (access->mask == CT_FULL_MASK && access->is_linear) {
		figures->count += 32;
		figures->sum += 32 * base + 496 * stride;
		figures->squares +=
		    32 * base * base + 2 * 496 * base * stride + 10416 * stride * stride;
		return;
	}
	for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
		uint64_t address = access->address[__builtin_ctz(rest)];

		figures->count++;
		figures->sum += address;
		figures->squares += address * address;
	}
}

int ct_tally_add(struct ct_tally *tally, const struct ct_access *access)
{
	size_t launch = (size_t)(access->launch - tally->launches);
	struct unit_figures *figures = figures_of(tally, launch, access->unit);
	const uint64_t *hashes = line_hashes(tally, access->unit);

	if (!figures || !hashes)
		return -ENOMEM;
	add_addresses(&figures->site[access->site], access);
	return ct_tally_order_add(&tally->order, (uint32_t)launch, tally->by[launch], access,
				  hashes[access->site]);
}

int ct_tally_add_event(struct ct_tally *tally, const struct ct_event *event)
{
	size_t launch = (size_t)(event->at->launch - tally->launches);

	return ct_tally_order_note(&tally->order, (uint32_t)launch, tally->by[launch], event->at);
}

static void add_figures(struct ct_tally_figures *to, const struct ct_tally_figures *from)
{
	to->count += from->count;
	to->sum += from->sum;
	to->squares += from->squares;
}

static int join_launch(struct ct_tally *into, const struct ct_tally *from, size_t launch)
{
	const struct unit_figures *other;

	for (other = from->figures[launch]; other; other = other->next) {
		const struct ct_unit *unit = &into->units[other->unit - from->units];
		struct unit_figures *figures = figures_of(into, launch, unit);

		if (!figures)
			return -ENOMEM;
		for (uint32_t site = 0; site < unit->header->site_count; site++)
			add_figures(&figures->site[site], &other->site[site]);
	}
	return 0;
}

int ct_tally_join(struct ct_tally *into, struct ct_tally *from)
{
	int err = 0;

	for (size_t launch = 0; launch < from->launch_count && err == 0; launch++)
		err = join_launch(into, from, launch);
	return err == 0 ? ct_tally_order_join(&into->order, &from->order) : err;
}

/* A site's in bytes; one without accesses ends them, and the order is behind it. */
struct packed {
	uint64_t launch, unit, site;
	struct ct_tally_figures figures;
};

static int pack_launch(const struct ct_tally *tally, size_t launch, struct ct_buffer *bytes)
{
	const struct unit_figures *of;

	for (of = tally->figures[launch]; of; of = of->next)
		for (uint32_t site = 0; site < of->unit->header->site_count; site++) {
			const struct packed packed = {launch, (uint64_t)(of->unit - tally->units),
						      site, of->site[site]};

			if (packed.figures.count &&
			    !ct_buffer_append(bytes, &packed, sizeof(packed)))
				return -ENOMEM;
		}
	return 0;
}

int ct_tally_pack(const struct ct_tally *tally, struct ct_buffer *bytes)
{
	const struct packed end = {.launch = 0};
	int err = 0;

	for (size_t i = 0; i < tally->launch_count && err == 0; i++)
		err = pack_launch(tally, i, bytes);
	if (err == 0 && !ct_buffer_append(bytes, &end, sizeof(end)))
		err = -ENOMEM;
	return err == 0 ? ct_tally_order_pack(&tally->order, bytes) : err;
}

static int unpack_site(struct ct_tally *into, const struct packed *packed)
{
	struct unit_figures *figures;

	if (packed->launch >= into->launch_count || packed->unit >= into->unit_count ||
	    packed->site >= into->units[packed->unit].header->site_count)
		return -EPROTO;
	figures = figures_of(into, packed->launch, &into->units[packed->unit]);
	if (!figures)
		return -ENOMEM;
	add_figures(&figures->site[packed->site], &packed->figures);
	return 0;
}

int ct_tally_unpack(struct ct_tally *into, const void *bytes, size_t count)
{
	const char *at = bytes, *end = at + count;
	struct packed packed;
	int err = 0;

	while (err == 0) {
		if ((size_t)(end - at) < sizeof(packed))
			return -EPROTO;
		memcpy(&packed, at, sizeof(packed));
		at += sizeof(packed);
		if (!packed.figures.count)
			return ct_tally_order_unpack(&into->order, at, (size_t)(end - at));
		err = unpack_site(into, &packed);
	}
	return err;
}

void ct_tally_finish(struct ct_tally *tally)
{
	ct_tally_order_finish(&tally->order, tally->launch);
}

const struct ct_tally_launch *ct_tally_launch(const struct ct_tally *tally, size_t launch)
{
	return &tally->launch[launch];
}

static void add_line(struct ct_tally_line *lines, size_t *count, uint32_t line, uint32_t operation,
		     const struct ct_tally_figures *figures)
{
	size_t i = 0;

	while (i < *count && (lines[i].line != line || lines[i].operation != operation))
		i++;
	if (i == *count)
		lines[(*count)++] = (struct ct_tally_line){.line = line, .operation = operation};
	add_figures(&lines[i].figures, figures);
}

int ct_tally_lines(const struct ct_tally *tally, size_t launch, struct ct_tally_line **lines,
		   size_t *count)
{
	const struct unit_figures *figures;
	size_t most = 1;

	for (figures = tally->figures[launch]; figures; figures = figures->next)
		most += figures->unit->header->site_count;
	*count = 0;
	*lines = malloc(most * sizeof(**lines));
	if (!*lines)
		return -ENOMEM;
	for (figures = tally->figures[launch]; figures; figures = figures->next)
		for (uint32_t site = 0; site < figures->unit->header->site_count; site++)
			if (figures->site[site].count)
				add_line(*lines, count, ct_tally_line_of(figures->unit, site),
					 figures->unit->sites[site].operation,
					 &figures->site[site]);
	return 0;
}
