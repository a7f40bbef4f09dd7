/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What compiled host code calls in host-rt. Declared for the LLVM pass, the
 * clang plugin's force-included header and host-rt itself.
 *
 * A site descriptor is one NUL-terminated string of fields separated by
 * CT_FIELD_SEPARATOR, built at compile time:
 *   launch:      "L" file line column function kernel-expression argument...
 *   allocation:  "A" file line column function variable size-expression, and
 *                CT_SITE_PASSED_ON where the function allocates for its callers
 * Its address is stable for the life of the process.
 */
#ifndef CUDATRACE_HOST_H
#define CUDATRACE_HOST_H

#include <stddef.h>
#include <stdint.h>

#define CT_FIELD_SEPARATOR '\x1f'
#define CT_SITE_PASSED_ON "passed on"

#ifdef __cplusplus
extern "C" {
#endif

/* Referenced by every instrumented object; a mismatch fails at link time. */
extern const char ct_abi_v6;

struct CUstream_st;

/* One call per unit blob, from a constructor that runs before main. The blob is copied. */
void __ct_register_unit(const void *blob, uint64_t bytes);

/* The same of what is known of the lines of its PTX (places.h), of units with line information. */
void __ct_register_places(const void *blob, uint64_t bytes);

/* The same of blobs that are packed by zstd, as they are in objects: bytes of them when they are
 * unpacked. */
void __ct_register_packed_unit(const void *packed, uint64_t packed_bytes, uint64_t bytes);
void __ct_register_packed_places(const void *packed, uint64_t packed_bytes, uint64_t bytes);

/* After each __cudaRegisterFunction of a kernel. stub: the handle that launches
 * name; clone: the handle under which its instrumented clone was registered (named
 * __ct_<device_name>, or __ct_<unit>_<device_name> for templates under -fgpu-rdc), NULL if
 * the kernel has no clone. unit_id as in the unit blob. param_count: parameters of the pristine
 * kernel. */
void __ct_register_kernel(uint64_t unit_id, const void *stub, const void *clone,
			  const char *device_name, uint32_t param_count);

/* After __ct_register_kernel, of a kernel with the CTA clock (ctas.h): the handle of the clone that
 * has it alone, named __ctc_<device_name> or __ctc_<unit>_<device_name>. */
void __ct_register_clock(const void *stub, const void *clock);

/* The same of the clone that counts basic blocks alone (tier blocks), named __ctb_…. */
void __ct_register_blocks(const void *stub, const void *blocks);

/* After __ct_register_kernel, of a kernel whose work shows without an access to memory: it may
 * print, or end with an error of its own; or it calls functions of other units, which may. stub
 * NULL: what functions may that this unit exports to others. */
#define CT_EFFECT_PRINTS 1u
#define CT_EFFECT_ASSERTS 2u
#define CT_EFFECT_ELSEWHERE 4u
void __ct_register_effects(const void *stub, uint32_t effects);

/* After each __cudaRegisterVar: a __device__ or __constant__ variable. */
void __ct_register_variable(const void *shadow, const char *device_name, uint64_t bytes,
			    uint32_t is_constant);

/* Wrapped around the stream argument of <<<>>> and of launch API calls: notes the site for the
 * next launch of this host thread, if that is made by `call`, an address of a function of CUDA;
 * returns its argument. Which calls have sites, and in which argument, is in api.def. */
struct CUstream_st *__ct_launch_site(struct CUstream_st *stream, const char *site,
				     const void *call);

/* The same around the function argument, for launch calls without a stream argument. */
const void *__ct_launch_site_function(const void *function, const char *site, const void *call);

/* Wrapped around the size argument of allocation calls. */
size_t __ct_alloc_site(size_t size, const char *site, const void *call);

/* Code that was compiled with --ct-host (docs/uses.md) reports its accesses to memory that devices
 * and host share: of an access of at most CT_USE_BYTES_MAX bytes only if address - low < span and
 * pages[CT_USE_PAGE(address)] is not 0, of those of loads if it is one; of what functions do
 * always, since these look themselves. The kinds are those of USE (tables.def). */
#define CT_USE_BYTES_MAX 64u
#define CT_USE_PAGE_SHIFT 12u
#define CT_USE_PAGES 65536u
#define CT_USE_PAGE(address) ((address) >> CT_USE_PAGE_SHIFT & (CT_USE_PAGES - 1))
extern uint8_t __ct_uses_pages[CT_USE_PAGES], __ct_loads_pages[CT_USE_PAGES];
extern uint64_t __ct_uses_low, __ct_uses_span;
extern uint64_t __ct_loads_low, __ct_loads_span;
void __ct_use(const void *pointer, uint64_t bytes, uint32_t kind);
/* Before a loop that accesses what lies in [first, end), of which some is within the bounds: not 0
 * if there is nothing armed in its pages, so that the loop need not ask. */
uint32_t __ct_use_is_apart(uint64_t first, uint64_t end, uint32_t of_loads);
/* Before the function (NULL: an instruction) reads or writes these bytes; a string, of at most
 * limit bytes and its end; frees a block. */
void __ct_use_range(const void *pointer, uint64_t bytes, uint32_t kind, uint32_t writes,
		    const char *function);
void __ct_use_string(const char *pointer, uint64_t limit, uint32_t kind, const char *function);
void __ct_use_block(void *pointer, const char *function);
/* From a constructor of each such unit. */
void __ct_register_host(void);

/* Called before the function, by all host code that we compile, with --ct-host or without.
 *
 * MPI reads or writes count items of a type (and as many for each rank of a communicator): handles
 * are its own, extended to 64 bits. The memory may be a device's. messages: so many for each rank,
 * at such places, in items. anything: it may use all memory that it was given before. */
#define CT_MESSAGE_WRITES 1u
#define CT_MESSAGE_OF_RANKS 2u
void __ct_use_message(const void *pointer, uint64_t count, uint64_t type, uint64_t communicator,
		      uint32_t flags, const char *function);
void __ct_use_messages(const void *pointer, const int *counts, const int *places, uint64_t type,
		       uint64_t communicator, uint32_t flags, const char *function);
void __ct_use_anything(const char *function);
/* It tells the time; asks for errors of the device's work; makes others rely on the order of it. */
void __ct_use_clock(const char *function);
void __ct_use_errors(const char *function);
void __ct_use_shares(const char *function);

/* For tools that ask about the code itself: the instrumented clone of a kernel, NULL if
 * it has none. function: the kernel, or a handle of the CUDA runtime for it. */
const void *__ct_kernel_clone(const void *function);

#ifdef __cplusplus
}
#endif
#endif
