/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each thread of a shape accesses, in program order, from the formulas:
 * independent of compiler and trace. visit(distance, operation, address): distance
 * is that of the source line from shape.line.
 */
#ifndef TRACE_COST_WALK_H
#define TRACE_COST_WALK_H

#include "shapes.h"
#include <cstring>

enum operation { LOAD_OF, STORE_OF, ADD_OF };

struct place {
	uint32_t block_x, block_y, x, y;
	uint32_t i;    /* blockIdx.x * blockDim.x + threadIdx.x */
	uint32_t step; /* gridDim.x * blockDim.x */
};

static inline uint64_t at(const void *array, uint64_t element, uint64_t bytes = 4)
{
	return (uint64_t)(uintptr_t)array + element * bytes;
}

template <typename Visit> void walk_stream(const data &d, const place &p, Visit visit)
{
	if (p.i >= d.elements)
		return;
	visit(6, LOAD_OF, at(d.a, p.i));
	visit(7, LOAD_OF, at(d.b, p.i));
	visit(8, STORE_OF, at(d.c, p.i));
}

template <typename Visit> void walk_stencil(const data &d, const place &p, Visit visit)
{
	uint32_t x = p.i, y = p.block_y * 8 + p.y, n = d.side;

	if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1)
		return;
	visit(7, LOAD_OF, at(d.a, y * n + x));
	visit(8, LOAD_OF, at(d.a, y * n + x - 1));
	visit(9, LOAD_OF, at(d.a, y * n + x + 1));
	visit(10, LOAD_OF, at(d.a, (y - 1) * n + x));
	visit(11, LOAD_OF, at(d.a, (y + 1) * n + x));
	visit(12, STORE_OF, at(d.c, y * n + x));
}

template <typename Visit> void walk_gather(const data &d, const place &p, Visit visit)
{
	if (p.i >= d.elements)
		return;
	visit(6, LOAD_OF, at(d.index, p.i));
	visit(7, LOAD_OF, at(d.a, hash(p.i) & (d.elements - 1)));
	visit(8, STORE_OF, at(d.c, p.i));
}

template <typename Visit> void walk_matmul(const data &d, const place &p, Visit visit)
{
	uint32_t row = p.block_y * TILE + p.y, n = d.matrix;

	for (uint32_t first = 0; first < n; first += TILE) {
		visit(9, LOAD_OF, at(d.a, row * n + first + p.x));
		visit(10, LOAD_OF, at(d.b, (first + p.y) * n + p.i));
	}
	visit(16, STORE_OF, at(d.c, row * n + p.i));
}

template <typename Visit> void walk_hist(const data &d, const place &p, Visit visit)
{
	for (uint32_t i = p.i; i < d.elements; i += p.step) {
		visit(4, LOAD_OF, at(d.bytes, i, 1));
		visit(5, ADD_OF, at(d.bins, hash(i) & (BINS - 1)));
	}
}

template <typename Visit> void walk_rowsum(const data &d, const place &p, Visit visit)
{
	if (p.i >= d.matrix)
		return;
	for (uint32_t k = 0; k < d.matrix; k++)
		visit(8, LOAD_OF, at(d.a, p.i * d.matrix + k));
	visit(9, STORE_OF, at(d.c, p.i));
}

template <typename Visit> void walk_scatter(const data &d, const place &p, Visit visit)
{
	if (p.i >= d.elements)
		return;
	visit(6, LOAD_OF, at(d.index, p.i));
	visit(7, LOAD_OF, at(d.a, p.i));
	visit(8, STORE_OF, at(d.c, hash(p.i) & (d.elements - 1)));
}

template <typename Visit> void walk_columnsum(const data &d, const place &p, Visit visit)
{
	if (p.i >= d.matrix)
		return;
	for (uint32_t k = 0; k < d.matrix; k++)
		visit(8, LOAD_OF, at(d.a, k * d.matrix + p.i));
	visit(9, STORE_OF, at(d.c, p.i));
}

template <typename Visit> void walk_divergent(const data &d, const place &p, Visit visit)
{
	uint32_t h = hash(p.i);

	if (p.i >= d.elements / DIVERGENT_ROW)
		return;
	for (uint32_t k = 0; k < h % 37; k++) {
		uint32_t g = hash(h + k);

		if (g & 1)
			visit(12, LOAD_OF, at(d.a, p.i * DIVERGENT_ROW + k));
		else
			visit(16, LOAD_OF, at(d.a, p.i * DIVERGENT_ROW + k + 1));
		if ((g & 0x3f0) == 0x110)
			return;
	}
	visit(21, STORE_OF, at(d.c, p.i));
}

template <typename Visit> void walk_reduction(const data &d, const place &p, Visit visit)
{
	uint32_t i = p.block_x * 512 + p.x;

	if (i < d.elements)
		visit(8, LOAD_OF, at(d.a, i));
	if (i + 256 < d.elements)
		visit(10, LOAD_OF, at(d.a, i + 256));
	if (p.x == 0)
		visit(19, STORE_OF, at(d.c, p.block_x));
}

template <typename Visit> void walk_chase(const data &d, const place &p, Visit visit)
{
	uint32_t element = hash(p.i) & (d.elements - 1);

	for (uint32_t step = 0; step < CHASE_STEPS; step++) {
		visit(6, LOAD_OF, at(d.next, element));
		element = chase_next(element, d.elements);
	}
	visit(7, STORE_OF, at(d.c, p.i));
}

template <typename Visit> void walk_copy(const data &d, const place &p, Visit visit)
{
	for (uint32_t i = p.i; i < d.elements; i += p.step) {
		visit(4, LOAD_OF, at(d.a, i));
		visit(5, STORE_OF, at(d.c, i));
	}
}

template <typename Visit> void walk_tiny(const data &d, const place &p, Visit visit)
{
	visit(3, LOAD_OF, at(d.c, p.x));
	visit(4, STORE_OF, at(d.c, p.x));
}

template <typename Visit> void walk_wide(const data &d, const place &p, Visit visit)
{
	if (p.i >= d.elements / 4)
		return;
	visit(6, LOAD_OF, at(d.a, p.i, 16));
	visit(7, STORE_OF, at(d.c, p.i, 16));
}

template <typename Walk> void walk_threads(const shape &s, const data &d, uint64_t cta, Walk walk)
{
	dim3 grid = s.grid(d);
	place p;

	p.block_x = (uint32_t)(cta % grid.x);
	p.block_y = (uint32_t)(cta / grid.x);
	p.step = grid.x * s.block.x;
	for (uint32_t thread = 0; thread < s.block.x * s.block.y; thread++) {
		p.x = thread % s.block.x;
		p.y = thread / s.block.x;
		p.i = p.block_x * s.block.x + p.x;
		walk(thread, p);
	}
}

/* All threads of a CTA: visit(thread, distance, operation, address). */
template <typename Visit> void walk_cta(const shape &s, const data &d, uint64_t cta, Visit visit)
{
#define WALK(shape_name)                                                                           \
	if (!strcmp(s.name, #shape_name))                                                          \
		return walk_threads(s, d, cta, [&](uint32_t thread, const place &p) {              \
			walk_##shape_name(d, p, [&](int distance, operation o, uint64_t address) { \
				visit(thread, distance, o, address);                               \
			});                                                                        \
		});
	WALK(stream)
	WALK(stencil)
	WALK(gather)
	WALK(matmul)
	WALK(hist)
	WALK(rowsum)
	WALK(scatter)
	WALK(columnsum)
	WALK(divergent)
	WALK(reduction)
	WALK(chase)
	WALK(copy)
	WALK(tiny)
	WALK(wide)
#undef WALK
}

#endif
