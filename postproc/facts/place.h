/* SPDX-License-Identifier: Apache-2.0 */
/* Where a site stands in the program's own sources. */
#ifndef CT_POSTPROC_FACTS_PLACE_H
#define CT_POSTPROC_FACTS_PLACE_H

#include "postproc/facts/weights.h"
#include "trace/read/reader.h"
#include <stdbool.h>
#include <stddef.h>

struct ct_place {
	const char *file; /* "" unknown */
	uint32_t line;
	uint32_t column;
};

/* Where a site stands in the program: its own place or, if that is in a header
 * of the compiler or the toolkit, the nearest call it was inlined through. Of a block that ends in
 * a branch it is that of the branch. */
struct ct_place ct_place_of(const struct ct_unit *unit, const struct ct_unit_site *site);

struct ct_place ct_place_of_frame(const struct ct_unit *unit, uint32_t frame);

/* Likewise of a place of weights; place itself if all of its calls are in such headers, and of
 * CT_WEIGHT_NONE. */
uint32_t ct_place_own(const struct ct_weight_place *places, uint32_t place);

/* Whether a file comes with the compiler, the toolkit or the system. */
bool ct_place_is_foreign(const char *file);

/* A file's path as it is read best: "src/bfs.cu" of "src/tests/.././bfs.cu". By its text alone:
 * links are not looked at. Returns buffer, or file if it does not fit. */
const char *ct_place_path(const char *file, char *buffer, size_t bytes);

/* "bfs.cu:33:9", without the column or the line if they are not known; "unknown location" without a
 * file. Returns buffer. */
const char *ct_place_text(struct ct_place place, char *buffer, size_t bytes);

#endif
