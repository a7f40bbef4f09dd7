/* SPDX-License-Identifier: Apache-2.0 */
/* XXH3 of 128 bits, at the speed of this processor. */
#ifndef CT_HOST_RT_CONTENT_HASH_H
#define CT_HOST_RT_CONTENT_HASH_H

#include <cudatrace/digest.h>
#include <stddef.h>
#include <stdint.h>

typedef void ct_hash_fn(const void *bytes, size_t count, uint64_t hash[2]);

ct_hash_fn ct_hash_plain;
#ifdef __x86_64__
ct_hash_fn ct_hash_avx2; /* of processors that have it */
#endif

/* The secret that XXH3 begins with, as words. */
void ct_hash_secret(uint64_t secret[CT_DIGEST_SECRET_WORDS]);

/* The fastest that runs here; all give the same. */
ct_hash_fn *ct_hash_best(void);

#endif
