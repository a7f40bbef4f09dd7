/* SPDX-License-Identifier: Apache-2.0 */
/* Blobs that the compiler has packed. */
#include "trace/codec/unpack.h"

#include <stdlib.h>
#include <zstd.h>

void *ct_unpack(const void *packed, size_t packed_bytes, size_t bytes)
{
	void *blob = malloc(bytes ? bytes : 1);

	if (blob && ZSTD_decompress(blob, bytes, packed, packed_bytes) == bytes)
		return blob;
	free(blob);
	return NULL;
}
