/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled for AVX2 (host-rt/CMakeLists.txt): xxhash takes what the compiler may use. */
#include "host-rt/content/hash.h"

#ifdef __x86_64__
#define XXH_INLINE_ALL
#include <xxhash.h>

#if XXH_VECTOR != XXH_AVX2
#error "this file is to be compiled with -mavx2"
#endif

void ct_hash_avx2(const void *bytes, size_t count, uint64_t hash[2])
{
	XXH128_hash_t all = XXH3_128bits(bytes, count);

	hash[0] = all.low64;
	hash[1] = all.high64;
}
#endif
