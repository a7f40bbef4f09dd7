/* SPDX-License-Identifier: Apache-2.0 */
/* Reads of a page: whom the data is from. */
#include "postproc/analysis/comm/pages/page.h"

#define AHEAD 8u /* granules whose versions are fetched early */

/* A run of granules with the same versions, read by one touch. */
struct run {
	const struct ct_touch *touch;
	uint32_t first, end; /* granules */
	uint32_t reference;  /* of the version */
	uint32_t version;
	uint32_t warp_mark;   /* of granules that the warp has written itself; 0: of none */
	bool is_fresh;        /* not read by this CTA in this superstep before */
	uint64_t bytes;       /* distinct: 0 unless fresh */
	uint64_t first_bytes; /* of these, what no CTA has read in this superstep before */
	uint64_t loaded;      /* every thread's */
};

/* Does a read of the version see a write of that CTA and superstep? */
static bool is_source(struct ct_pages *pages, uint32_t version, uint32_t superstep, uint32_t cta)
{
	struct ct_view view = version ? ct_page_view(pages, version) : (struct ct_view){0};

	for (uint32_t i = 0; i < view.count; i++) {
		const struct ct_version *of = &pages->version[pages->visible[view.first + i]];
		uint32_t at = of->writers;

		if (of->superstep != superstep)
			continue;
		while (at && pages->writer_of[at].cta != cta)
			at = pages->writer_of[at].next;
		return at && pages->writer_of[at].site != CT_NO_SITE;
	}
	return false;
}

/* Has a run before it, of an element that goes on in it, counted the access for that source? */
static bool is_counted(struct ct_pages *pages, const struct run *run, uint32_t begin,
		       uint32_t superstep, uint32_t cta)
{
	for (uint32_t i = begin; i < run->first; i++)
		if (!(run->warp_mark && pages->granule[i].own == run->warp_mark) &&
		    is_source(pages, CT_VERSION_OF(pages->granule[i].version), superstep, cta))
			return true;
	return false;
}

/* The access whose element began in a run before. */
static void count_rest(struct ct_pages *pages, const struct run *run, uint32_t begin)
{
	struct ct_view view = ct_page_view(pages, run->version);

	for (uint32_t i = 0; i < view.count; i++) {
		uint32_t version = pages->visible[view.first + i];
		uint32_t superstep = pages->version[version].superstep, count;
		const uint32_t *cta =
		    ct_writers_ctas(pages, pages->version[version].writers, &count);

		for (uint32_t c = 0; c < count; c++)
			if (!is_counted(pages, run, begin, superstep, cta[c]))
				ct_page_emit_source(pages, superstep, cta[c], 0, run->touch->times);
	}
}

/* Accesses that have bytes of the run and begin in it; others are given to their sources at
 * once. */
static uint64_t count_loads(struct ct_pages *pages, const struct run *run)
{
	const struct ct_touch *touch = run->touch;
	uint32_t whole = (uint32_t)touch->last - touch->first + 1;
	uint32_t element = ct_page_element(pages, touch->site, whole);
	uint32_t from = (run->first << pages->shift) - touch->first;
	uint32_t to = (run->end << pages->shift) - touch->first;
	uint64_t loads = (to - 1) / element - from / element + 1;

	if (from % element) {
		count_rest(pages, run, (touch->first + from / element * element) >> pages->shift);
		loads--;
	}
	return loads * touch->times;
}

/* The elements that the run has bytes of, from the first byte of the first one. */
static void emit_elements(struct ct_pages *pages, const struct run *run)
{
	const struct ct_touch *touch = run->touch;
	uint32_t whole = (uint32_t)touch->last - touch->first + 1;
	uint32_t element = ct_page_element(pages, touch->site, whole);
	uint64_t start = ct_page_start(touch, element), at = run->first << pages->shift;

	start += (at - start) / element * element;
	ct_page_emit_run(pages, (uint64_t)pages->cta << 32 | pages->superstep,
			 (pages->page << CT_PAGE_BITS) + start,
			 (uint32_t)((run->end << pages->shift) - start), element);
}

/* Is it the first superstep of its kernel that the view shows? Its bytes count once per kernel. */
static bool is_first_of_kernel(const struct ct_pages *pages, const uint32_t *visible, uint32_t i)
{
	const struct ct_step *step = pages->engine->step;
	uint32_t kernel = step[pages->version[visible[i]].superstep].kernel;

	for (uint32_t k = 0; k < i; k++)
		if (step[pages->version[visible[k]].superstep].kernel == kernel)
			return false;
	return true;
}

static void emit_pairs(struct ct_pages *pages, const struct run *run, const struct ct_view *view)
{
	const struct ct_step *step = pages->engine->step;
	const uint32_t *visible = pages->visible + view->first;

	for (uint32_t i = 0; i < view->count && run->first_bytes; i++)
		if (is_first_of_kernel(pages, visible, i))
			ct_page_emit_pair(pages, step[pages->version[visible[i]].superstep].kernel,
					  step[pages->superstep].kernel, run->first_bytes);
}

/* How many transfers a run's bytes are of; of these, of the CTA at hand to itself. */
struct senders {
	uint64_t all, self;
};

static void add_self(struct ct_pages *pages, const struct run *run, uint32_t site,
		     struct senders *senders)
{
	ct_page_emit_line_self(pages, site, run->touch->site, run->bytes, run->loaded);
	senders->self++;
}

/* If the CTA at hand is one of the writers. */
static void add_own(struct ct_pages *pages, const struct run *run, const struct ct_listing *listing,
		    struct senders *senders)
{
	const uint32_t *cta = pages->listed + listing->cta;
	uint32_t low = 0, high = listing->ctas;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (cta[middle] < pages->cta)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < listing->ctas && cta[low] == pages->cta)
		add_self(pages, run, pages->listed_site[listing->cta + low], senders);
}

/* A short list is walked as it is: most are looked at once. */
static void emit_few(struct ct_pages *pages, const struct run *run,
		     const struct ct_page_writer *writer, struct senders *senders)
{
	for (;; writer = &pages->writer_of[writer->next]) {
		if (writer->site != CT_NO_SITE) {
			ct_page_emit_line(pages, writer->site, run->touch->site, run->bytes,
					  run->loaded);
			senders->all++;
			if (writer->cta == pages->cta)
				add_self(pages, run, writer->site, senders);
		}
		if (!writer->next)
			return;
	}
}

static void emit_lines(struct ct_pages *pages, const struct run *run, uint32_t writers,
		       struct senders *senders)
{
	const struct ct_listing *listing = ct_writers_list(pages, writers);
	const struct ct_site_count *of = pages->site_count + listing->site;

	for (uint32_t s = 0; s < listing->sites; s++)
		ct_page_emit_line(pages, of[s].site, run->touch->site, of[s].writers * run->bytes,
				  of[s].writers * run->loaded);
	senders->all += listing->ctas;
	add_own(pages, run, listing, senders);
}

static struct senders emit_sources(struct ct_pages *pages, const struct run *run,
				   const struct ct_view *view)
{
	struct senders senders = {0, 0};

	for (uint32_t i = 0; i < view->count; i++) {
		const struct ct_version *of = &pages->version[pages->visible[view->first + i]];

		if (of->count > CT_FEW_WRITERS)
			emit_lines(pages, run, of->writers, &senders);
		else
			emit_few(pages, run, &of->last, &senders);
	}
	return senders;
}

/* A run may reach over from one object to the next. */
static void count_objects(struct ct_pages *pages, const struct run *run, struct senders senders,
			  bool of_others)
{
	uint32_t at = run->first << pages->shift, end = run->end << pages->shift, here;

	for (; at < end; at += here) {
		uint64_t loaded;

		here = ct_page_select_object(pages, pages->superstep, at, end);
		loaded = (uint64_t)here * run->touch->times;
		pages->object_communicated_loads += loaded;
		pages->object_others_loads += of_others ? loaded : 0;
		pages->object_bytes += run->is_fresh ? senders.all * here : 0;
		pages->object_self_bytes += run->is_fresh ? senders.self * here : 0;
	}
}

/* Those of an ordered superstep's only writer at once, for it costs less. */
static void note_read(struct ct_pages *pages, const struct run *run)
{
	const struct ct_version *of = &pages->version[run->version];
	uint64_t loads = pages->engine->options.transfers ? count_loads(pages, run) : 0;

	if (pages->is_total && of->count == 1)
		ct_page_emit_source(pages, of->superstep, of->last.cta, run->bytes, loads);
	else if (run->bytes || loads)
		ct_page_note_read(pages, run->version, run->bytes, loads);
}

/* Has a CTA of another id written it, or have several? */
static bool is_of_others(const struct ct_pages *pages, const struct ct_view *view)
{
	for (uint32_t i = 0; i < view->count; i++) {
		const struct ct_version *of = &pages->version[pages->visible[view->first + i]];

		if (of->count > 1 || of->last.cta != pages->cta)
			return true;
	}
	return false;
}

/* Reads what launches have written. */
static void read_communicated(struct ct_pages *pages, const struct run *run,
			      const struct ct_view *view)
{
	bool of_others = is_of_others(pages, view);
	uint32_t flagged;

	pages->communicated_bytes += run->loaded;
	pages->others_bytes += of_others ? run->loaded : 0;
	if (pages->has_strides)
		emit_elements(pages, run);
	emit_pairs(pages, run, view);
	count_objects(pages, run, emit_sources(pages, run, view), of_others);
	note_read(pages, run);
	if (!run->is_fresh)
		return;
	flagged = ct_page_flag(pages, run->reference, view);
	if (flagged != run->reference)
		for (uint32_t i = run->first; i < run->end; i++)
			pages->granule[i].version = flagged;
}

static void add_host(struct ct_pages *pages, uint64_t from, uint64_t to)
{
	pages->volume.from_host_bytes += from;
	pages->volume.to_host_bytes += to;
	ct_page_fail(pages,
		     ct_sums_add(pages->sums, CT_FACT_KEY(CT_FACT_STEP_HOST, pages->superstep), 0,
				 from, to));
}

/* A copy reads the run. */
static void read_by_host(struct ct_pages *pages, const struct run *run)
{
	uint32_t at = run->first << pages->shift, end = run->end << pages->shift, here;

	if (!run->version || !run->bytes ||
	    !(ct_page_view(pages, run->version).sources & CT_SOURCE_LAUNCH))
		return;
	for (; at < end; at += here) {
		here = ct_page_select_object(pages, pages->superstep, at, end);
		if (ct_page_object_passes(pages))
			add_host(pages, 0, here);
	}
}

static void read_run(struct ct_pages *pages, const struct run *run)
{
	struct ct_view view;

	if (!pages->is_launch) {
		read_by_host(pages, run);
		return;
	}
	if (!run->version) {
		pages->volume.unwritten_bytes += run->bytes;
		return;
	}
	view = ct_page_view(pages, run->version);
	if (view.sources & CT_SOURCE_UNORDERED)
		pages->volume.unordered_bytes += run->bytes;
	if (view.sources & CT_SOURCE_HOST && run->bytes)
		add_host(pages, run->bytes, 0);
	if (view.sources & CT_SOURCE_LAUNCH)
		read_communicated(pages, run, &view);
}

static inline bool is_own(const struct ct_granule *granule, uint32_t warp_mark)
{
	return warp_mark && granule->own == warp_mark;
}

/* The run's granules from its first on, which this CTA reads for the first time in the superstep.
 * Of how many is it the first one to read? */
static inline uint32_t take_fresh(struct ct_pages *pages, struct run *run, uint32_t end)
{
	struct ct_granule *granule = &pages->granule[run->first], *behind = &pages->granule[end];
	uint32_t news = 0;

	do {
		uint32_t is_known = granule->read == pages->superstep_mark;

		granule->seen = pages->group_mark;
		granule->readers = (granule->readers & -is_known) + 1;
		granule->reader_list &= -is_known;
		granule->read = pages->superstep_mark;
		news += !is_known;
		granule++;
	} while (granule < behind && granule->version == run->reference &&
		 granule->seen != pages->group_mark && !is_own(granule, run->warp_mark));
	run->end = (uint32_t)(granule - pages->granule);
	if (pages->engine->deliveries)
		ct_page_note_readers(pages, run->first, run->end);
	ct_page_note_last_readers(pages, run->first, run->end);
	return news;
}

/* Granules that it has read before. */
static inline void take_seen(const struct ct_pages *pages, struct run *run, uint32_t end)
{
	const struct ct_granule *granule = pages->granule;

	run->end = run->first + 1;
	while (run->end < end && granule[run->end].version == run->reference &&
	       granule[run->end].seen == pages->group_mark &&
	       !is_own(&granule[run->end], run->warp_mark))
		run->end++;
}

void ct_page_read(struct ct_pages *pages, const struct ct_touch *touch, uint32_t warp_mark)
{
	uint32_t end = ((uint32_t)touch->last + 1) >> pages->shift, at;
	struct run run = {.touch = touch, .warp_mark = warp_mark};

	for (at = touch->first >> pages->shift; at < end; at = run.end) {
		const struct ct_granule *granule = &pages->granule[at];
		uint64_t bytes;

		if (at + AHEAD < end)
			__builtin_prefetch(&pages->version[CT_VERSION_OF(granule[AHEAD].version)]);
		run.end = at + 1;
		if (is_own(granule, warp_mark))
			continue;
		run.first = at;
		run.reference = granule->version;
		run.version = CT_VERSION_OF(run.reference);
		run.is_fresh = granule->seen != pages->group_mark;
		run.first_bytes = 0;
		if (run.is_fresh)
			run.first_bytes = (uint64_t)take_fresh(pages, &run, end) << pages->shift;
		else
			take_seen(pages, &run, end);
		bytes = (uint64_t)(run.end - at) << pages->shift;
		run.bytes = run.is_fresh ? bytes : 0;
		run.loaded = bytes * touch->times;
		read_run(pages, &run);
	}
}
