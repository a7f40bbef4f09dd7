/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of matrix fragments as numbers. */
#include "cpu-target/device/element.h"

u32 ct_matrix_bits(u32 type)
{
	switch (type) {
#define CT_MATRIX_TYPE(name, text, bits)                                                           \
	case CT_MATRIX_##name:                                                                     \
		return bits;
		CT_MATRIX_TYPES
#undef CT_MATRIX_TYPE
	}
	return 32;
}

u32 ct_matrix_raw(const u32 *words, u32 type, u32 index)
{
	u32 bits = ct_matrix_bits(type), at = index * bits;

	return bits == 32 ? words[index] : words[at / 32] >> at % 32 & ((1u << bits) - 1);
}

static float half_of(u32 raw)
{
	uint16_t bits = (uint16_t)raw;
	_Float16 value;

	__builtin_memcpy(&value, &bits, sizeof(value));
	return (float)value;
}

/* Sign, exponent, mantissa; e5m2 is the upper half of an f16. */
static float e4m3_of(u32 raw)
{
	u32 exponent = raw >> 3 & 15, mantissa = raw & 7, sign = raw >> 7 << 31;

	if (exponent == 15 && mantissa == 7)
		return float_of(0x7fc00000);
	if (exponent == 0)
		return (sign ? -1.0f : 1.0f) * (float)mantissa * 0x1p-9f;
	return float_of(sign | (exponent + 120) << 23 | mantissa << 20);
}

double ct_matrix_real(const u32 *words, u32 type, u32 index)
{
	double wide;

	switch (type) {
	case CT_MATRIX_F64:
		__builtin_memcpy(&wide, words + 2 * index, sizeof(wide));
		return wide;
	case CT_MATRIX_F16:
		return half_of(ct_matrix_raw(words, type, index));
	case CT_MATRIX_BF16:
		return float_of(ct_matrix_raw(words, type, index) << 16);
	case CT_MATRIX_TF32: /* the lowest 13 bits are not used */
		return float_of(words[index] & ~0x1fffu);
	case CT_MATRIX_E4M3:
		return e4m3_of(ct_matrix_raw(words, type, index));
	case CT_MATRIX_E5M2:
		return half_of(ct_matrix_raw(words, type, index) << 8);
	default:
		return float_of(words[index]);
	}
}

i64 ct_matrix_integer(const u32 *words, u32 type, u32 index)
{
	u32 raw = ct_matrix_raw(words, type, index);

	switch (type) {
	case CT_MATRIX_S8:
		return (int8_t)raw;
	case CT_MATRIX_S4:
		return (i32)(raw << 28) >> 28;
	case CT_MATRIX_S32:
		return (i32)raw;
	default:
		return raw;
	}
}

void ct_matrix_put(u32 *words, u32 type, u32 index, double value)
{
	_Float16 half = (_Float16)value;
	float single = (float)value;
	uint16_t bits;

	switch (type) {
	case CT_MATRIX_F64:
		__builtin_memcpy(words + 2 * index, &value, sizeof(value));
		break;
	case CT_MATRIX_F16:
		__builtin_memcpy(&bits, &half, sizeof(bits));
		words[index / 2] |= (u32)bits << 16 * (index % 2);
		break;
	default:
		__builtin_memcpy(words + index, &single, sizeof(single));
		break;
	}
}
