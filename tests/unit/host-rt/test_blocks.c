/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of blocks do not depend on the pieces that the bytes come in, nor on the processor. */
#include "host-rt/content/blocks.h"
#include "host-rt/content/hash.h"
#include <criterion/criterion.h>
#include <string.h>

#define BYTES (5 * CT_BLOCK_BYTES + 123)

static unsigned char data[BYTES];

static void fill(void)
{
	for (size_t i = 0; i < BYTES; i++)
		data[i] = (unsigned char)(i * 2654435761u >> 13);
}

/* piece: bytes at once */
static struct ct_blocks *added(const unsigned char *bytes, size_t count, size_t piece)
{
	struct ct_blocks *blocks = ct_blocks_new(count);

	cr_assert_not_null(blocks);
	for (size_t at = 0; at < count; at += piece)
		ct_blocks_add(blocks, bytes + at, count - at < piece ? count - at : piece);
	return blocks;
}

Test(hostrt_blocks, pieces_of_any_size_give_the_same_hash)
{
	static const size_t pieces[] = {
	    1, 7, 100, CT_BLOCK_BYTES - 1, CT_BLOCK_BYTES, CT_BLOCK_BYTES + 1, 3 * CT_BLOCK_BYTES};
	struct ct_blocks *whole, *other;
	uint64_t expected[2], hash[2];

	fill();
	whole = added(data, BYTES, BYTES);
	ct_blocks_hash(whole, expected);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		other = added(data, BYTES, pieces[i]);
		ct_blocks_hash(other, hash);
		cr_expect_arr_eq(hash, expected, sizeof(hash), "pieces of %zu", pieces[i]);
		cr_expect_eq(ct_blocks_same(whole, other), BYTES);
		ct_blocks_free(other);
	}
	ct_blocks_free(whole);
}

Test(hostrt_blocks, one_byte_makes_another_block_and_another_whole)
{
	struct ct_blocks *before, *after;
	uint64_t hash[2][2];

	fill();
	before = added(data, BYTES, BYTES);
	data[2 * CT_BLOCK_BYTES] ^= 1;
	data[BYTES - 1] ^= 1; /* of the last block, which is short */
	after = added(data, BYTES, 1000);
	ct_blocks_hash(before, hash[0]);
	ct_blocks_hash(after, hash[1]);
	cr_expect_neq(hash[0][0], hash[1][0]);
	cr_expect_neq(hash[0][1], hash[1][1]);
	cr_expect_eq(ct_blocks_same(before, after), 4 * CT_BLOCK_BYTES);
	ct_blocks_free(before);
	ct_blocks_free(after);
}

Test(hostrt_blocks, equal_bytes_of_other_lengths_differ)
{
	struct ct_blocks *longer = added(data, 200, 200), *shorter = added(data, 199, 199);
	uint64_t hash[2][2];

	memset(data, 0, BYTES);
	ct_blocks_hash(longer, hash[0]);
	ct_blocks_hash(shorter, hash[1]);
	cr_expect_neq(hash[0][0], hash[1][0]);
	ct_blocks_free(longer);
	ct_blocks_free(shorter);
}

Test(hostrt_blocks, every_processor_has_the_same_hash)
{
	uint64_t plain[2], best[2];

	fill();
	for (size_t count = 0; count <= BYTES; count += count < 600 ? 1 : 977) {
		ct_hash_plain(data, count, plain);
		ct_hash_best()(data, count, best);
		cr_expect_arr_eq(plain, best, sizeof(plain), "%zu bytes", count);
	}
}
