/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matrix operations of a warp: what ct-retarget passes to the device runtime.
 * A fragment is the 32-bit registers of one lane, lowest element first; 64-bit
 * elements take two.
 */
#ifndef CT_CPU_TARGET_DEVICE_MATRIX_H
#define CT_CPU_TARGET_DEVICE_MATRIX_H

#include <stdint.h>

/* CT_MATRIX_TYPE(NAME, "as in PTX", bits in a register) */
#define CT_MATRIX_TYPES                                                                            \
	CT_MATRIX_TYPE(F16, "f16", 16)                                                             \
	CT_MATRIX_TYPE(BF16, "bf16", 16)                                                           \
	CT_MATRIX_TYPE(TF32, "tf32", 32)                                                           \
	CT_MATRIX_TYPE(F32, "f32", 32)                                                             \
	CT_MATRIX_TYPE(F64, "f64", 64)                                                             \
	CT_MATRIX_TYPE(S8, "s8", 8)                                                                \
	CT_MATRIX_TYPE(U8, "u8", 8)                                                                \
	CT_MATRIX_TYPE(S4, "s4", 4)                                                                \
	CT_MATRIX_TYPE(U4, "u4", 4)                                                                \
	CT_MATRIX_TYPE(B1, "b1", 1)                                                                \
	CT_MATRIX_TYPE(S32, "s32", 32)                                                             \
	CT_MATRIX_TYPE(E4M3, "e4m3", 8)                                                            \
	CT_MATRIX_TYPE(E5M2, "e5m2", 8)

enum ct_matrix_type {
#define CT_MATRIX_TYPE(name, text, bits) CT_MATRIX_##name,
	CT_MATRIX_TYPES
#undef CT_MATRIX_TYPE
};

enum ct_matrix_flags {
	CT_MMA_SATURATE = 1, /* .satfinite of integers */
	CT_MMA_AND = 2,      /* .and.popc of bits, else .xor.popc */
	CT_MMA_A_COLUMN = 4, /* m8n8k4 of f16: layouts of a and b */
	CT_MMA_B_ROW = 8,
	CT_MMA_WMMA = 16, /* fragments as wmma.load makes them, else as of mma */
};

#define CT_MATRIX_WORDS 16 /* largest fragment */

struct ct_cpu_mma {
	uint32_t m, n, k;
	uint32_t a, b, c, d; /* enum ct_matrix_type */
	uint32_t flags;
	uint32_t a_words, b_words, c_words, d_words;
};

/* Called by ct-retarget's code, by all 32 lanes together.
 * inner: length of the lines that fragments count along (rows; for b columns);
 * contiguous: elements of a line are next to each other in memory. */
void __ct_cpu_mma(const struct ct_cpu_mma *mma, uint32_t *d, const uint32_t *a, const uint32_t *b,
		  const uint32_t *c);
void __ct_cpu_ldmatrix(uint32_t count, uint32_t transposed, char *row, uint32_t *out);
void __ct_cpu_stmatrix(uint32_t count, uint32_t transposed, char *row, const uint32_t *in);
void __ct_cpu_wmma_load(uint32_t lines, uint32_t inner, uint32_t type, uint32_t contiguous,
			uint32_t stride, const char *from, uint32_t words, uint32_t *out);
void __ct_cpu_wmma_store(uint32_t lines, uint32_t inner, uint32_t type, uint32_t contiguous,
			 uint32_t stride, char *to, uint32_t words, const uint32_t *in);

/* The address that lane 0 of the whole warp brings. */
void *__ct_cpu_warp_share(void *mine);

#endif
