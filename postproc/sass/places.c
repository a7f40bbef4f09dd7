/* SPDX-License-Identifier: Apache-2.0 */
/* Checks first; lookups then need none. */
#include "postproc/sass/places.h"

#include <cudatrace/error.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The tables lie in the blob, in their order, and strings end with it. */
static bool has_tables(struct ct_places *places, const char *blob, size_t bytes)
{
	const struct ct_places_header *header = places->header;
	uint64_t at = header->header_bytes;

	places->functions = (const struct ct_places_function *)(const void *)(blob + at);
	at += (uint64_t)header->function_count * sizeof(*places->functions);
	if (at > bytes)
		return false;
	places->rows = (const struct ct_places_row *)(const void *)(blob + at);
	at += (uint64_t)header->row_count * sizeof(*places->rows);
	if (at > bytes)
		return false;
	places->places = (const struct ct_ptx_place *)(const void *)(blob + at);
	at += (uint64_t)header->place_count * sizeof(*places->places);
	if (at > bytes || header->string_bytes == 0 || header->string_bytes > bytes - at)
		return false;
	places->strings = blob + at;
	return !places->strings[header->string_bytes - 1];
}

static bool functions_are_sound(const struct ct_places *places)
{
	for (uint32_t i = 0; i < places->header->function_count; i++) {
		const struct ct_places_function *function = &places->functions[i];

		if (function->name >= places->header->string_bytes ||
		    (uint64_t)function->row_first + function->row_count > places->header->row_count)
			return false;
	}
	for (uint32_t i = 0; i < places->header->row_count; i++)
		if (places->rows[i].place >= places->header->place_count)
			return false;
	return true;
}

/* Writers add the call's place first: so chains end. */
static bool places_are_sound(const struct ct_places *places)
{
	for (uint32_t i = 0; i < places->header->place_count; i++) {
		const struct ct_ptx_place *place = &places->places[i];

		if (place->function >= places->header->string_bytes ||
		    place->file >= places->header->string_bytes ||
		    (place->inlined_at != CT_NO_PLACE && place->inlined_at >= i))
			return false;
	}
	return true;
}

int ct_places_view(struct ct_places *places, const void *blob, size_t bytes)
{
	places->header = blob;
	if (bytes < sizeof(*places->header) || places->header->magic != CT_PLACES_MAGIC)
		return -CT_EFORMAT;
	if (places->header->version > CT_PLACES_VERSION)
		return -CT_EVERSION;
	if (places->header->header_bytes < sizeof(*places->header) ||
	    places->header->header_bytes % 4 != 0 || !has_tables(places, blob, bytes) ||
	    !functions_are_sound(places) || !places_are_sound(places))
		return -CT_EFORMAT;
	return 0;
}

const struct ct_places_function *ct_places_function(const struct ct_places *places,
						    const char *name)
{
	for (uint32_t i = 0; i < places->header->function_count; i++)
		if (strcmp(places->strings + places->functions[i].name, name) == 0)
			return &places->functions[i];
	return NULL;
}

uint32_t ct_places_find(const struct ct_places *places, const struct ct_places_function *function,
			uint32_t ptx_line)
{
	const struct ct_places_row *rows = &places->rows[function->row_first];
	uint32_t low = 0, high = function->row_count;

	if (ptx_line < function->first_line || ptx_line > function->last_line)
		return CT_NO_PLACE;
	/* The first row at or behind the line. */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (rows[middle].line < ptx_line)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? rows[low - 1].place : CT_NO_PLACE;
}

const char *ct_places_string(const struct ct_places *places, uint32_t offset)
{
	return offset < places->header->string_bytes ? places->strings + offset : "";
}
