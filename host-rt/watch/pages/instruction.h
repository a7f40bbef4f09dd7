/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes an x86-64 instruction accesses, where that is simple to tell. */
#ifndef CT_HOST_RT_WATCH_PAGES_INSTRUCTION_H
#define CT_HOST_RT_WATCH_PAGES_INSTRUCTION_H

#include <stdint.h>

#define CT_INSTRUCTION_BYTES_MAX 64u /* of those that are not told, but for state and strings */

/* 0: not told. */
uint32_t ct_instruction_bytes(const uint8_t *code);

#endif
