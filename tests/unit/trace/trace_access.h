/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace of access shapes, made by hand. Each is a kernel of its own with one access at line
 * 10 * (its number + 1), launched once with two CTAs of one warp; what each figure is follows from
 * the shape and stands beside it. Objects are apart but for `left` and `right`, which are
 * neighbours.
 */
#ifndef CT_TRACE_ACCESS_H
#define CT_TRACE_ACCESS_H

#include <stdint.h>

/* Lane l of warp w accesses base + w * step + l * stride, in bytes. */
struct access_shape {
	const char *name;
	uint32_t bytes, mask;
	int64_t stride;
	uint64_t offset; /* of lane 0 of warp 0 in the object */
	uint64_t step;
	/* These are of a request. */
	uint32_t sectors, ideal;
	const char *pattern;
};

#define ACCESS_SHAPES 24u
extern const struct access_shape access_shapes[ACCESS_SHAPES];

/* Returns what the writer's close returned. */
int access_make(const char *directory);

#endif
