/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device runtime of the CPU target: functions that ct-retarget links into
 * every unit as bitcode. __ct_cpu_nvvm_<name> implements llvm.nvvm.<name>,
 * __ct_cpu_fn_<name> a function of the CUDA device library. What suspends the
 * caller or needs the system is in runtime/.
 */
#ifndef CT_CPU_TARGET_DEVICE_DEVICE_H
#define CT_CPU_TARGET_DEVICE_DEVICE_H

#include "cpu-target/runtime/exec/barrier.h"
#include "cpu-target/runtime/exec/cluster.h"
#include "cpu-target/runtime/exec/device_io.h"
#include "cpu-target/runtime/exec/thread.h"
#include "cpu-target/runtime/exec/warp.h"
#include <stddef.h>
#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

#define NVVM(name) __ct_cpu_nvvm_##name

void __ct_cpu_yield(void);
void __ct_cpu_sleep(uint32_t ns);
void __ct_cpu_exit(void);

static inline u32 bits_of(float value)
{
	u32 bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline float float_of(u32 bits)
{
	float value;

	__builtin_memcpy(&value, &bits, sizeof(value));
	return value;
}

#endif
