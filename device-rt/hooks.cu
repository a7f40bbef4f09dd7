/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hooks of hooks.def on the GPU. Compiled to bitcode and linked into every
 * instrumented device module; it knows nothing of the program but what comes
 * through the context pointer.
 */
#include "encode.cuh"

#define CT_HOOK extern "C" __device__

/* Called once by every lane that exists, so that waiting for all of them is
 * sound even if they do not arrive together. Takes a slot and begins a segment
 * here, where no user code is divergent yet. Returns the shared address of the
 * warp's state. */
CT_HOOK __noinline__ uint32_t __ct_enter(uint64_t context, uint32_t launch, uint32_t flags)
{
	uint32_t thread = ct_thread(), warp = ct_warp_state(thread);
	uint32_t lanes = ct_warp_lanes(thread);

	(void)flags;
	if (thread % CT_WARP_LANES == 0) {
		ct_shared_store64(CT_AT(warp, cursor), 0);
		ct_shared_store64(CT_AT(warp, end), 0);
		ct_shared_store64(CT_AT(warp, context), context);
		ct_ticket_init(CT_AT(warp, tickets));
		ct_shared_store(CT_AT(warp, slot), CT_SLOT_OWNED);
		ct_shared_store(CT_AT(warp, start), 0);
		ct_shared_store(CT_AT(warp, launch), launch);
		ct_shared_store(CT_AT(warp, sequence), 0);
		ct_shared_store(CT_AT(warp, serving), 0);
		ct_shared_store(CT_AT(warp, exited), 0);
	}
	__syncwarp(lanes);
	ct_chunk_change(warp, lanes, 8 + CT_SPARE_BYTES);
	return warp;
}

/*
 * All 32 lanes, at a common address shape: uniform, affine, strided or two
 * rows of 16. 64-bit comparisons, so that a wrapped sum never passes for a
 * shape. Returns false if the shape is none of these.
 */
CT_INLINE bool ct_record_full(uint32_t warp, uint64_t site, uint64_t address, uint32_t bytes)
{
	uint32_t lane = ct_lane(), kind, need;
	uint64_t base = __shfl_sync(CT_FULL_MASK, address, 0), second, at;
	int32_t stride =
	    (int32_t)(__shfl_sync(CT_FULL_MASK, (uint32_t)address, 16) - (uint32_t)base);
	uint64_t expected = base + (lane & 15) * bytes + (lane & 16 ? (int64_t)stride : 0);

	if (base >> CT_ADDRESS_BITS)
		return false;
	if (__all_sync(CT_FULL_MASK, address == expected)) {
		kind = stride == (int32_t)(16 * bytes) ? CT_REC_AFFINE : CT_REC_ROWS;
		second = 4ull << 32 | (uint32_t)stride;
	} else {
		stride =
		    (int32_t)(__shfl_sync(CT_FULL_MASK, (uint32_t)address, 1) - (uint32_t)base);
		if (!__all_sync(CT_FULL_MASK, address == base + (int64_t)lane * stride))
			return false;
		kind = stride ? CT_REC_STRIDED : CT_REC_UNIFORM;
		second = (uint64_t)(uint32_t)stride << 32 | CT_FULL_MASK;
	}
	need = kind <= CT_REC_UNIFORM ? 8 : 16;
	at = ct_reserve(warp, CT_FULL_MASK, need);
	if (at && lane == 0) {
		ct_shared_store64(CT_AT(warp, cursor), at + need);
		ct_store64(at, (uint64_t)kind << CT_RECORD_KIND_SHIFT |
				   (uint64_t)site << CT_SITE_SHIFT | base);
		if (need == 16)
			ct_store64(at + 8, second);
	}
	__syncwarp();
	return true;
}

/* Not __forceinline__, which would leave nothing to link. */
CT_HOOK __attribute__((always_inline)) void __ct_access(uint32_t warp, uint64_t site,
							uint64_t address, uint32_t bytes)
{
	uint32_t mask = __activemask();

	if (mask == CT_FULL_MASK && site < CT_SITE_EXTENDED &&
	    ct_record_full(warp, site, address, bytes))
		return;
	ct_record(warp, site, address, bytes, mask);
}

/* isspacep.global holds for the windows of constant memory and kernel parameters too. */
CT_INLINE bool ct_is_global(uint64_t address)
{
	uint32_t global;

	asm("{\n\t"
	    ".reg .pred g, c, p;\n\t"
	    "isspacep.global g, %1;\n\t"
	    "isspacep.const c, %1;\n\t"
	    "isspacep.param::entry p, %1;\n\t"
	    "not.pred c, c;\n\t"
	    "not.pred p, p;\n\t"
	    "and.pred g, g, c;\n\t"
	    "and.pred g, g, p;\n\t"
	    "selp.u32 %0, 1, 0, g;\n\t"
	    "}"
	    : "=r"(global)
	    : "l"(address));
	return global;
}

/* Out of line: rare, and the address spaces of a warp's lanes seldom differ. */
CT_HOOK __noinline__ uint32_t __ct_access_checked(uint32_t warp, uint64_t site, uint64_t address,
						  uint32_t bytes)
{
	if (!ct_is_global(address))
		return CT_STATE_OFF;
	__ct_access(warp, site, address, bytes);
	return warp;
}

/*
 * The last group of the warp to return gives the slot back, unshipped: the
 * next warp appends its own segment, and ct_flush ships what stays. The
 * counter's order makes the other groups' records visible to the last one,
 * its release makes all of them visible to the next owner.
 */
CT_HOOK __noinline__ void __ct_exit(uint32_t warp)
{
	uint32_t mask = __activemask(), lane = ct_lane(), leader = __ffs(mask) - 1;
	uint32_t alive = __popc(ct_warp_lanes(ct_thread())), gone = __popc(mask), slot;

	__syncwarp(mask);
	if (lane != leader)
		return;
	if (gone < alive)
		gone += ct_shared_add(CT_AT(warp, exited), gone);
	slot = ct_shared_load(CT_AT(warp, slot));
	if (gone < alive || slot == CT_SLOT_OWNED)
		return;
	uint64_t context = ct_shared_load64(CT_AT(warp, context));
	uint64_t base = ct_shared_load64(CT_AT(warp, end)) - CT_CHUNK_BYTES;
	uint32_t fill = (uint32_t)(ct_shared_load64(CT_AT(warp, cursor)) - base);

	ct_store_release(CT_CONTEXT(context, pool) + 4ull * slot,
			 fill | ct_shared_load(CT_AT(warp, start)) << 16);
}
