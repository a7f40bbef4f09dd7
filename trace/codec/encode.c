/* SPDX-License-Identifier: Apache-2.0 */
/* Encode records: of the kinds and shapes, the first that fits in the order of
 * docs/trace-format.md. */
#include <cudatrace/encode.h>
#include <stdbool.h>
#include <string.h>

/* The active lanes' addresses, gathered: lane[r] and address[r] for rank r. */
struct warp {
	uint32_t mask;
	uint32_t bytes;
	uint32_t count;
	uint8_t lane[CT_WARP_LANES];
	uint64_t address[CT_WARP_LANES];
};

static void gather(struct warp *warp, uint32_t bytes, uint32_t mask,
		   const uint64_t address[CT_WARP_LANES])
{
	uint32_t count = 0;

	warp->address[0] = 0;
	warp->mask = mask;
	warp->bytes = bytes;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		warp->lane[count] = (uint8_t)lane;
		warp->address[count++] = address[lane];
	}
	warp->count = count;
}

static bool fits_base(uint64_t address)
{
	return (address & ~CT_ADDRESS_MASK) == 0;
}

static bool is_strided(const struct warp *warp, int64_t stride)
{
	for (uint32_t r = 1; r < warp->count; r++) {
		int64_t distance = (int64_t)(warp->address[r] - warp->address[0]);

		if (distance != stride * (warp->lane[r] - warp->lane[0]))
			return false;
	}
	return true;
}

static bool is_ranked(const struct warp *warp, int64_t stride)
{
	for (uint32_t r = 1; r < warp->count; r++)
		if ((int64_t)(warp->address[r] - warp->address[0]) != stride * r)
			return false;
	return true;
}

static bool is_stride(int64_t value)
{
	return value >= INT32_MIN && value <= INT32_MAX;
}

static uint64_t first_word(enum ct_record_kind kind, uint64_t site, uint64_t base)
{
	uint64_t field = site < CT_SITE_EXTENDED ? site : CT_SITE_EXTENDED;

	return (uint64_t)kind << CT_RECORD_KIND_SHIFT | field << CT_SITE_SHIFT | base;
}

static uint64_t mask_and_stride(uint32_t mask, int64_t stride)
{
	return (uint64_t)(uint32_t)stride << 32 | mask;
}

/* UNIFORM, AFFINE and their masked forms; 0 if neither fits. */
static uint32_t encode_simple(uint64_t *words, uint64_t site, const struct warp *warp)
{
	bool full = warp->mask == CT_FULL_MASK;
	enum ct_record_kind kind;

	if (is_strided(warp, 0))
		kind = full ? CT_REC_UNIFORM : CT_REC_UNIFORM_MASK;
	else if (is_strided(warp, warp->bytes))
		kind = full ? CT_REC_AFFINE : CT_REC_AFFINE_MASK;
	else
		return 0;
	words[0] = first_word(kind, site, warp->address[0]);
	words[1] = warp->mask;
	return full ? 1 : 2;
}

/* STRIDED; 0 if it does not fit. */
static uint32_t encode_strided(uint64_t *words, uint64_t site, const struct warp *warp)
{
	int64_t distance = (int64_t)(warp->address[1] - warp->address[0]);
	int32_t lanes = warp->lane[1] - warp->lane[0];
	int64_t stride = distance / lanes;

	if (distance % lanes != 0 || !is_stride(distance) || !is_strided(warp, stride))
		return 0;
	words[0] = first_word(CT_REC_STRIDED, site, warp->address[0]);
	words[1] = mask_and_stride(warp->mask, stride);
	return 2;
}

/* ROWS of 2^log2_width lanes; 0 if they do not fit. */
static uint32_t encode_rows(uint64_t *words, uint64_t site, const struct warp *warp,
			    uint32_t log2_width)
{
	uint32_t width = 1u << log2_width;
	int64_t stride;

	if (warp->mask != CT_FULL_MASK)
		return 0;
	stride = (int64_t)(warp->address[width] - warp->address[0]);
	if (!is_stride(stride))
		return 0;
	for (uint32_t lane = 1; lane < CT_WARP_LANES; lane++) {
		int64_t expected = (int64_t)(lane & (width - 1)) * warp->bytes +
				   (int64_t)(lane >> log2_width) * stride;

		if ((int64_t)(warp->address[lane] - warp->address[0]) != expected)
			return 0;
	}
	words[0] = first_word(CT_REC_ROWS, site, warp->address[0]);
	words[1] = (uint64_t)log2_width << 32 | (uint32_t)stride;
	return 2;
}

/* RANKED; 0 if it does not fit. */
static uint32_t encode_ranked(uint64_t *words, uint64_t site, const struct warp *warp)
{
	int64_t stride = (int64_t)(warp->address[1] - warp->address[0]);

	if (!is_stride(stride) || !is_ranked(warp, stride))
		return 0;
	words[0] = first_word(CT_REC_RANKED, site, warp->address[0]);
	words[1] = mask_and_stride(warp->mask, stride);
	return 2;
}

/* The bits that are set in any distance from base. */
static uint64_t all_deltas(const struct warp *warp, uint64_t base)
{
	uint64_t all = 0;

	for (uint32_t r = 0; r < warp->count; r++)
		all |= warp->address[r] - base;
	return all;
}

/* Byte planes that deltas need in which these bits are set. */
static uint32_t planes_of(uint64_t all)
{
	uint32_t planes = 1;

	while (planes < 4 && all >> 8 * planes)
		planes++;
	return planes;
}

/* Byte planes of the deltas from base, zero-padded. Returns their words. */
static uint32_t put_planes(uint64_t *words, const struct warp *warp, uint64_t base, uint32_t planes,
			   uint32_t shift)
{
	uint32_t payload_words = (planes * warp->count + 7) / 8;
	unsigned char *byte = (unsigned char *)words;

	memset(byte, 0, 8 * payload_words);
	for (uint32_t p = 0; p < planes; p++)
		for (uint32_t r = 0; r < warp->count; r++)
			byte[p * warp->count + r] =
			    (unsigned char)((warp->address[r] - base) >> shift >> 8 * p);
	return payload_words;
}

/* NEAR, by the rule of record.h, where DELTA would have base, all and planes; else 0. */
static uint32_t encode_near(uint64_t *words, uint64_t site, const struct warp *warp, uint64_t base,
			    uint64_t all, uint32_t planes)
{
	uint64_t near;
	uint32_t shift;

	if (warp->mask != CT_FULL_MASK || all > CT_NEAR_MOST)
		return 0;
	base &= ~15ull;
	near = all_deltas(warp, base);
	shift = (uint32_t)__builtin_ctzll(near | 8);
	if (near >> shift >> 8 * planes)
		return 0;
	words[0] = first_word(CT_REC_NEAR, site, base | (uint64_t)shift << 2 | (planes - 1));
	return 1 + put_planes(words + 1, warp, base, planes, shift);
}

/* NEAR or DELTA; 0 if the lanes are too far apart. */
static uint32_t encode_delta(uint64_t *words, uint64_t site, const struct warp *warp)
{
	uint64_t base, all;
	int64_t least = 0;
	uint32_t shift, planes, n;

	/* As on the device: distances from the first lane fit 32 bits. */
	for (uint32_t r = 1; r < warp->count; r++) {
		int64_t distance = (int64_t)(warp->address[r] - warp->address[0]);

		if (!is_stride(distance))
			return 0;
		least = distance < least ? distance : least;
	}
	base = warp->address[0] + (uint64_t)least; /* wraps below 0: fits no base */
	if (!fits_base(base))
		return 0;
	all = all_deltas(warp, base);
	shift = (uint32_t)__builtin_ctzll(all);
	planes = planes_of(all >> shift);
	n = encode_near(words, site, warp, base, all, planes);
	if (n)
		return n;
	words[0] = first_word(CT_REC_DELTA, site, base);
	words[1] = (uint64_t)shift << 40 | (uint64_t)planes << 32 | warp->mask;
	return 2 + put_planes(words + 2, warp, base, planes, shift);
}

static uint32_t encode_raw(uint64_t *words, uint64_t site, const struct warp *warp)
{
	words[0] = first_word(CT_REC_RAW, site, 0);
	words[1] = warp->mask;
	memcpy(words + 2, warp->address, 8 * warp->count);
	return 2 + warp->count;
}

static uint32_t encode_record(uint64_t *words, uint64_t site, const struct warp *warp)
{
	uint32_t n;

	if (!fits_base(warp->address[0]))
		return encode_raw(words, site, warp);
	n = encode_simple(words, site, warp); /* always fits a single lane */
	if (!n)
		n = encode_strided(words, site, warp);
	if (!n)
		n = encode_rows(words, site, warp, 4);
	if (!n)
		n = encode_rows(words, site, warp, 3);
	if (!n)
		n = encode_ranked(words, site, warp);
	if (!n)
		n = encode_delta(words, site, warp);
	return n ? n : encode_raw(words, site, warp);
}

/* The SITE word of an index or tag that the record's own field cannot hold. Returns its words. */
static uint32_t put_site(uint64_t *words, uint64_t site)
{
	if (site < CT_SITE_EXTENDED)
		return 0;
	words[0] = (uint64_t)CT_REC_SITE << CT_RECORD_KIND_SHIFT | site;
	return 1;
}

uint32_t ct_encode_access(uint64_t *words, uint64_t site, uint32_t bytes, uint32_t mask,
			  const uint64_t address[CT_WARP_LANES])
{
	struct warp warp;
	uint32_t n = put_site(words, site);

	gather(&warp, bytes, mask, address);
	return n + encode_record(words + n, site, &warp);
}

uint32_t ct_encode_range(uint64_t *words, uint64_t site, uint32_t mask,
			 const uint64_t address[CT_WARP_LANES], const uint64_t bytes[CT_WARP_LANES])
{
	uint32_t n = put_site(words, site);

	words[n++] = first_word(CT_REC_EXTENDED, site, 0);
	words[n++] = mask;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		words[n++] = address[lane];
		words[n++] = bytes[lane];
	}
	return n;
}

uint32_t ct_encode_event(uint64_t *words, uint64_t site, uint32_t phase, uint32_t mask)
{
	uint32_t n = put_site(words, site);

	words[n++] = first_word(CT_REC_EVENT, site, (uint64_t)phase << CT_EVENT_PHASE_SHIFT | mask);
	return n;
}
