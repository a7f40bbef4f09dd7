/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier values: what is kept of the values that a site loads or stores, by the device, the CPU
 * target and readers alike. The unit is an element of the vector that a thread accesses
 * (docs/values.md); all of it can be joined in any order, and is exact but for the sketch.
 *
 *   bits ──► key, of the order of its type ──► greatest key, greatest complement of a key
 *     ├────► properties, or'ed together
 *     └────► hash ──► one bit of one of 64 maps
 *
 * The maps are those of probabilistic counting (Flajolet and Martin 1985): a value's bit is
 * 2^-(k+1) likely to be bit k of its map. Readers estimate by maximum likelihood: standard error
 * 0.081 of many values, less of few; of one value there is no error, as its keys tell.
 */
#ifndef CUDATRACE_SUMMARY_H
#define CUDATRACE_SUMMARY_H

#include <cudatrace/format.h>
#include <cudatrace/unit.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __CUDA__
#define CT_SUMMARY_INLINE static __device__ __forceinline__
#else
#define CT_SUMMARY_INLINE static inline __attribute__((unused))
#endif

/* Describes the elements to __ct_value: binary logarithm of their bytes (at most 3) in bits 3..0,
 * enum ct_scalar_kind in bits 7..4. 0: they are not summarised. */
#define CT_ELEMENT(scalar, log2, effect) ((uint32_t)(log2) | (uint32_t)(scalar) << 4 | (effect))
#define CT_ELEMENT_LOAD 0x100u
#define CT_ELEMENT_STORE 0x200u
#define CT_ELEMENT_GLOBAL 0x400u  /* in global memory, which holds what a store finds */
#define CT_ELEMENT_ALIGNED 0x800u /* at a multiple of its size */
#define CT_ELEMENT_BYTES(element) (1u << ((element)&15u))
#define CT_ELEMENT_SCALAR(element) ((element) >> 4 & 15u)

/* Properties: enum ct_summary_properties of events.def. */
#define CT_SUMMARY_ROWS 8u /* of a device's summaries, one for several SMs each */
#define CT_SUMMARY_MAPS 64u
#define CT_SUMMARY_MAP_BITS 27u /* the last one stands for itself and all further ones */

/* Addresses from `from` on, and at most `reach` bytes behind it: elements there, and those of the
 * same group beside them, lie in objects that are noted already. */
struct ct_summary_span {
	uint64_t from, reach;
};

/* The summary of one site, in the memory of a device; all zero: of no element. Objects are 1 +
 * their number in the area's order; 0: no known one. The spans are a GPU's. */
struct ct_counts_summary {
	uint64_t high, low; /* greatest key, and greatest complement of a key */
	uint32_t properties;
	uint32_t hint; /* the CPU target's: the object accessed last; 0: none. Of what a device has
			* reduced: the object's id */
	uint32_t last, first; /* greatest object number, and greatest complement of one */
	uint32_t map[CT_SUMMARY_MAPS];
	struct ct_summary_span own, group; /* of its elements, and of the group it begins */
};

/* The words before the maps are the values of one entry (counts.h), and spans are loaded at once,
 * as 16 aligned bytes. */
#ifdef __cplusplus
#define CT_SUMMARY_ASSERT(condition) static_assert(condition, #condition)
#else
#define CT_SUMMARY_ASSERT(condition) _Static_assert(condition, #condition)
#endif
CT_SUMMARY_ASSERT(offsetof(struct ct_counts_summary, map) == 32);
CT_SUMMARY_ASSERT(offsetof(struct ct_counts_summary, own) == 32 + 4 * CT_SUMMARY_MAPS);
CT_SUMMARY_ASSERT(offsetof(struct ct_counts_summary, own) % 16 == 0);
CT_SUMMARY_ASSERT(offsetof(struct ct_counts_summary, group) % 16 == 0);
CT_SUMMARY_ASSERT(sizeof(struct ct_counts_summary) % 16 == 0);

#ifndef __CUDA__
/* Bytes of an element; *is_typed: it has the site's type. 0 if the site has no constant size. */
static inline uint32_t ct_summary_element_bytes(const struct ct_unit_site *site, int *is_typed)
{
	uint32_t bytes = site->bytes, scalar = (site->scalar_bits + 7u) / 8u,
		 widest = bytes & -bytes;

	*is_typed = site->scalar != CT_SCALAR_UNKNOWN && scalar && scalar <= 8 &&
		    !(scalar & (scalar - 1)) && scalar * site->vector_length == bytes;
	return *is_typed ? scalar : widest > 8 ? 8 : widest;
}
#endif

/* All ones in an element's bits. */
CT_SUMMARY_INLINE uint64_t ct_summary_ones(uint32_t bytes)
{
	return ~0ull >> (64 - 8 * bytes);
}

CT_SUMMARY_INLINE uint32_t ct_summary_is_float(uint32_t scalar)
{
	return scalar == CT_SCALAR_FLOAT || scalar == CT_SCALAR_BFLOAT;
}

/* Integers are ordered as signed ones; floats as numbers, -0 below 0; others by their bits. */
CT_SUMMARY_INLINE uint64_t ct_summary_key(uint32_t scalar, uint32_t bytes, uint64_t bits)
{
	uint64_t sign = 1ull << (8 * bytes - 1);

	if (ct_summary_is_float(scalar))
		return bits & sign ? bits ^ ct_summary_ones(bytes) : bits | sign;
	return scalar == CT_SCALAR_INTEGER ? bits ^ sign : bits;
}

CT_SUMMARY_INLINE uint64_t ct_summary_bits_of_key(uint32_t scalar, uint32_t bytes, uint64_t key)
{
	uint64_t sign = 1ull << (8 * bytes - 1);

	if (ct_summary_is_float(scalar))
		return key & sign ? key ^ sign : key ^ ct_summary_ones(bytes);
	return scalar == CT_SCALAR_INTEGER ? key ^ sign : key;
}

/* Both halves of a product: two instructions of a GPU, if the factor is below 2^31. */
CT_SUMMARY_INLINE uint32_t ct_summary_fold(uint32_t x, uint32_t factor)
{
	uint64_t product;

#ifdef __CUDA__
	asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(x), "r"(factor));
#else
	product = (uint64_t)x * factor;
#endif
	return (uint32_t)product ^ (uint32_t)(product >> 32);
}

/* For wider values both halves go in. Once folded, numbers that follow one another are counted
 * wrong by up to half. */
CT_SUMMARY_INLINE uint32_t ct_summary_hash(uint32_t bytes, uint64_t bits)
{
	uint32_t x = (uint32_t)bits;

	if (bytes == 8)
		x = ct_summary_fold(x, 0x5851f42du) ^ ((uint32_t)(bits >> 32) * 0x165667b1u + 1);
	return ct_summary_fold(ct_summary_fold(x, 0x5851f42du), 0x4c957f2du);
}

CT_SUMMARY_INLINE uint32_t ct_summary_map(uint32_t hash)
{
	return hash % CT_SUMMARY_MAPS;
}

CT_SUMMARY_INLINE uint32_t ct_summary_bit(uint32_t hash)
{
	uint32_t rest = hash / CT_SUMMARY_MAPS | 1u << (CT_SUMMARY_MAP_BITS - 1);

	return rest & (0u - rest);
}

/* -0 is zero, too. */
CT_SUMMARY_INLINE uint32_t ct_summary_is_zero(uint32_t scalar, uint32_t bytes, uint64_t bits)
{
	return !(ct_summary_is_float(scalar) ? bits & (ct_summary_ones(bytes) >> 1) : bits);
}

CT_SUMMARY_INLINE uint32_t ct_summary_trailing_zeros(uint64_t bits)
{
#ifdef __CUDA__
	return (uint32_t)__ffsll((long long)bits) - 1;
#else
	return (uint32_t)__builtin_ctzll(bits);
#endif
}

/* Returns the properties of a finite number other than 0: bits from 2^lowest to 2^highest. */
CT_SUMMARY_INLINE uint32_t ct_summary_fits(int32_t lowest, int32_t highest)
{
	uint32_t properties = 0;

	if (lowest < 0 || highest > 32 || (highest == 32 && lowest < 32))
		properties |= CT_PROPERTY_FRACTION;
	if (lowest < -24 || highest > 15 || highest - lowest > 10)
		properties |= CT_PROPERTY_NO_HALF;
	if (lowest < -149 || highest > 127 || highest - lowest > 23)
		properties |= CT_PROPERTY_NO_SINGLE;
	return properties;
}

/* Returns the properties of floats of 4 and 8 bytes; for those of 2 bytes no narrower type is
 * looked for. */
CT_SUMMARY_INLINE uint32_t ct_summary_properties(uint32_t scalar, uint32_t bytes, uint64_t bits)
{
	uint32_t fraction_bits = bytes == 8 ? 52 : 23, ones = bytes == 8 ? 0x7ff : 0xff, exponent;
	uint64_t fraction = bits & ((1ull << fraction_bits) - 1);
	int32_t highest, lowest;

	if (!ct_summary_is_float(scalar))
		return 0;
	if (bytes < 4)
		return CT_PROPERTY_FRACTION;
	exponent = (uint32_t)(bits >> fraction_bits) & ones;
	if (exponent == ones)
		return CT_PROPERTY_FRACTION;
	if (!exponent && !fraction)
		return bits ? CT_PROPERTY_FRACTION : 0;
	if (!exponent) {
		lowest = 1 - (int32_t)(ones >> 1) - (int32_t)fraction_bits +
			 (int32_t)ct_summary_trailing_zeros(fraction);
		return ct_summary_fits(lowest, lowest);
	}
	highest = (int32_t)exponent - (int32_t)(ones >> 1);
	lowest = highest - (int32_t)fraction_bits +
		 (int32_t)ct_summary_trailing_zeros(fraction | 1ull << fraction_bits);
	return ct_summary_fits(lowest, highest);
}

/* With these there is nothing more to learn of a type than CT_PROPERTY_NAN. */
CT_SUMMARY_INLINE uint32_t ct_summary_properties_all(uint32_t scalar, uint32_t bytes)
{
	if (!ct_summary_is_float(scalar))
		return 0;
	return CT_PROPERTY_FRACTION | (bytes > 2 ? CT_PROPERTY_NO_HALF : 0) |
	       (bytes > 4 ? CT_PROPERTY_NO_SINGLE : 0);
}

CT_SUMMARY_INLINE uint32_t ct_summary_is_nan(uint32_t scalar, uint32_t bytes, uint64_t bits)
{
	uint64_t infinity = bytes == 8                   ? 0x7ff0000000000000ull
			    : bytes == 4                 ? 0x7f800000u
			    : scalar == CT_SCALAR_BFLOAT ? 0x7f80u
							 : 0x7c00u;

	return ct_summary_is_float(scalar) && (bits & (ct_summary_ones(bytes) >> 1)) > infinity;
}

#endif
