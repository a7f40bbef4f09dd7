/* SPDX-License-Identifier: Apache-2.0 */
/* Puts what a time line does not show one by one into bins: how much of it lies in each bin of
 * time. */
#include "postproc/analysis/calls/tracks/make.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BINS_MAX 4096u /* of a row: a power of two */
#define BINS_MIN 64u

struct filling {
	struct ct_tracks_making *making;
	size_t bins; /* of a row */
	struct ct_tracks_bin *bin;
	uint32_t row; /* of the call that waits */
};

/* Nanoseconds of a span in each bin that it is in. */
static void fill(const struct filling *filling, uint32_t row, enum ct_tracks_shade shade,
		 uint64_t begin_ns, uint64_t end_ns, int sign)
{
	const struct ct_tracks *tracks = filling->making->tracks;
	uint64_t from = begin_ns - tracks->begin_ns, to = end_ns - tracks->begin_ns;

	for (uint64_t b = from / tracks->bin_ns; b < filling->bins && from < to; b++) {
		uint64_t end = (b + 1) * tracks->bin_ns < to ? (b + 1) * tracks->bin_ns : to;
		uint64_t *ns = &filling->bin[row * filling->bins + b].ns[shade];

		*ns = sign > 0 ? *ns + (end - from) : *ns - (end - from);
		from = end;
	}
}

static enum ct_tracks_shade shade_of(const struct ct_tracks_span *span)
{
	if (span->call && ct_tracks_is_range(span->call))
		return CT_SHADE_RANGES;
	if (span->call)
		return span->call->flags & CT_SPAN_INNER ? CT_SHADE_INNER : CT_SHADE_CALLS;
	if (span->activity->kind != CT_ACTIVITY_KERNEL)
		return CT_SHADE_COPIES;
	return span->activity->flags & CT_ACTIVITY_TRACED ? CT_SHADE_TRACED : CT_SHADE_KERNELS;
}

static int fill_wait(void *user, const struct ct_waited *waited)
{
	const struct filling *filling = user;

	fill(filling, filling->row, CT_SHADE_WAITING, waited->from_ns, waited->until_ns, 1);
	fill(filling, filling->row, CT_SHADE_CALLS, waited->from_ns, waited->until_ns, -1);
	return 0;
}

static int add(struct filling *filling, const struct ct_tracks_part *part, size_t i)
{
	const struct ct_tracks *tracks = filling->making->tracks;
	struct ct_tracks_span span = ct_tracks_span_at(part, i);
	uint64_t begin_ns = ct_tracks_begin(&span), ns = ct_tracks_duration(&span);
	uint64_t at = (begin_ns - tracks->begin_ns) / tracks->bin_ns;
	struct ct_tracks_bin *bin =
	    &filling->bin[span.row * filling->bins + (at < filling->bins ? at : filling->bins - 1)];
	int err = 0;

	bin->count++;
	if ((!bin->longest.call && !bin->longest.activity) ||
	    ns > ct_tracks_duration(&bin->longest))
		bin->longest = span;
	fill(filling, span.row, shade_of(&span), begin_ns, begin_ns + ns, 1);
	filling->row = span.row;
	if (span.call)
		ct_tracks_waited(part, span.call, fill_wait, filling, &err);
	return err;
}

static bool is_empty(const struct ct_tracks_bin *bin)
{
	for (unsigned shade = 0; shade < CT_SHADES; shade++)
		if (bin->ns[shade])
			return false;
	return bin->count == 0;
}

/* Only those that hold anything. */
static void squeeze(struct filling *filling)
{
	struct ct_tracks *tracks = filling->making->tracks;

	for (size_t i = 0; i < tracks->rows * filling->bins; i++) {
		if (is_empty(&filling->bin[i]))
			continue;
		tracks->bin[tracks->bins] = filling->bin[i];
		tracks->bin[tracks->bins].row = (uint32_t)(i / filling->bins);
		tracks->bin[tracks->bins].bin = (uint32_t)(i % filling->bins);
		tracks->bins++;
	}
}

int ct_tracks_make_bins(struct ct_tracks_making *making)
{
	struct ct_tracks *tracks = making->tracks;
	struct filling filling = {.making = making, .bins = BINS_MAX};
	int err = 0;

	if (tracks->spans == tracks->all_spans)
		return 0;
	while (filling.bins > BINS_MIN && filling.bins * tracks->rows > making->options->bins)
		filling.bins /= 2;
	tracks->bin_ns = (tracks->end_ns - tracks->begin_ns) / filling.bins + 1;
	tracks->bin = calloc(filling.bins * tracks->rows + 1, sizeof(*tracks->bin));
	if (!tracks->bin)
		return -ENOMEM;
	filling.bin = tracks->bin;
	for (size_t p = 0; p < making->parts && err == 0; p++) {
		const struct ct_tracks_part *part = &making->part[p];

		for (size_t i = 0; i < ct_tracks_part_spans(part) && err == 0; i++)
			if (part->mark[i].row != CT_NO_ROW && !part->mark[i].is_shown)
				err = add(&filling, part, i);
	}
	squeeze(&filling);
	return err;
}
