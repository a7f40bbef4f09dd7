/* SPDX-License-Identifier: Apache-2.0 */
/* Where a site stands in the program's own sources. */
#include "postproc/facts/place.h"
#include <string.h>

/* Files that come with the compiler, the toolkit or the system. */
static int is_foreign(const char *file)
{
	static const char *const parts[] = {
	    "/lib/clang/",
	    "/cuda/include/",
	    "/include/cccl/",
	    "-linux/include/",
	};
	const char *versioned = strstr(file, "/cuda-");

	if (!strncmp(file, "/usr/", 5))
		return 1;
	if (versioned && versioned[6] >= '0' && versioned[6] <= '9')
		return 1;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (strstr(file, parts[i]))
			return 1;
	return 0;
}

struct ct_place ct_place_of(const struct ct_unit *unit, const struct ct_unit_site *site)
{
	struct ct_place innermost = {ct_unit_string(unit, site->file), site->line, site->column};

	if (*innermost.file && !is_foreign(innermost.file))
		return innermost;
	for (uint32_t at = site->inlined_at; at != CT_NONE; at = unit->frames[at].inlined_at) {
		const struct ct_unit_frame *frame = &unit->frames[at];
		const char *file = ct_unit_string(unit, frame->file);

		if (*file && !is_foreign(file))
			return (struct ct_place){file, frame->line, frame->column};
	}
	return innermost;
}
