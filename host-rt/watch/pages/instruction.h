/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes an x86-64 instruction accesses, where that is simple to tell. */
#ifndef CT_HOST_RT_WATCH_PAGES_INSTRUCTION_H
#define CT_HOST_RT_WATCH_PAGES_INSTRUCTION_H

#include <stdint.h>

/* The bytes that are not reported, but for state and strings. */
#define CT_INSTRUCTION_BYTES_MAX 64u

/* 0: not reported. */
uint32_t ct_instruction_bytes(const uint8_t *code);

#endif
