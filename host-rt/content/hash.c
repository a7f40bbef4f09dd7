/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the version that the processor can run. */
#include "host-rt/content/hash.h"

#define XXH_INLINE_ALL
#include <string.h>
#include <xxhash.h>

void ct_hash_plain(const void *bytes, size_t count, uint64_t hash[2])
{
	XXH128_hash_t all = XXH3_128bits(bytes, count);

	hash[0] = all.low64;
	hash[1] = all.high64;
}

void ct_hash_secret(uint64_t secret[CT_DIGEST_SECRET_WORDS])
{
	_Static_assert(sizeof(XXH3_kSecret) == CT_DIGEST_SECRET_WORDS * sizeof(*secret),
		       "the size that the device is given");

	memcpy(secret, XXH3_kSecret, sizeof(XXH3_kSecret));
}

ct_hash_fn *ct_hash_best(void)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		return ct_hash_avx2;
#endif
	return ct_hash_plain;
}
