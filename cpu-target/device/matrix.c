/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matrix multiply-accumulate. Lanes lay their fragments side by side, then each
 * computes the elements of its own result. Fragment layouts: PTX ISA, "Warp
 * Level Matrix Multiply-Accumulate Instructions". Sums of reals are made in
 * double and rounded once.
 */
#include "cpu-target/device/matrix.h"
#include "cpu-target/device/device.h"
#include "cpu-target/device/element.h"

struct fragments {
	u32 a[32][CT_MATRIX_WORDS];
	u32 b[32][CT_MATRIX_WORDS];
};

/* Where an element is: in which lane, the how many-th of its fragment. */
struct place {
	u32 lane, index;
};

/* Elements of a wmma fragment are dealt out in order, so many to each lane;
 * where a matrix has fewer than 32 lanes hold, several lanes hold it. */
static struct place dealt(u32 position, u32 words, u32 type)
{
	u32 per_lane = words * 32 / ct_matrix_bits(type);

	return (struct place){position / per_lane, position % per_lane};
}

/* Registers of mma are filled along k; m16 alternates between the upper and
 * the lower half of the rows. */
static struct place place_a(const struct ct_cpu_mma *mma, u32 row, u32 k)
{
	u32 bits = ct_matrix_bits(mma->a), each = bits < 32 ? 32 / bits : 1;
	u32 block = k / (4 * each), halves = mma->m / 8;

	if (mma->flags & CT_MMA_WMMA)
		return dealt(row * mma->k + k, mma->a_words, mma->a);
	return (struct place){4 * (row % 8) + k / each % 4,
			      each * (block * halves + row / 8) + k % each};
}

static struct place place_b(const struct ct_cpu_mma *mma, u32 k, u32 column)
{
	u32 bits = ct_matrix_bits(mma->b), each = bits < 32 ? 32 / bits : 1;

	if (mma->flags & CT_MMA_WMMA)
		return dealt(column * mma->k + k, mma->b_words, mma->b);
	return (struct place){4 * (column % 8) + k / each % 4, each * (k / (4 * each)) + k % each};
}

/* Row and column of the index-th element of lane's part of c and d. */
static void place_c(const struct ct_cpu_mma *mma, u32 lane, u32 index, u32 *row, u32 *column)
{
	u32 per_lane = mma->d_words * 32 / ct_matrix_bits(mma->d);
	u32 position = lane * per_lane + index;

	if (mma->flags & CT_MMA_WMMA) {
		*row = position / mma->n;
		*column = position % mma->n;
	} else {
		*row = lane / 4 + 8 * (index / 2);
		*column = 2 * (lane % 4) + index % 2;
	}
}

static double real_sum(const struct ct_cpu_mma *mma, const struct fragments *f, u32 row, u32 column)
{
	double sum = 0;

	for (u32 k = 0; k < mma->k; k++) {
		struct place a = place_a(mma, row, k), b = place_b(mma, k, column);

		sum += ct_matrix_real(f->a[a.lane], mma->a, a.index) *
		       ct_matrix_real(f->b[b.lane], mma->b, b.index);
	}
	return sum;
}

static i64 integer_sum(const struct ct_cpu_mma *mma, const struct fragments *f, u32 row, u32 column)
{
	i64 sum = 0;

	for (u32 k = 0; k < mma->k; k++) {
		struct place at_a = place_a(mma, row, k), at_b = place_b(mma, k, column);
		i64 a = ct_matrix_integer(f->a[at_a.lane], mma->a, at_a.index);
		i64 b = ct_matrix_integer(f->b[at_b.lane], mma->b, at_b.index);

		if (mma->a != CT_MATRIX_B1)
			sum += a * b;
		else
			sum += mma->flags & CT_MMA_AND ? a & b : a ^ b;
	}
	return sum;
}

static i32 add_integer(const struct ct_cpu_mma *mma, i64 sum, u32 c)
{
	sum += (i32)c;
	if (mma->flags & CT_MMA_SATURATE)
		sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
	return (i32)sum;
}

/* m8n8k4 of halves: four products at once, each by the lanes 4q..4q+3 and
 * those 16 above. Elements 0..3 of a and b lie along a row or a column. */
static double quad_sum(const struct ct_cpu_mma *mma, const struct fragments *f, u32 quad, u32 row,
		       u32 column)
{
	double sum = 0;

	for (u32 k = 0; k < 4; k++) {
		u32 a_lane = mma->flags & CT_MMA_A_COLUMN ? k : row % 4;
		u32 a_index = mma->flags & CT_MMA_A_COLUMN ? row % 4 : k;
		u32 b_lane = mma->flags & CT_MMA_B_ROW ? k : column % 4;
		u32 b_index = mma->flags & CT_MMA_B_ROW ? column % 4 : k;

		sum += ct_matrix_real(f->a[4 * quad + a_lane + 16 * (row / 4)], mma->a, a_index) *
		       ct_matrix_real(f->b[4 * quad + b_lane + 16 * (column / 4)], mma->b, b_index);
	}
	return sum;
}

static void place_quad_c(const struct ct_cpu_mma *mma, u32 lane, u32 index, u32 *row, u32 *column)
{
	u32 upper = 4 * (lane / 16);

	if (mma->d == CT_MATRIX_F16) {
		*row = lane % 4 + upper;
		*column = index;
	} else {
		*row = (lane & 1) + (index & 2) + upper;
		*column = (index & 4) + (lane & 2) + (index & 1);
	}
}

static void compute(const struct ct_cpu_mma *mma, const struct fragments *f, u32 lane, u32 *d,
		    const u32 *c)
{
	u32 elements = mma->d_words * 32 / ct_matrix_bits(mma->d), row, column;
	int quads = mma->a == CT_MATRIX_F16 && mma->m == 8 && mma->k == 4;

	for (u32 i = 0; i < mma->d_words; i++)
		d[i] = 0;
	for (u32 i = 0; i < elements; i++) {
		if (quads) {
			place_quad_c(mma, lane, i, &row, &column);
			ct_matrix_put(d, mma->d, i,
				      quad_sum(mma, f, lane % 16 / 4, row, column) +
					  ct_matrix_real(c, mma->c, i));
			continue;
		}
		place_c(mma, lane, i, &row, &column);
		if (mma->d == CT_MATRIX_S32)
			d[i] = (u32)add_integer(mma, integer_sum(mma, f, row, column), c[i]);
		else
			ct_matrix_put(d, mma->d, i,
				      real_sum(mma, f, row, column) + ct_matrix_real(c, mma->c, i));
	}
}

void *__ct_cpu_warp_share(void *mine)
{
	return (void *)__ct_cpu_warp_op(CT_WARP_SHFL_IDX, ~0u, (u64)mine, 0, 31);
}

void __ct_cpu_mma(const struct ct_cpu_mma *mma, u32 *d, const u32 *a, const u32 *b, const u32 *c)
{
	u32 lane = ct_cpu_thread_lane(__ct_cpu_thread);
	struct fragments mine, *f = __ct_cpu_warp_share(&mine);

	for (u32 i = 0; i < mma->a_words; i++)
		f->a[lane][i] = a[i];
	for (u32 i = 0; i < mma->b_words; i++)
		f->b[lane][i] = b[i];
	__ct_cpu_warp_op(CT_WARP_SYNC, ~0u, 0, 0, 0);
	compute(mma, f, lane, d, c);
	__ct_cpu_warp_op(CT_WARP_SYNC, ~0u, 0, 0, 0);
}
