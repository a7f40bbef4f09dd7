/* SPDX-License-Identifier: Apache-2.0 */
/* The output formats of ctpost dump. */
#ifndef CT_RENDER_DUMP_H
#define CT_RENDER_DUMP_H

#include "../model/locate.h"
#include <stdio.h>
#include <trace/reader.h>

struct ct_dump {
	FILE *out;
	struct ct_locator locator;
	int threads; /* a line per thread instead of per warp */
};

struct ct_dump_format {
	const char *name;
	void (*begin)(struct ct_dump *dump);                                  /* may be NULL */
	void (*access)(struct ct_dump *dump, const struct ct_access *access); /* one line */
	/* One line for the access of one lane. */
	void (*lane)(struct ct_dump *dump, const struct ct_access *access, uint32_t lane);
};

extern const struct ct_dump_format ct_dump_text;
extern const struct ct_dump_format ct_dump_csv;
extern const struct ct_dump_format ct_dump_jsonl;

#endif
