/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a cubin says of a kernel: how many registers and how much shared memory it takes, which
 * decide how many of its CTAs an SM holds, and how many machine instructions (SASS) it is.
 *
 *	.nv.info                 EIATTR_REGCOUNT of each kernel, by its symbol
 *	.nv.shared.<kernel>      static shared memory, from sm_90 on with the system's 1 KiB
 *	.text.<kernel>           16 bytes for each instruction, padding at its end included
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_BINARY_H
#define CT_POSTPROC_ANALYSIS_MODEL_BINARY_H

#include "trace/read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_model_binary {
	uint32_t registers; /* of a thread; 0: the cubin does not tell */
	uint64_t shared_bytes, instructions;
};

/* A cubin has no kernel of that (mangled) name, or is none: false. Nothing in it is trusted.
 * cubin: aligned to 8 bytes. */
bool ct_model_binary(struct ct_model_binary *binary, const void *cubin, size_t size,
		     const char *symbol);

/* Whether it is one at all. Likewise. */
bool ct_model_is_cubin(const void *bytes, size_t size);

struct ct_model_cubin {
	const void *bytes; /* aligned to 8, borrowed; NULL: none */
	size_t size;
};

/* The first of those given that has the kernel; where none is given, of those that the trace has.
 * binary may be NULL. */
bool ct_model_find_cubin(struct ct_model_cubin *found, struct ct_model_binary *binary,
			 const struct ct_trace *trace, const struct ct_model_cubin *given,
			 size_t count, const char *symbol);

#endif
