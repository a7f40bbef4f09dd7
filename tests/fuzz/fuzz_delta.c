/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as records come back from the codec DELTA; any bytes as its output do no harm. */
#include "tests/fuzz/scratch.h"
#include "trace/codec/delta.h"

#include <stdlib.h>
#include <string.h>

static struct ct_delta *delta;

static void check_round_trip(const uint8_t *data, size_t size)
{
	uint8_t *again = malloc(size + 1);
	const void *coded;
	int64_t coded_bytes = ct_delta_encode(delta, data, size, &coded);
	void *copy;

	if (coded_bytes < 0 || (coded_bytes > 0 && (size_t)coded_bytes >= size))
		abort();
	if (coded_bytes > 0) {
		copy = malloc((size_t)coded_bytes); /* so that reading past its end is seen */
		memcpy(copy, coded, (size_t)coded_bytes);
		if (ct_delta_decode(delta, copy, (size_t)coded_bytes, again, size) != 0 ||
		    memcmp(again, data, size) != 0)
			abort();
		free(copy);
	}
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint16_t raw_bytes;
	uint8_t *raw;

	if (!delta && ct_delta_open(&delta) < 0)
		abort();
	check_round_trip(data, size);
	check_round_trip(data, size / 8 * 8);
	if (size < sizeof(raw_bytes))
		return 0;
	memcpy(&raw_bytes, data, sizeof(raw_bytes));
	raw = malloc(raw_bytes + 1u);
	ct_delta_decode(delta, data + sizeof(raw_bytes), size - sizeof(raw_bytes), raw, raw_bytes);
	free(raw);
	return 0;
}
