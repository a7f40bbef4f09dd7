/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as records; what is decoded comes back from the encoder as it was. */
#include "scratch.h"
#include "trace/decode.h"

#include <cudatrace/encode.h>
#include <stdlib.h>
#include <string.h>

static int on_segment(void *user, const struct ct_segment *segment)
{
	(void)user;
	return segment->warp < 32 && segment->launch != 0;
}

static int on_site(void *user, uint32_t kind, uint64_t site, uint32_t *bytes)
{
	(void)user;
	(void)kind;
	*bytes = 1u << site % 5;
	return 0;
}

struct again {
	uint32_t site, mask;
	const uint64_t *address;
	uint64_t decoded[CT_WARP_LANES];
};

static int on_access_again(void *user, uint32_t site, uint32_t mask, const uint64_t *address)
{
	struct again *again = user;

	if (site != again->site || mask != again->mask)
		abort();
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		if (mask >> lane & 1 && address[lane] != again->address[lane])
			abort();
	return 1;
}

static int on_access(void *user, uint32_t site, uint32_t mask, const uint64_t *address)
{
	uint64_t words[2 + CT_RECORD_BYTES_MAX / 8] = {CT_SEGMENT_WORD0(0, 0, 1),
						       CT_SEGMENT_WORD1(0, 0)};
	uint32_t bytes = 1u << site % 5;
	uint32_t n = ct_encode_access(words + 2, site, bytes, mask, address);
	struct again again = {.site = site, .mask = mask, .address = address};
	const struct ct_decoder decoder = {
	    .segment = on_segment,
	    .site_bytes = on_site,
	    .access = on_access_again,
	    .address = again.decoded,
	    .user = &again,
	};

	(void)user;
	if (8 * n > CT_RECORD_BYTES_MAX || ct_decode(&decoder, words, 8 * (2 + n), NULL) != 1)
		abort();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t address[CT_WARP_LANES];
	const struct ct_decoder decoder = {
	    .segment = on_segment,
	    .site_bytes = on_site,
	    .access = on_access,
	    .address = address,
	};
	size_t position = 0;

	if (ct_decode(&decoder, data, size, &position) != 0 && position > size)
		abort();
	return 0;
}
