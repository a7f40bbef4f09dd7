/* SPDX-License-Identifier: Apache-2.0 */
/* Which space a generic address lies in, and its offset there. */
#ifndef CT_DEVICE_RT_SPACE_H
#define CT_DEVICE_RT_SPACE_H

#include "device-rt/ptx.cuh"
#include <cudatrace/record.h>
#include <cudatrace/unit.h>

#define CT_IS_SPACE(address, space)                                                                \
	({                                                                                         \
		uint32_t yes_;                                                                     \
		asm("{\n\t"                                                                        \
		    ".reg .pred p;\n\t"                                                            \
		    "isspacep." space " p, %1;\n\t"                                                \
		    "selp.u32 %0, 1, 0, p;\n\t"                                                    \
		    "}"                                                                            \
		    : "=r"(yes_)                                                                   \
		    : "l"(address));                                                               \
		yes_ != 0;                                                                         \
	})

#define CT_OFFSET_IN(address, space)                                                               \
	({                                                                                         \
		uint64_t offset_;                                                                  \
		asm("cvta.to." space ".u64 %0, %1;" : "=l"(offset_) : "l"(address));               \
		offset_;                                                                           \
	})

/* isspacep.global holds for the windows of constant memory and kernel parameters too. */
CT_INLINE bool ct_is_global(uint64_t address)
{
	return CT_IS_SPACE(address, "global") && !CT_IS_SPACE(address, "const") &&
	       !CT_IS_SPACE(address, "param::entry");
}

/* From sm_90 on the shared memory of the whole cluster has generic addresses. */
CT_INLINE bool ct_is_shared(uint64_t address)
{
	if (ct_reflect("__CUDA_ARCH") >= 900)
		return CT_IS_SPACE(address, "shared::cluster");
	return CT_IS_SPACE(address, "shared");
}

/* Kernel parameters are in no space that is recorded. */
CT_INLINE uint32_t ct_space_of(uint64_t address)
{
	if (ct_is_shared(address))
		return CT_SPACE_SHARED;
	if (CT_IS_SPACE(address, "local"))
		return CT_SPACE_LOCAL;
	if (CT_IS_SPACE(address, "const"))
		return CT_SPACE_CONSTANT;
	return CT_IS_SPACE(address, "param::entry") ? CT_SPACE_GENERIC : CT_SPACE_GLOBAL;
}

/* As records have it. */
CT_INLINE uint64_t ct_address_in(uint64_t address, uint32_t space)
{
	if (space == CT_SPACE_GLOBAL)
		return address;
	if (space == CT_SPACE_LOCAL)
		address = CT_OFFSET_IN(address, "local");
	else if (space == CT_SPACE_CONSTANT)
		address = CT_OFFSET_IN(address, "const");
	else if (ct_reflect("__CUDA_ARCH") >= 900)
		address = CT_OFFSET_IN(address, "shared::cluster");
	else
		address = CT_OFFSET_IN(address, "shared");
	return CT_ADDRESS_IN(space, address);
}

#endif
