/* SPDX-License-Identifier: Apache-2.0 */
/* Blobs of places (cudatrace/places.h), checked, and asked by function and line of the PTX. */
#ifndef CT_POSTPROC_SASS_PLACES_H
#define CT_POSTPROC_SASS_PLACES_H

#include <cudatrace/places.h>
#include <stddef.h>

struct ct_places {
	const struct ct_places_header *header;
	const struct ct_places_function *functions;
	const struct ct_places_row *rows;
	const struct ct_ptx_place *places;
	const char *strings;
};

/* A view of blob (aligned to 8, not copied): every index in it is in range, every chain of calls
 * ends. -CT_EFORMAT if not; -CT_EVERSION if it is of a newer version. */
int ct_places_view(struct ct_places *places, const void *blob, size_t bytes);

/* NULL: none of that name. */
const struct ct_places_function *ct_places_function(const struct ct_places *places,
						    const char *name);

/* The place of a line of the PTX, which is one of the function's; CT_NO_PLACE: none. */
uint32_t ct_places_find(const struct ct_places *places, const struct ct_places_function *function,
			uint32_t ptx_line);

const char *ct_places_string(const struct ct_places *places, uint32_t offset);

#endif
