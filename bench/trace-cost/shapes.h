/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access shapes: what is launched, on which data, and what each thread accesses.
 * shapes.cuh holds the kernels; objects of it are compiled for several variants,
 * each with a table of its own.
 */
#ifndef TRACE_COST_SHAPES_H
#define TRACE_COST_SHAPES_H

#include <cstdint>
#include <cuda_runtime.h>

/* Device memory that all shapes share; powers of two. */
struct data {
	uint32_t elements; /* of a, b, c, index, next, bytes */
	uint32_t side;     /* of stencil's grid */
	uint32_t matrix;   /* rows and columns of matmul, rowsum */
	float *a, *b, *c;
	uint32_t *index; /* random elements */
	uint32_t *next;  /* chase_next */
	uint8_t *bytes;
	uint32_t *bins;
};

struct shape {
	const char *name;
	int line; /* of shapes.cuh, just above the kernel */
	const void *kernel;
	dim3 (*grid)(const data &);
	dim3 block;
	void (*launch)(const shape &, const data &, cudaStream_t);
};

extern shape traced_shapes[], thesis_shapes[];
#define HEADLINE_SHAPES 6 /* the first ones */
#define SHAPES 14

#define BINS 256u
#define TILE 16
#define CHASE_STEPS 64
#define DIVERGENT_ROW 64 /* elements of a thread of divergent */

/* Data-dependent shapes depend on this. */
static inline __host__ __device__ uint32_t hash(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

/* Element that chase goes to from element i of 2^k: one cycle through all. */
static inline __host__ __device__ uint32_t chase_next(uint32_t i, uint32_t elements)
{
	return (i * 0x915f77f5u + 0x5851f42du) & (elements - 1);
}

#endif
