/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes for an object that is not instrumented. */
#define VARIANT plain
#define SHAPE_TABLE plain_shapes
#include "shapes.cuh"
