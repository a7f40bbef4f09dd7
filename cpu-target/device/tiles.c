/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix tiles between memory and fragments: ldmatrix, stmatrix, movmatrix and
 * the loads and stores of wmma. */
#include "cpu-target/device/device.h"
#include "cpu-target/device/element.h"

#define ALL (~0u)

static void sync(void)
{
	__ct_cpu_warp_op(CT_WARP_SYNC, ALL, 0, 0, 0);
}

static u32 this_lane(void)
{
	return ct_cpu_thread_lane(__ct_cpu_thread);
}

/* Where the half of an 8x8 tile is that this lane holds: the lane's row is
 * lane / 4, its halves are number 2 * (lane % 4) and the next; transposed, rows
 * and columns change places. rows: addresses of the tile's 8 rows. */
static uint16_t *half_at(char *const *rows, u32 transposed, u32 half)
{
	u32 row = this_lane() / 4, column = 2 * (this_lane() % 4) + half;

	return transposed ? (uint16_t *)rows[column] + row : (uint16_t *)rows[row] + column;
}

/* Lane 8 i + r brings the address of row r of tile i. */
void __ct_cpu_ldmatrix(u32 count, u32 transposed, char *row, u32 *out)
{
	char *mine[32], **rows = __ct_cpu_warp_share(mine);

	rows[this_lane()] = row;
	sync();
	for (u32 i = 0; i < count; i++)
		out[i] = *half_at(rows + 8 * i, transposed, 0) |
			 (u32)*half_at(rows + 8 * i, transposed, 1) << 16;
	sync();
}

void __ct_cpu_stmatrix(u32 count, u32 transposed, char *row, const u32 *in)
{
	char *mine[32], **rows = __ct_cpu_warp_share(mine);

	rows[this_lane()] = row;
	sync();
	for (u32 i = 0; i < count; i++) {
		*half_at(rows + 8 * i, transposed, 0) = (uint16_t)in[i];
		*half_at(rows + 8 * i, transposed, 1) = (uint16_t)(in[i] >> 16);
	}
	sync();
}

/* movmatrix: a transposed 8x8 tile of halves. */
u32 NVVM(movmatrix)(u32 in)
{
	uint16_t mine[64], *tile = __ct_cpu_warp_share(mine);
	u32 row = this_lane() / 4, column = 2 * (this_lane() % 4), out;

	tile[8 * row + column] = (uint16_t)in;
	tile[8 * row + column + 1] = (uint16_t)(in >> 16);
	sync();
	out = tile[8 * column + row] | (u32)tile[8 * (column + 1) + row] << 16;
	sync();
	return out;
}

/* Offset in bits of the position-th element (counted along rows, for b along
 * columns: see matrix.c) in a matrix of leading dimension stride. */
static u64 offset_of(u32 position, u32 inner, int inner_is_contiguous, u32 stride, u32 bits)
{
	u64 outer = position / inner, within = position % inner;

	return (inner_is_contiguous ? outer * stride + within : within * stride + outer) * bits;
}

/* Elements of less than a byte are moved by the word they fill. */
void __ct_cpu_wmma_load(u32 lines, u32 inner, u32 type, u32 contiguous, u32 stride,
			const char *from, u32 words, u32 *out)
{
	u32 bits = ct_matrix_bits(type), step = bits < 8 ? 32 : bits;
	u32 per_lane = words * 32 / bits, total = lines * inner;

	for (u32 bit = 0; bit < words * 32; bit += step) {
		u32 position = (this_lane() * per_lane + bit / bits) % total;
		u64 at = offset_of(position, inner, (int)contiguous, stride, bits);

		__builtin_memcpy((char *)out + bit / 8, from + at / 8, step / 8);
	}
}

void __ct_cpu_wmma_store(u32 lines, u32 inner, u32 type, u32 contiguous, u32 stride, char *to,
			 u32 words, const u32 *in)
{
	u32 bits = ct_matrix_bits(type), per_lane = words * 32 / bits;

	(void)lines;
	for (u32 i = 0; i < per_lane; i++) {
		u32 position = this_lane() * per_lane + i;
		u64 at = offset_of(position, inner, (int)contiguous, stride, bits);

		__builtin_memcpy(to + at / 8, (const char *)in + i * bits / 8, bits / 8);
	}
}
