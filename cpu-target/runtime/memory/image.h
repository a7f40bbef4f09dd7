/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Textures and surfaces as device code reads them: what their handles point to.
 * Device code includes this, so it needs nothing of CUDA's headers.
 */
#ifndef CT_CPU_TARGET_RUNTIME_MEMORY_IMAGE_H
#define CT_CPU_TARGET_RUNTIME_MEMORY_IMAGE_H

#include <stdint.h>

enum { CT_CHANNEL_SIGNED, CT_CHANNEL_UNSIGNED, CT_CHANNEL_FLOAT }; /* as CUDA's */

/* Elements of an array, or of linear or pitched memory: rows of width elements, height rows a
 * plane, depth planes. Where there are no rows or planes height and depth are 1. Planes are layers
 * where there are any, and six faces of each cube. */
struct ct_cpu_image {
	char *start;
	uint64_t pitch, slice; /* bytes from row to row, plane to plane */
	uint32_t width, height, depth;
	uint32_t channels; /* 1, 2 or 4 */
	uint32_t bits;     /* of a channel: 8, 16 or 32 */
	uint32_t kind;     /* CT_CHANNEL_ */
};

enum { CT_ADDRESS_WRAP, CT_ADDRESS_CLAMP, CT_ADDRESS_MIRROR, CT_ADDRESS_BORDER }; /* as CUDA's */

struct ct_cpu_texture {
	struct ct_cpu_image image; /* of a surface there is nothing else */
	uint32_t address[3];       /* CT_ADDRESS_ of x, y, z */
	uint32_t is_linear;        /* filters */
	uint32_t is_normalized;    /* reads integers as 0 to 1, or -1 to 1 */
	uint32_t has_unit_coordinates;
	uint32_t is_srgb;
	float border[4];
};

/* The coordinates of each geometry, in PTX's order. */
enum {
	CT_SHAPE_1D,    /* x */
	CT_SHAPE_2D,    /* x, y */
	CT_SHAPE_3D,    /* x, y, z */
	CT_SHAPE_A1D,   /* layer, x */
	CT_SHAPE_A2D,   /* layer, x, y */
	CT_SHAPE_CUBE,  /* x, y, z */
	CT_SHAPE_ACUBE, /* layer, x, y, z */
};

enum { CT_BOUNDARY_TRAP, CT_BOUNDARY_CLAMP, CT_BOUNDARY_ZERO };

/* An access to a surface: units of so many bytes, 1 to 4 of them. */
struct ct_cpu_surface_access {
	uint32_t shape, boundary, bytes, count;
};

#endif
