/* SPDX-License-Identifier: Apache-2.0 */
/* Blobs that the compiler has packed. */
#ifndef CT_TRACE_CODEC_UNPACK_H
#define CT_TRACE_CODEC_UNPACK_H

#include <stddef.h>

/* A frame of zstd, unpacked into memory that the caller frees; NULL if it does not have just so
 * many bytes, or for want of memory. */
void *ct_unpack(const void *packed, size_t packed_bytes, size_t bytes);

#endif
