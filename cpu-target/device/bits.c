/* SPDX-License-Identifier: Apache-2.0 */
/* Integer operations of PTX that have no LLVM instruction. */
#include "cpu-target/device/device.h"

/* prmt: four bytes chosen from the eight of b:a; bit 3 of a selector
 * replicates the sign of the byte. */
u32 NVVM(prmt)(u32 a, u32 b, u32 selectors)
{
	u64 bytes = (u64)b << 32 | a;
	u32 result = 0;

	for (u32 i = 0; i < 4; i++) {
		u32 selector = selectors >> (4 * i);
		u32 byte = bytes >> (8 * (selector & 7)) & 0xff;

		if (selector & 8)
			byte = byte & 0x80 ? 0xff : 0;
		result |= byte << (8 * i);
	}
	return result;
}

#define PRMT_MODE(name, expression)                                                                \
	u32 NVVM(prmt_##name)(u32 a, u32 b, u32 c)                                                 \
	{                                                                                          \
		u32 s = c & 3;                                                                     \
                                                                                                   \
		return NVVM(prmt)(a, b, expression);                                               \
	}

/* Selectors of the modes, PTX ISA table "prmt"; indexed by the low bits of c. */
static const uint16_t forward_4[] = {0x3210, 0x4321, 0x5432, 0x6543};
static const uint16_t backward_4[] = {0x5670, 0x6701, 0x7012, 0x0123};
static const uint16_t replicate_8[] = {0x0000, 0x1111, 0x2222, 0x3333};
static const uint16_t edge_left[] = {0x3210, 0x3211, 0x3222, 0x3333};
static const uint16_t edge_right[] = {0x0000, 0x1110, 0x2210, 0x3210};
static const uint16_t replicate_16[] = {0x1010, 0x3232, 0x1010, 0x3232};

PRMT_MODE(f4e, forward_4[s])
PRMT_MODE(b4e, backward_4[s])
PRMT_MODE(rc8, replicate_8[s])
PRMT_MODE(ecl, edge_left[s])
PRMT_MODE(ecr, edge_right[s])
PRMT_MODE(rc16, replicate_16[s])

u32 NVVM(sad_i)(i32 a, i32 b, u32 c)
{
	return c + (a > b ? (u32)a - (u32)b : (u32)b - (u32)a);
}

u32 NVVM(sad_ui)(u32 a, u32 b, u32 c)
{
	return c + (a > b ? a - b : b - a);
}

/* Position of the n-th set bit from base; n < 0 counts downwards. */
u32 NVVM(fns)(u32 mask, u32 base, i32 n)
{
	i32 step = n < 0 ? -1 : 1, left = n < 0 ? -n : n;

	if (n == 0)
		return mask >> (base & 31) & 1 ? base : ~0u;
	for (i32 i = (i32)base; i >= 0 && i < 32; i += step)
		if (mask >> i & 1 && --left == 0)
			return (u32)i;
	return ~0u;
}

/* bmsk: width ones from a position on; clamped to 32 or modulo 32. */
u32 NVVM(bmsk_clamp)(u32 position, u32 width)
{
	u32 ones = width < 32 ? (1u << width) - 1 : ~0u;

	return position < 32 ? ones << position : 0;
}

u32 NVVM(bmsk_wrap)(u32 position, u32 width)
{
	return ((1u << (width & 31)) - 1) << (position & 31);
}

/* Bit fields: position and length are the low 8 bits of b and c. */
#define BIT_FIELD(bits)                                                                            \
	u##bits NVVM(bfe_u##bits)(u##bits a, u32 b, u32 c)                                         \
	{                                                                                          \
		u32 position = b & 0xff, length = c & 0xff;                                        \
		u##bits field = position < bits ? a >> position : 0;                               \
                                                                                                   \
		return length < bits ? field & (((u##bits)1 << length) - 1) : field;               \
	}                                                                                          \
	u##bits NVVM(bfe_s##bits)(u##bits a, u32 b, u32 c)                                         \
	{                                                                                          \
		u32 position = b & 0xff, length = c & 0xff, top = position + length;               \
		u##bits sign, field = NVVM(bfe_u##bits)(a, b, c);                                  \
                                                                                                   \
		if (length == 0)                                                                   \
			return 0;                                                                  \
		sign = a >> (top - 1 < bits ? top - 1 : bits - 1) & 1;                             \
		top = position < bits ? (length < bits - position ? length : bits - position) : 0; \
		return sign && top < bits ? field | ~(u##bits)0 << top : field;                    \
	}                                                                                          \
	u##bits NVVM(bfi_b##bits)(u##bits a, u##bits b, u32 c, u32 d)                              \
	{                                                                                          \
		u32 position = c & 0xff, length = d & 0xff;                                        \
		u##bits mask = length < bits ? ((u##bits)1 << length) - 1 : ~(u##bits)0;           \
                                                                                                   \
		if (position >= bits)                                                              \
			return b;                                                                  \
		return (b & ~(mask << position)) | ((a & mask) << position);                       \
	}

BIT_FIELD(32)
BIT_FIELD(64)

/* Position of the highest bit that differs from the sign. */
u32 NVVM(bfind_u32)(u32 a)
{
	return a ? 31 - (u32)__builtin_clz(a) : ~0u;
}

u32 NVVM(bfind_u64)(u64 a)
{
	return a ? 63 - (u32)__builtin_clzll(a) : ~0u;
}

u32 NVVM(bfind_s32)(i32 a)
{
	return NVVM(bfind_u32)((u32)(a < 0 ? ~a : a));
}

u32 NVVM(bfind_s64)(i64 a)
{
	return NVVM(bfind_u64)((u64)(a < 0 ? ~a : a));
}

/* dp4a, dp2a: sums of byte products. */
static i32 lane_of(u32 word, u32 index, u32 bits, int is_signed)
{
	u32 shift = 32 - bits, field = word << (shift - index * bits);

	return is_signed ? (i32)field >> shift : (i32)(field >> shift);
}

#define DOT(name, a_signed, b_signed)                                                              \
	u32 NVVM(idp4a_##name)(u32 a, u32 b, u32 c)                                                \
	{                                                                                          \
		for (u32 i = 0; i < 4; i++)                                                        \
			c += (u32)(lane_of(a, i, 8, a_signed) * lane_of(b, i, 8, b_signed));       \
		return c;                                                                          \
	}                                                                                          \
	u32 NVVM(idp2a_##name)(u32 a, u32 b, u32 is_high, u32 c)                                   \
	{                                                                                          \
		for (u32 i = 0; i < 2; i++)                                                        \
			c += (u32)(lane_of(a, i, 16, a_signed) *                                   \
				   lane_of(b, i + 2 * (is_high != 0), 8, b_signed));               \
		return c;                                                                          \
	}

DOT(s_s, 1, 1)
DOT(s_u, 1, 0)
DOT(u_s, 0, 1)
DOT(u_u, 0, 0)
