/* SPDX-License-Identifier: Apache-2.0 */
/* A library that calls back: built several times, the same code under other names. */
#include <stdint.h>

uint32_t call_back(uint32_t (*function)(void));

__attribute__((noinline)) uint32_t call_back(uint32_t (*function)(void))
{
	uint32_t row = function();

	__asm__ volatile("" : "+r"(row));
	return row;
}
