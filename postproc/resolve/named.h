/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of sources that are named, with some around them, file by file. */
#ifndef CT_POSTPROC_RESOLVE_NAMED_H
#define CT_POSTPROC_RESOLVE_NAMED_H

#include "base/intern.h"
#include "postproc/symbols/symbols.h"

#define CT_NAMED_AROUND 4u /* lines before and after */

struct ct_named_file {
	char *path;         /* as ct_place_path has it */
	uint8_t *is_wanted; /* a bit per line, from line 0, which there is not */
	uint32_t lines;     /* that it has bits for */
};

/* Zero-initialised, nothing is named. */
struct ct_named {
	struct ct_intern paths;
	struct ct_named_file *file;
	size_t count;
};

/* first to last; nothing without a path or a first line. 0 or -ENOMEM. */
int ct_named_add(struct ct_named *named, const char *path, uint32_t first, uint32_t last);

/* All that units, launches and objects of a part of the trace name. 0 or a negative error. */
int ct_named_add_part(struct ct_named *named, struct ct_trace *trace, uint32_t part);

bool ct_named_is_wanted(const struct ct_named_file *file, uint32_t line);
void ct_named_fini(struct ct_named *named);

#endif
