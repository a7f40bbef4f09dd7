/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes as any program would have them. */
#define VARIANT traced
#define SHAPE_TABLE traced_shapes
#include "shapes.cuh"
