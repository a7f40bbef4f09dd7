/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the parts tell that a program runs on the CPU target: the runtime of
 * cpu-target/ defines this symbol, the others refer to it weakly.
 */
#ifndef CUDATRACE_CPU_H
#define CUDATRACE_CPU_H

#ifdef __cplusplus
extern "C" {
#endif

extern const char ct_cpu_target __attribute__((weak));

#ifdef __cplusplus
}
#endif
#endif
