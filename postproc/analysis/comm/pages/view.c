/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which versions a read sees: those of supersteps before it that no other one of
 * them has overwritten. It is the same for all reads of a superstep.
 */
#include "postproc/analysis/comm/pages/page.h"

#define BY_OTHER (CT_READ_SINCE | CT_READ_BY_OTHER)
#define BY_CTA (BY_OTHER | CT_READ_BY_CTA)

static bool is_before(const struct ct_pages *pages, uint32_t s, uint32_t t)
{
	return pages->is_total || ct_order_before(pages->engine->order, s, t);
}

static void show(struct ct_pages *pages, uint32_t version)
{
	if (ct_page_room(pages, &pages->visible, &pages->visible_room, pages->visibles + 1,
			 sizeof(*pages->visible)))
		pages->visible[pages->visibles++] = version;
}

/* Was one of its writers let pass? They differ where CTAs or sites are chosen, and where an
 * access reaches over from another object. */
static bool passes(struct ct_pages *pages, const struct ct_version *version)
{
	return version->last.site != CT_NO_SITE ||
	       (version->count > 1 && ct_writers_list(pages, version->writers)->ctas);
}

/* A version that is seen. */
static uint32_t look(struct ct_pages *pages, uint32_t version)
{
	const struct ct_version *of = &pages->version[version];

	if (!ct_page_is_launch(pages, of->superstep))
		return CT_SOURCE_HOST;
	if (!passes(pages, of))
		return 0;
	show(pages, version);
	return CT_SOURCE_LAUNCH;
}

/* Has one of them overwritten what the superstep left? */
static bool is_overwritten(const struct ct_pages *pages, uint32_t superstep, const uint32_t *seen,
			   uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (is_before(pages, superstep, seen[i]))
			return true;
	return false;
}

static uint32_t look_at_all(struct ct_pages *pages, uint32_t version)
{
	uint32_t seen[CT_HISTORY], count = 0, sources = 0;

	for (uint32_t at = version; at; at = pages->version[at].older) {
		uint32_t superstep = pages->version[at].superstep;

		if (!is_before(pages, superstep, pages->superstep)) {
			sources |= CT_SOURCE_UNORDERED;
		} else if (count < CT_HISTORY && !is_overwritten(pages, superstep, seen, count)) {
			seen[count++] = superstep;
			sources |= look(pages, at);
		}
	}
	return sources;
}

struct ct_reading *ct_page_make_reading(struct ct_pages *pages, uint32_t version)
{
	struct ct_version *of = &pages->version[version];
	struct ct_view view;

	if (!ct_page_room(pages, &pages->reading, &pages->reading_room, pages->readings + 1,
			  sizeof(*pages->reading)))
		return pages->reading;
	of->reading_mark = pages->superstep_mark;
	of->reading = (uint32_t)pages->readings++;
	view.first = (uint32_t)pages->visibles;
	view.sources = pages->is_total ? look(pages, version) : look_at_all(pages, version);
	view.count = (uint32_t)pages->visibles - view.first;
	pages->reading[of->reading] = (struct ct_reading){.view = view};
	return &pages->reading[of->reading];
}

/* Returns the flags that a version is to be marked with when the CTA at hand has read it. */
static uint32_t flags_for(const struct ct_pages *pages, const struct ct_version *version)
{
	const struct ct_step *step = pages->engine->step;

	if (version->count > 1 || version->last.cta != pages->cta)
		return BY_CTA;
	return step[version->superstep].kernel != step[pages->superstep].kernel ? BY_OTHER
										: CT_READ_SINCE;
}

/* The list from version on, with flags at those that the view shows. */
static uint32_t flag_list(struct ct_pages *pages, uint32_t version, const struct ct_view *view)
{
	const uint32_t *visible = pages->visible + view->first;
	uint32_t list[CT_HISTORY + 1], count = 0, shown = view->count, at = version;

	/* Down to the last one that is shown; those behind it stay as they are. */
	for (uint32_t next = 0; next < shown; at = pages->version[at].older) {
		list[count++] = at;
		next += at == visible[next];
	}
	while (count-- > 0) {
		const struct ct_version *of = &pages->version[list[count]];
		uint32_t flags = of->flags;

		if (shown && list[count] == visible[shown - 1]) {
			flags |= flags_for(pages, of);
			shown--;
		}
		if (flags != of->flags || at != of->older)
			at = ct_version_change(pages, list[count], flags, at);
		else
			at = list[count];
	}
	return at;
}

/* Ranks flags that a version gets at once. */
static uint32_t rank_of(uint32_t flags)
{
	return flags == BY_CTA ? 2 : flags == BY_OTHER;
}

/* Where supersteps are not ordered. */
static uint32_t flag_version(struct ct_pages *pages, uint32_t version, const struct ct_view *view)
{
	uint32_t all = BY_CTA, any = 0, flagged, i;

	for (i = 0; i < view->count; i++) {
		uint32_t flags = flags_for(pages, &pages->version[pages->visible[view->first + i]]);

		all &= flags;
		any |= flags;
	}
	flagged = all == any ? ct_page_reading(pages, version)->flagged[rank_of(all)] : 0;
	if (flagged)
		return flagged;
	flagged = flag_list(pages, version, view);
	if (all == any)
		ct_page_reading(pages, version)->flagged[rank_of(all)] = flagged;
	return flagged;
}

uint32_t ct_page_flag(struct ct_pages *pages, uint32_t reference, const struct ct_view *view)
{
	uint32_t version = CT_VERSION_OF(reference);

	if (!pages->is_total)
		return flag_version(pages, version, view);
	return CT_VERSION_AND(version,
			      CT_FLAGS_OF(reference) | flags_for(pages, &pages->version[version]));
}
