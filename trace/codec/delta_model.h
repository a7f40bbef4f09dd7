/* SPDX-License-Identifier: Apache-2.0 */
/* Predicts the next word for encoder and decoder of DELTA (delta.h). */
#ifndef CT_TRACE_CODEC_DELTA_MODEL_H
#define CT_TRACE_CODEC_DELTA_MODEL_H

#include <cudatrace/record.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CT_DELTA_STREAMS 6u
#define CT_DELTA_HEADER_BYTES (4u * CT_DELTA_STREAMS)
#define CT_DELTA_SITES 4096u
/* The sites of loops have a place of their own behind those of accesses. */
#define CT_DELTA_LOOP(site) (CT_DELTA_SITES + (site) % CT_DELTA_SITES)

enum ct_delta_stream {
	CT_DELTA_CONTROLS,
	CT_DELTA_HEADS,
	CT_DELTA_DELTAS,
	CT_DELTA_SEGMENTS,
	CT_DELTA_SECONDS,
	CT_DELTA_PAYLOAD,
};

/*
 * A control byte: its class, and
 *   RECORD   bit 0 head, bit 1 base, bit 2 second word are as expected;
 *            bits 5..3 bytes of the base's difference - 1
 *   SHORT    bits 2..0 bytes of the CTA's difference, 0: the same, 7: 8 bytes;
 *            bits 4..3 the warp: 0 the same, 1 the next, 2 in a byte
 *   SEGMENT  the same; bit 5 SM and launch are those of the last one
 *   OTHER    0: a word 0; 1: a word in the payload
 */
#define CT_DELTA_RECORD 0x00u
#define CT_DELTA_SHORT 0x40u
#define CT_DELTA_SEGMENT 0x80u
#define CT_DELTA_OTHER 0xc0u
#define CT_DELTA_CLASS 0xc0u
#define CT_DELTA_HEAD_EXPECTED 1u
#define CT_DELTA_BASE_EXPECTED 2u
#define CT_DELTA_SECOND_EXPECTED 4u
#define CT_DELTA_WIDTH_SHIFT 3
#define CT_DELTA_WARP_SHIFT 3
#define CT_DELTA_WARP_SAME 0u
#define CT_DELTA_WARP_NEXT 1u
#define CT_DELTA_WARP_GIVEN 2u
#define CT_DELTA_LAUNCH_EXPECTED 0x20u
#define CT_DELTA_WORD 0xc1u

#define CT_DELTA_LOW_MASK ((1ull << CT_SITE_SHIFT) - 1)

/* Addresses of one site are expected to follow position and iteration. */
struct ct_delta_site {
	uint64_t first;   /* address of the first record of the warp seen last */
	uint64_t last;    /* address of its last record */
	uint64_t step;    /* from one record of a warp to the next */
	uint64_t cta;     /* that warp */
	uint64_t by_cta;  /* from one CTA to the next */
	uint64_t by_warp; /* from one warp to the next */
	uint64_t second, third;
	uint32_t chunk; /* this is of */
	uint8_t warp;
	bool is_used, knows_cta, knows_warp;
	bool follows; /* the second word is that of the record before, not the site's last */
};

struct ct_delta_model {
	uint64_t cta;
	uint32_t warp;
	uint32_t launch;
	uint32_t sm;
	uint32_t chunk; /* counts chunks, so that sites need not be cleared */
	uint32_t context;
	uint32_t extended;              /* site index of the SITE word just before, + 1 */
	uint64_t second;                /* the second word seen last */
	uint16_t heads[CT_DELTA_SITES]; /* that followed, by context */
	uint64_t lows[CT_DELTA_SITES];  /* lower 48 bits of words without address, by head */
	struct ct_delta_site sites[2 * CT_DELTA_SITES];
};

static inline void ct_delta_begin(struct ct_delta_model *model)
{
	uint32_t chunk = model->chunk + 1;

	if (chunk == 0) {
		memset(model->sites, 0, sizeof(model->sites));
		chunk = 1;
	}
	memset(model, 0, offsetof(struct ct_delta_model, sites));
	model->chunk = chunk;
}

static inline uint32_t ct_delta_hash(uint32_t head)
{
	return (head ^ head >> 12 << 7) % CT_DELTA_SITES;
}

static inline struct ct_delta_site *ct_delta_site_at(struct ct_delta_model *model, uint32_t number)
{
	struct ct_delta_site *site = &model->sites[number];

	if (site->chunk != model->chunk) {
		memset(site, 0, sizeof(*site));
		site->chunk = model->chunk;
	}
	return site;
}

/* Returns the state of an access record's site. */
static inline struct ct_delta_site *ct_delta_site_of(struct ct_delta_model *model, uint32_t head)
{
	uint32_t site = head % CT_DELTA_SITES;

	if (site == CT_SITE_EXTENDED && model->extended)
		site = model->extended - 1;
	return ct_delta_site_at(model, site % CT_DELTA_SITES);
}

static inline bool ct_delta_is_same_warp(const struct ct_delta_model *model,
					 const struct ct_delta_site *site)
{
	return site->cta == model->cta && site->warp == model->warp;
}

static inline uint64_t ct_delta_expect(const struct ct_delta_model *model,
				       const struct ct_delta_site *site)
{
	if (ct_delta_is_same_warp(model, site))
		return site->last + site->step;
	return site->first + (model->cta - site->cta) * site->by_cta +
	       (uint64_t)((int64_t)model->warp - site->warp) * site->by_warp;
}

/* Adds error / count to *rate if that is a whole number. */
static inline bool ct_delta_add_ratio(uint64_t *rate, int64_t error, int64_t count)
{
	if (count == -1) {
		*rate -= (uint64_t)error;
		return true;
	}
	if (error % count != 0)
		return false;
	*rate += (uint64_t)(error / count);
	return true;
}

static inline void ct_delta_learn_rates(const struct ct_delta_model *model,
					struct ct_delta_site *site, int64_t error)
{
	int64_t ctas = (int64_t)(model->cta - site->cta), warps = (int64_t)model->warp - site->warp;

	if (warps == 0)
		site->knows_cta |= ct_delta_add_ratio(&site->by_cta, error, ctas);
	else if (ctas == 0)
		site->knows_warp |= ct_delta_add_ratio(&site->by_warp, error, warps);
	else if (site->knows_cta && !site->knows_warp)
		ct_delta_add_ratio(&site->by_warp, error, warps);
	else if (!site->knows_cta)
		ct_delta_add_ratio(&site->by_cta, error, ctas);
}

/* The word was found where ct_delta_expect was wrong by error. */
static inline void ct_delta_learn(const struct ct_delta_model *model, struct ct_delta_site *site,
				  uint64_t word, int64_t error)
{
	if (ct_delta_is_same_warp(model, site)) {
		if (error && site->is_used)
			site->step = word - site->last;
		if (!site->is_used)
			site->first = word;
		site->last = word;
		site->is_used = true;
		return;
	}
	if (error && site->is_used)
		ct_delta_learn_rates(model, site, error);
	site->first = site->last = word;
	site->cta = model->cta;
	site->warp = (uint8_t)model->warp;
	site->is_used = true;
}

static inline uint64_t ct_delta_expect_second(const struct ct_delta_model *model,
					      const struct ct_delta_site *site)
{
	return site->follows ? model->second : site->second;
}

static inline void ct_delta_learn_second(struct ct_delta_model *model, struct ct_delta_site *site,
					 uint64_t word)
{
	if (model->second != site->second) {
		if (word == model->second)
			site->follows = true;
		else if (word == site->second)
			site->follows = false;
	}
	site->second = model->second = word;
}

/* Describes what follows the first word of a record. */
struct ct_delta_shape {
	bool has_address; /* in the lower 48 bits */
	bool has_second;
	uint32_t payload; /* words */
};

/* Kinds whose shape the first word tells; the rest depends on the second. */
static inline struct ct_delta_shape ct_delta_shape_of(uint64_t word)
{
	struct ct_delta_shape shape = {.has_address = true};
	uint32_t bytes = (uint32_t)(word >> CT_VALUE_BYTES_SHIFT & 0xff);
	uint32_t lanes = (uint32_t)__builtin_popcount((uint32_t)word);

	switch (word >> CT_RECORD_KIND_SHIFT) {
	case CT_REC_AFFINE:
	case CT_REC_UNIFORM:
		break;
	case CT_REC_AFFINE_MASK:
	case CT_REC_UNIFORM_MASK:
	case CT_REC_STRIDED:
	case CT_REC_ROWS:
	case CT_REC_DELTA:
	case CT_REC_RAW:
	case CT_REC_RANKED:
		shape.has_second = true;
		break;
	case CT_REC_NEAR:
		shape.payload = 4 * ((uint32_t)(word & 3) + 1);
		break;
	case CT_REC_VALUE:
		shape.has_address = false;
		switch (word >> CT_VALUE_SHAPE_SHIFT & 0xf) {
		case CT_VALUE_UNIFORM:
			shape.payload = (bytes + 7) / 8;
			break;
		case CT_VALUE_AFFINE:
			shape.payload = 2;
			break;
		case CT_VALUE_RAW:
			shape.payload = (lanes * bytes + 7) / 8;
			break;
		}
		break;
	case CT_REC_EXTENDED:
		shape.has_address = false;
		shape.has_second = (word >> CT_EXTENDED_VARIANT_SHIFT & 0xff) != CT_EXTENDED_GROUP;
		break;
	default:
		shape.has_address = false;
		break;
	}
	return shape;
}

static inline uint32_t ct_delta_variant(uint64_t word)
{
	return (uint32_t)(word >> CT_EXTENDED_VARIANT_SHIFT & 0xff);
}

/* Words of payload that a second word counts. */
static inline uint32_t ct_delta_second_payload(uint64_t word, uint64_t second)
{
	uint32_t lanes = (uint32_t)__builtin_popcount((uint32_t)second);

	switch (word >> CT_RECORD_KIND_SHIFT) {
	case CT_REC_DELTA:
		return ((uint32_t)(second >> 32 & 0xff) * lanes + 7) / 8;
	case CT_REC_RAW:
		return lanes;
	case CT_REC_EXTENDED:
		/* True for a range or its content; a loop's words are no payload. */
		return ct_delta_variant(word) == CT_EXTENDED_CONTENT
			   ? (uint32_t)(word & 0xff) * lanes
			   : 2 * lanes;
	default:
		return 0;
	}
}

static inline bool ct_delta_is_loop(uint64_t word)
{
	return word >> CT_RECORD_KIND_SHIFT == CT_REC_EXTENDED &&
	       ct_delta_variant(word) == CT_EXTENDED_LOOP;
}

static inline bool ct_delta_is_group(uint64_t word)
{
	return word >> CT_RECORD_KIND_SHIFT == CT_REC_EXTENDED &&
	       ct_delta_variant(word) == CT_EXTENDED_GROUP;
}

/* Where the address of a record is expected, and second words of any. */
static inline struct ct_delta_site *ct_delta_record_site(struct ct_delta_model *model,
							 uint64_t word)
{
	uint32_t head = (uint32_t)(word >> CT_SITE_SHIFT);

	if (head >> 12 == CT_REC_EXTENDED)
		return ct_delta_site_at(model, CT_DELTA_LOOP(head));
	return ct_delta_site_of(model, head);
}

/* After a whole record: what the next one depends on. */
static inline void ct_delta_end_record(struct ct_delta_model *model, uint64_t word)
{
	bool is_site = word >> CT_RECORD_KIND_SHIFT == CT_REC_SITE;

	model->extended = is_site ? ((uint32_t)word * 2654435761u >> 20) + 1 : 0;
	model->context = ct_delta_hash((uint32_t)(word >> CT_SITE_SHIFT));
}

#endif
