/* SPDX-License-Identifier: Apache-2.0 */
/* The Sanitizer API calls this for every access to global memory, thread by thread. */
#include "sanitizer.h"
#include <sanitizer_patching.h>

extern "C" __device__ __noinline__ SanitizerPatchResult trace_access(void *user, uint64_t pc,
								     void *address, uint32_t bytes,
								     uint32_t flags, const void *)
{
	struct sanitizer_buffer *buffer = (struct sanitizer_buffer *)user;
	unsigned long long number = atomicAdd(&buffer->count, 1ull);
	struct sanitizer_record *record = &buffer->records[number % SANITIZER_RECORDS];

	record->pc = pc;
	record->address = (uint64_t)address;
	record->bytes = bytes;
	record->flags = flags;
	return SANITIZER_PATCH_SUCCESS;
}
