/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A unit of hand-made kernels, as ct-retarget would register them, for tests
 * of the CPU target's runtime. Stubs are addresses that launches name.
 */
#ifndef CT_TEST_CPU_KERNELS_H
#define CT_TEST_CPU_KERNELS_H

#include "cpu-target/runtime/exec/exec.h"
#include <cuda_runtime_api.h>
#include <cudatrace/ring.h>

/* add(int *data, int n, int value): data[i] += value; one thread per element */
extern const char stub_add;
/* gate(int *open): waits until *open is not 0 */
extern const char stub_gate;
/* fault(): traps */
extern const char stub_fault;
/* bounded(): at most 64 threads */
extern const char stub_bounded;
/* traced(float *data, int n, struct ct_launch): site 1 reads data[i] of every
 * thread, site 2 a uniform address (i % 32) + 1 times, site 3 writes data[i] */
extern const char stub_traced;
/* registered from a real fat binary */
extern const char stub_foreign;
/* int test_variable[4] */
extern const char shadow_variable;

#endif
