/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hashes of blocks of device memory by a kernel in the copy's stream: at the speed of the device's
 * memory, and what comes back is 16 bytes of 4096.
 *
 * A kernel waits for room on the device, where a copy does not: behind one that does not end before
 * the host has copied something, it would wait for ever. So it serves copies in the legacy default
 * stream, which wait for the kernels of all others by themselves, of programs that have made no
 * stream which does not synchronise with it. Others have their bytes copied (staging.h).
 */
#ifndef CT_HOST_RT_CONTENT_DIGEST_H
#define CT_HOST_RT_CONTENT_DIGEST_H

#include <cuda_runtime_api.h>
#include <cudatrace/digest.h>
#include <stdbool.h>

/* The host hashes fewer bytes: asking the device takes 0.1 ms longer (H200, copies of some
 * bytes), as long as the host takes for about so many. */
#define CT_DIGEST_LEAST ((uint64_t)256 << 10)

/* Whether it may be asked of this stream, for memory at this address. In a quiet section. */
bool ct_digest_serves(cudaStream_t stream, const void *address);

/* Puts it into the stream: its memory and the place of the hashes are set, its secret is not.
 * False: CUDA refuses. */
bool ct_digest_begin(struct ct_digest *digest, cudaStream_t stream);

#endif
