/* SPDX-License-Identifier: Apache-2.0 */
/* Writes of a page: gathered until the end of their superstep, and what becomes of the versions
 * before. */
#include "postproc/analysis/comm/pages/page.h"

/* Granules that are looked at early. */
#define VERSIONS_AHEAD 24u
#define VOLUMES_AHEAD 12u
_Static_assert(VOLUMES_AHEAD <= CT_GRANULES_SPARE, "they are looked at behind the page's last");

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
	uint32_t first = touch->first >> pages->shift,
		 end = ((uint32_t)touch->last + 1) >> pages->shift;

	for (uint32_t i = first; warp_mark && i < end; i++)
		pages->granule[i].own = warp_mark;
}

static void note_lines(struct ct_pages *pages, const struct ct_touch *touch)
{
	for (uint32_t line = touch->first >> CT_LINE_BITS; line <= touch->last >> CT_LINE_BITS;
	     line++)
		pages->written[line / 64] |= (uint64_t)1 << line % 64;
}

/* The CTA writes the granule, too. */
static void add_writer(struct ct_pages *pages, const struct ct_touch *touch, uint32_t phase,
		       uint32_t first, uint32_t end)
{
	uint32_t before = UINT32_MAX, with = 0;

	for (uint32_t i = first; i < end; i++) {
		struct ct_granule *granule = &pages->granule[i];
		bool reads_too = granule->seen == pages->group_mark;
		uint32_t writers = 0;

		if (granule->own == pages->group_mark)
			continue; /* by a later touch of this group */
		granule->own = pages->group_mark;
		if (granule->write == pages->superstep_mark)
			writers = granule->fresh & ~CT_READS_TOO;
		if (writers != before)
			with = ct_writers_add(pages, writers, touch->site, phase);
		before = writers;
		granule->write = pages->superstep_mark;
		granule->fresh = with | (!writers && reads_too ? CT_READS_TOO : 0);
	}
}

/* The last of one CTA's writes counts: so from the last on. */
void ct_page_end_writes(struct ct_pages *pages)
{
	for (size_t i = pages->grouped; i-- > 0;) {
		const struct ct_touch *touch = &pages->group[i];

		if (!(touch->kind & CT_TOUCH_WRITE))
			continue;
		note_lines(pages, touch);
		add_writer(pages, touch, phase_of(pages, touch), touch->first >> pages->shift,
			   ((uint32_t)touch->last + 1) >> pages->shift);
	}
}

/* Bytes of the page that a CTA wrote. From the first byte of the element, or range, that
 * they begin in. */
static void emit_elements(struct ct_pages *pages, uint32_t superstep,
			  const struct ct_page_writer *writer, uint32_t at, uint32_t bytes)
{
	uint32_t element = ct_page_element(pages, writer->site, 0);
	uint64_t address = pages->page << CT_PAGE_BITS | at;
	uint32_t head = element ? (uint32_t)((address + element - writer->phase) % element)
				: at - writer->phase;

	element = element ? element : bytes + head;
	ct_page_emit_run(pages, (uint64_t)writer->cta << 32 | superstep,
			 (address - head) | CT_RUN_STORE, bytes + head, element);
}

static void retire_writer(struct ct_pages *pages, const struct ct_version *version,
			  const struct ct_page_writer *writer, uint32_t flags, uint32_t at,
			  uint32_t bytes)
{
	if (writer->site == CT_NO_SITE)
		return;
	pages->volume.exchanged_store_bytes += flags & CT_READ_BY_OTHER ? bytes : 0;
	if (flags & CT_READ_BY_CTA)
		ct_page_emit_others(pages, version->superstep, 0, bytes);
	ct_page_emit_volume(pages, version->superstep, writer->cta, 0, bytes);
	if (ct_page_has_strides(pages, writer->cta))
		emit_elements(pages, version->superstep, writer, at, bytes);
}

/* Counts what so many CTAs wrote, which may reach over from one object to the next. */
static void count_objects(struct ct_pages *pages, uint32_t superstep, uint64_t writers,
			  bool for_others, uint32_t at, uint32_t end)
{
	uint32_t here;

	for (; at < end; at += here) {
		here = ct_page_select_object(pages, superstep, at, end);
		pages->object_communicated_stores += writers * here;
		pages->object_others_stores += for_others ? writers * here : 0;
	}
}

static void retire_version(struct ct_pages *pages, const struct ct_version *version, uint32_t flags,
			   uint32_t first, uint32_t end)
{
	uint32_t bytes = (end - first) << pages->shift, offset = first << pages->shift;
	uint64_t writers = version->last.site != CT_NO_SITE;

	if (!(flags & CT_READ_SINCE))
		return;
	retire_writer(pages, version, &version->last, flags, offset, bytes);
	for (uint32_t at = version->last.next; at; at = pages->writer_of[at].next) {
		retire_writer(pages, version, &pages->writer_of[at], flags, offset, bytes);
		writers += pages->writer_of[at].site != CT_NO_SITE;
	}
	count_objects(pages, version->superstep, writers, flags & CT_READ_BY_CTA, offset,
		      offset + bytes);
}

/* Versions in the granules behind that one, and volumes of their writers, are about to be needed:
 * where anybody writes anywhere, they are not in the cache. Inlined by force: GCC drops calls of
 * functions that do nothing but prefetch. */
static inline __attribute__((always_inline)) void expect(const struct ct_pages *pages, uint32_t at)
{
	const struct ct_granule *granule = &pages->granule[at];
	uint32_t granules = CT_PAGE_BYTES >> pages->shift;
	const struct ct_version *version;
	uint64_t slot;

	if (at + VERSIONS_AHEAD >= granules)
		return;
	__builtin_prefetch(&pages->version[CT_VERSION_OF(granule[VERSIONS_AHEAD].version)]);
	version = &pages->version[CT_VERSION_OF(granule[VOLUMES_AHEAD].version)];
	slot = pages->engine->step[version->superstep].first_cta + version->last.cta;
	__builtin_prefetch(&pages->cached[slot & pages->cached_mask], 1);
}

static void retire(struct ct_pages *pages, uint32_t reference, uint32_t first, uint32_t end)
{
	uint32_t version = CT_VERSION_OF(reference), flags = CT_FLAGS_OF(reference);

	for (; version; version = pages->version[version].older, flags = 0)
		retire_version(pages, &pages->version[version],
			       flags | pages->version[version].flags, first, end);
}

/* Can no superstep from now on read it, if one that is over has the number `finished`? */
static bool is_over(const struct ct_pages *pages, uint32_t superstep, uint32_t finished)
{
	return finished != CT_NO_SUPERSTEP &&
	       ct_order_before(pages->engine->order, superstep, finished);
}

/* Put the superstep's version in front of what of a list a superstep from now on can read;
 * the rest is retired. */
static uint32_t add_to_list(struct ct_pages *pages, uint32_t writers, uint32_t version,
			    uint32_t first, uint32_t end)
{
	const struct ct_step *step = pages->engine->step;
	uint32_t list[CT_HISTORY], count = 0, versions = 1, finished = CT_NO_SUPERSTEP, older = 0;

	for (uint32_t at = version; at; at = pages->version[at].older) {
		const struct ct_version *of = &pages->version[at];

		if (++versions > CT_HISTORY || is_over(pages, of->superstep, finished)) {
			if (versions > CT_HISTORY)
				pages->volume.forgotten_bytes += (end - first) << pages->shift;
			retire_version(pages, of, of->flags, first, end);
			continue;
		}
		list[count++] = at;
		if (finished == CT_NO_SUPERSTEP && step[of->superstep].finished <= pages->superstep)
			finished = of->superstep;
	}
	if (count + 1 == versions)
		return ct_version_make(pages, writers, version);
	while (count-- > 0)
		older =
		    ct_version_change(pages, list[count], pages->version[list[count]].flags, older);
	return ct_version_make(pages, writers, older);
}

/* Bytes of the granule that atomics alone have accessed. */
static uint32_t count_atomic(const struct ct_pages *pages, uint32_t granule)
{
	uint32_t begin = granule << pages->shift, end = (granule + 1) << pages->shift, bytes = 0;

	for (uint32_t at = begin; at < end && pages->engine->has_atomics; at++)
		bytes += !(pages->plain[at / 64] >> at % 64 & 1);
	return bytes;
}

/* Bytes that a CTA read while another one of the launch wrote them. */
static void count_same_superstep(struct ct_pages *pages, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++) {
		const struct ct_granule *granule = &pages->granule[i];
		bool has_one = pages->writers[granule->fresh & ~CT_READS_TOO].count == 1;
		uint64_t readers;

		if (granule->read != pages->superstep_mark)
			continue;
		readers = granule->readers - (has_one && granule->fresh & CT_READS_TOO);
		pages->volume.same_superstep_bytes += readers << pages->shift;
		if (readers)
			pages->volume.same_superstep_atomic_bytes +=
			    readers * count_atomic(pages, i);
	}
}

/* Granules that were written by the same CTAs, and had the same version. */
static void apply_run(struct ct_pages *pages, uint32_t first, uint32_t end)
{
	uint32_t old = pages->granule[first].version, version;
	uint32_t writers = pages->granule[first].fresh & ~CT_READS_TOO;

	if (pages->is_launch && pages->engine->step[pages->superstep].passes)
		count_same_superstep(pages, first, end);
	ct_page_note_crossings(pages, first, end);
	if (pages->is_total) {
		retire(pages, old, first, end);
		version = ct_version_make(pages, writers, 0);
	} else {
		version = add_to_list(pages, writers, old, first, end);
	}
	for (uint32_t i = first; i < end; i++)
		pages->granule[i].version = version;
}

static bool is_like(const struct ct_granule *granule, const struct ct_granule *other)
{
	return granule->write == other->write && granule->version == other->version &&
	       (granule->fresh & ~CT_READS_TOO) == (other->fresh & ~CT_READS_TOO);
}

/* Granules from first on that were written; the first one behind them. */
static uint32_t apply_from(struct ct_pages *pages, uint32_t first, uint32_t end)
{
	const struct ct_granule *granule = pages->granule;
	uint32_t at = first, next;

	for (; at < end && granule[at].write == pages->superstep_mark; at = next) {
		for (next = at + 1; next < end && is_like(&granule[next], &granule[at]); next++)
			;
		expect(pages, at);
		__builtin_prefetch(
		    &pages->writers[granule[at + VOLUMES_AHEAD].fresh & ~CT_READS_TOO]);
		__builtin_prefetch(
		    &pages->writer_of[granule[at + VOLUMES_AHEAD].fresh & ~CT_READS_TOO]);
		apply_run(pages, at, next);
	}
	return at;
}

/* Applies the writes of the granules from first to end that were written, and those behind them;
 * returns the first one that was not looked at. */
static uint32_t apply_lines(struct ct_pages *pages, uint32_t first, uint32_t end)
{
	uint32_t granules = CT_PAGE_BYTES >> pages->shift, at = first;

	while (at < end)
		if (pages->granule[at].write == pages->superstep_mark)
			at = apply_from(pages, at, granules);
		else
			at++;
	return at;
}

void ct_page_apply(struct ct_pages *pages)
{
	uint32_t done = 0;

	for (uint32_t word = 0; word < CT_LINES / 64; word++)
		for (; pages->written[word]; pages->written[word] &= pages->written[word] - 1) {
			uint32_t line = 64 * word + (uint32_t)__builtin_ctzll(pages->written[word]);
			uint32_t first = (line << CT_LINE_BITS) >> pages->shift;
			uint32_t end = (((line + 1) << CT_LINE_BITS) - 1) >> pages->shift;

			if (end >= done)
				done = apply_lines(pages, first > done ? first : done, end + 1);
		}
	ct_page_flush_run(pages);
}

void ct_page_retire(struct ct_pages *pages)
{
	uint32_t granules = CT_PAGE_BYTES >> pages->shift, next;

	for (uint32_t at = 0; at < granules; at = next) {
		uint32_t version = pages->granule[at].version;

		for (next = at + 1; next < granules && pages->granule[next].version == version;)
			next++;
		expect(pages, at);
		retire(pages, version, at, next);
	}
	ct_page_flush_run(pages);
}
