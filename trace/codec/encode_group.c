/* SPDX-License-Identifier: Apache-2.0 */
/* Encode records that stand for several accesses: groups and loops. */
#include <cudatrace/encode.h>
#include <string.h>

static uint64_t extended_word(enum ct_extended_variant variant, uint32_t site, uint32_t count)
{
	return (uint64_t)CT_REC_EXTENDED << CT_RECORD_KIND_SHIFT | (uint64_t)site << CT_SITE_SHIFT |
	       (uint64_t)variant << CT_EXTENDED_VARIANT_SHIFT | count;
}

uint32_t ct_encode_group(uint64_t *words, uint32_t site, uint32_t count, const uint64_t *distance)
{
	words[0] = extended_word(CT_EXTENDED_GROUP, site, count);
	memcpy(words + 1, distance, count * sizeof(*distance));
	return 1 + count;
}

uint32_t ct_encode_loop(uint64_t *words, uint32_t site, uint32_t count, uint64_t iterations,
			const struct ct_loop_site *sites)
{
	uint64_t *at = words;

	*at++ = extended_word(CT_EXTENDED_LOOP, site, count);
	*at++ = iterations;
	for (uint32_t k = 0; k < count; k++) {
		*at++ = (sites[k].base & CT_ADDRESS_MASK) | (uint64_t)sites[k].log2_width
								<< CT_LOOP_WIDTH_SHIFT;
		*at++ = (uint64_t)(uint32_t)sites[k].outer << 32 | (uint32_t)sites[k].inner;
		*at++ = (uint64_t)sites[k].step;
	}
	return (uint32_t)(at - words);
}
