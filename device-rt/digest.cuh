/* SPDX-License-Identifier: Apache-2.0 */
/* XXH3 of blocks of memory (cudatrace/digest.h), eight lanes each: one for each of its sums. */
#ifndef CT_DEVICE_RT_DIGEST_H
#define CT_DEVICE_RT_DIGEST_H

#include <cudatrace/digest.h>

#define CT_XXH3_STRIPES 16u /* between two scrambles */

__device__ static const uint64_t ct_xxh3_sums[CT_DIGEST_LANES] = {
    0xc2b2ae3dull,         0x9e3779b185ebca87ull, 0xc2b2ae3d27d4eb4full, 0x165667b19e3779f9ull,
    0x85ebca77c2b2ae63ull, 0x85ebca77ull,         0x27d4eb2f165667c5ull, 0x9e3779b1ull};

__device__ static inline uint64_t ct_digest_address(const struct ct_digest &d, uint64_t at)
{
	uint64_t row = at / d.width;

	return d.start + row / d.height * d.slice + row % d.height * d.row + at % d.width;
}

/* 8 bytes from there on, zeros behind the end. */
__device__ static inline uint64_t ct_digest_word(const struct ct_digest &d, uint64_t at)
{
	bool is_one_row = d.width == d.bytes;
	uint64_t word = 0;

	if (at + 8 <= d.bytes && (is_one_row || at % d.width + 8 <= d.width)) {
		uint64_t address = is_one_row ? d.start + at : ct_digest_address(d, at);

		if (!(address & 7))
			return *(const uint64_t *)address;
	}
	for (uint32_t i = 0; i < 8 && at + i < d.bytes; i++)
		word |= (uint64_t) * (const uint8_t *)ct_digest_address(d, at + i) << 8 * i;
	return word;
}

/* 8 bytes of the secret from one that no word begins at. */
__device__ static inline uint64_t ct_digest_key(const struct ct_digest &d, uint32_t byte)
{
	return d.secret[byte / 8] >> byte % 8 * 8 | d.secret[byte / 8 + 1] << (8 - byte % 8) * 8;
}

/* All sums as one word, the same in all lanes. */
__device__ static inline uint64_t ct_digest_merge(uint64_t sum, uint64_t key, uint64_t start)
{
	uint64_t own = sum ^ key, other = __shfl_xor_sync(~0u, own, 1), hash;

	hash = own * other ^ __umul64hi(own, other);
	hash += __shfl_xor_sync(~0u, hash, 2);
	hash += __shfl_xor_sync(~0u, hash, 4);
	hash += start;
	hash = (hash ^ hash >> 37) * 0x165667919e3779f9ull;
	return hash ^ hash >> 32;
}

/* All lanes of a warp take part; those of no block hash the last one again. */
extern "C" __global__ void ct_digest(struct ct_digest d)
{
	uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
	uint64_t blocks = (d.bytes + CT_DIGEST_BLOCK - 1) / CT_DIGEST_BLOCK;
	uint64_t number = thread / CT_DIGEST_LANES;
	uint64_t block = number < blocks ? number : blocks - 1;
	uint32_t lane = threadIdx.x % CT_DIGEST_LANES;
	uint64_t at = block * CT_DIGEST_BLOCK + 8 * lane, sum = ct_xxh3_sums[lane];
	uint64_t low, high;

	for (uint32_t stripe = 0; stripe < CT_DIGEST_BLOCK / 64; stripe++) {
		bool is_last = stripe + 1 == CT_DIGEST_BLOCK / 64;
		uint64_t key = is_last ? ct_digest_key(d, 121 + 8 * lane)
				       : d.secret[stripe % CT_XXH3_STRIPES + lane];
		uint64_t word = ct_digest_word(d, at + 64ull * stripe), mixed = word ^ key;

		sum += __shfl_xor_sync(~0u, word, 1) + (mixed & 0xffffffff) * (mixed >> 32);
		if (stripe % CT_XXH3_STRIPES == CT_XXH3_STRIPES - 1 && !is_last)
			sum = (sum ^ sum >> 47 ^ d.secret[16 + lane]) * 0x9e3779b1ull;
	}
	low = ct_digest_merge(sum, ct_digest_key(d, 11 + 8 * lane),
			      CT_DIGEST_BLOCK * 0x9e3779b185ebca87ull);
	high = ct_digest_merge(sum, ct_digest_key(d, 117 + 8 * lane),
			       ~(CT_DIGEST_BLOCK * 0xc2b2ae3d27d4eb4full));
	if (lane == 0 && number < blocks) {
		((uint64_t *)d.hashes)[2 * block] = low;
		((uint64_t *)d.hashes)[2 * block + 1] = high;
	}
}

#endif
