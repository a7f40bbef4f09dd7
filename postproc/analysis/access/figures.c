/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over requests. */
#include "postproc/analysis/access/figures.h"

/* others: how many requests the span is of already. */
static void widen(struct ct_access_span *span, uint64_t others, int64_t least, int64_t most)
{
	if (!others || least < span->least)
		span->least = least;
	if (!others || most > span->most)
		span->most = most;
}

static uint32_t spread_of(uint64_t sectors)
{
	uint32_t bin = 0;

	while (bin < CT_ACCESS_SPREADS - 1 && sectors > (uint64_t)1 << bin)
		bin++;
	return bin;
}

static struct ct_access_span *span_of(struct ct_access_figures *figures,
				      enum ct_access_pattern pattern)
{
	switch (pattern) {
	case CT_ACCESS_MISALIGNED:
		return &figures->misaligned;
	case CT_ACCESS_STRIDED:
		return &figures->stride;
	case CT_ACCESS_ROWS:
		return &figures->row;
	default:
		return NULL;
	}
}

void ct_access_figures_count(struct ct_access_figures *figures,
			     const struct ct_access_request *request, bool is_global)
{
	struct ct_access_span *span = span_of(figures, request->pattern);

	if (span)
		widen(span, figures->pattern[request->pattern], request->figure, request->figure);
	figures->requests++;
	figures->lanes += request->lanes;
	figures->asked += request->asked;
	figures->used += request->used;
	figures->pattern[request->pattern]++;
	if (!is_global)
		return;
	figures->sectors += request->sectors;
	figures->ideal += request->ideal;
	figures->spread[spread_of(request->sectors)]++;
}

void ct_access_figures_place(struct ct_access_figures *figures, uint64_t offset, int64_t stride)
{
	uint64_t size = stride < 0 ? (uint64_t)-stride : (uint64_t)stride;
	int64_t member = (int64_t)(offset % size);

	widen(&figures->member, figures->members++, member, member);
}

static void add_spans(struct ct_access_figures *to, const struct ct_access_figures *from)
{
	static const enum ct_access_pattern with_span[] = {CT_ACCESS_MISALIGNED, CT_ACCESS_STRIDED,
							   CT_ACCESS_ROWS};
	struct ct_access_figures other = *from;

	for (unsigned i = 0; i < sizeof(with_span) / sizeof(*with_span); i++) {
		enum ct_access_pattern pattern = with_span[i];
		const struct ct_access_span *span = span_of(&other, pattern);

		if (from->pattern[pattern])
			widen(span_of(to, pattern), to->pattern[pattern], span->least, span->most);
	}
	if (from->members)
		widen(&to->member, to->members, from->member.least, from->member.most);
}

void ct_access_figures_add(struct ct_access_figures *to, const struct ct_access_figures *from)
{
	add_spans(to, from);
	to->requests += from->requests;
	to->lanes += from->lanes;
	to->asked += from->asked;
	to->used += from->used;
	to->sectors += from->sectors;
	to->ideal += from->ideal;
	for (unsigned i = 0; i < CT_ACCESS_PATTERNS; i++)
		to->pattern[i] += from->pattern[i];
	for (unsigned i = 0; i < CT_ACCESS_SPREADS; i++)
		to->spread[i] += from->spread[i];
	to->members += from->members;
	to->contended += from->contended;
	if (from->most_contended > to->most_contended)
		to->most_contended = from->most_contended;
	to->banked += from->banked;
	to->ways += from->ways;
	to->wavefronts += from->wavefronts;
	to->ideal_wavefronts += from->ideal_wavefronts;
}
