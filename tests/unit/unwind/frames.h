/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose frames are as the cases want them; all end in a probe and return its row. */
#ifndef FRAMES_H
#define FRAMES_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t (*probing)(void);

/* Keeps a call from becoming a jump, and functions from being one. */
#define RETURN_ROW(row)                                                                            \
	do {                                                                                       \
		__asm__ volatile("" : "+r"(row) : "i"(__COUNTER__ + __LINE__) : "memory");         \
		return row;                                                                        \
	} while (0)

uint32_t call(probing function);
uint32_t call_twin(probing function); /* with a frame of the same size */
uint32_t call_middle(void);
uint32_t jump(void); /* a tail call */
uint32_t nest_1(void), nest_2(void), nest_3(void);
uint32_t recurse(unsigned depth);
/* Both end in a frame with so many bytes more than it would have. */
uint32_t vary(size_t bytes, probing function);
uint32_t vary_padded(size_t bytes, probing function);
uint32_t align(probing function); /* by 64 bytes */
uint32_t align_nested(void);
/* Also by 64 bytes, with parameters on the stack; the other one calls it. */
uint32_t align_with_parameters(long, long, long, long, long, long, long);
uint32_t call_with_parameters(long, long, long, long, long, long, long);
/* A call site for each number below MANY. */
#define MANY 256u
uint32_t call_from_many(unsigned site);
/* Through as many of these as depth says, chosen by the digits of random. */
uint32_t zigzag(uint64_t random, unsigned depth);

#endif
