/* SPDX-License-Identifier: Apache-2.0 */
/* Where a site stands in the program's own sources. */
#include "postproc/facts/place.h"
#include <stdio.h>
#include <string.h>

#define PATH_BYTES 4096

bool ct_place_is_foreign(const char *file)
{
	static const char *const parts[] = {
	    "/lib/clang/",
	    "/cuda/include/",
	    "/include/cccl/",
	    "-linux/include/",
	};
	const char *versioned = strstr(file, "/cuda-");

	if (!strncmp(file, "/usr/", 5))
		return true;
	if (versioned && versioned[6] >= '0' && versioned[6] <= '9')
		return true;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (strstr(file, parts[i]))
			return true;
	return false;
}

/* The nearest frame of the program itself, or innermost. */
static struct ct_place own_frame(const struct ct_unit *unit, uint32_t from,
				 struct ct_place innermost)
{
	for (uint32_t at = from; at != CT_NONE; at = unit->frames[at].inlined_at) {
		const struct ct_unit_frame *frame = &unit->frames[at];
		const char *file = ct_unit_string(unit, frame->file);

		if (*file && !ct_place_is_foreign(file))
			return (struct ct_place){file, frame->line, frame->column};
	}
	return innermost;
}

struct ct_place ct_place_of(const struct ct_unit *unit, const struct ct_unit_site *site)
{
	struct ct_place innermost = {ct_unit_string(unit, site->file), site->line, site->column};

	/* Earlier passes say where the block begins, and beside it the line of its branch. */
	if (site->space != CT_SPACE_LOCAL && site->branch_line && site->branch_line != site->line) {
		innermost.line = site->branch_line;
		innermost.column = 0;
	}
	if (*innermost.file && !ct_place_is_foreign(innermost.file))
		return innermost;
	return own_frame(unit, site->inlined_at, innermost);
}

struct ct_place ct_place_of_frame(const struct ct_unit *unit, uint32_t frame)
{
	const struct ct_unit_frame *of = &unit->frames[frame];

	return own_frame(unit, frame,
			 (struct ct_place){ct_unit_string(unit, of->file), of->line, of->column});
}

uint32_t ct_place_own(const struct ct_weight_place *places, uint32_t place)
{
	for (uint32_t at = place; at != CT_WEIGHT_NONE; at = places[at].inlined_at)
		if (*places[at].file && !ct_place_is_foreign(places[at].file))
			return at;
	return place;
}

/* Without the last part of the path in buffer, from first on, unless there is none or it is "..".
 */
static int drop_part(char *buffer, size_t first, size_t *used)
{
	size_t at = *used;

	while (at > first && buffer[at - 1] != '/')
		at--;
	if (*used == first || (*used - at == 2 && !memcmp(buffer + at, "..", 2)))
		return 0;
	*used = at > first ? at - 1 : first;
	return 1;
}

const char *ct_place_path(const char *file, char *buffer, size_t bytes)
{
	const size_t first = *file == '/';
	size_t used = first;

	if (strlen(file) >= bytes)
		return file;
	buffer[0] = '/';
	for (const char *at = file; *at;) {
		size_t length = strcspn(at, "/");

		if (length == 2 && !memcmp(at, "..", 2) &&
		    (drop_part(buffer, first, &used) || first)) {
			length = 0;
			at += 2;
		} else if (length == 1 && *at == '.') {
			length = 0;
			at++;
		}
		if (length && used > first)
			buffer[used++] = '/';
		memcpy(buffer + used, at, length);
		used += length;
		at += length;
		at += *at == '/';
	}
	buffer[used] = '\0';
	return buffer;
}

const char *ct_place_text(struct ct_place place, char *buffer, size_t bytes)
{
	char path[PATH_BYTES];

	place.file = ct_place_path(place.file, path, sizeof(path));
	if (!*place.file)
		snprintf(buffer, bytes, "unknown location");
	else if (!place.line)
		snprintf(buffer, bytes, "%s", place.file);
	else if (!place.column)
		snprintf(buffer, bytes, "%s:%u", place.file, place.line);
	else
		snprintf(buffer, bytes, "%s:%u:%u", place.file, place.line, place.column);
	return buffer;
}
