/* SPDX-License-Identifier: Apache-2.0 */
/* Which text of a page is the short form of which name in it. */
#ifndef CT_POSTPROC_TABLES_SHORT_NAMES_H
#define CT_POSTPROC_TABLES_SHORT_NAMES_H

#include "base/json.h"
#include "base/map.h"
#include "postproc/tables/strings.h"

/* Zero-initialise. */
struct ct_short_names {
	struct ct_map known; /* number of a name -> that of its short form */
	uint64_t *name;      /* numbers of names, in their order */
	size_t count;
};

/* Adds the short form of a name of this number to the texts. 0 or -ENOMEM */
int ct_short_names_add(struct ct_short_names *names, struct ct_strings *texts, const char *name,
		       uint64_t number);

/* Writes "names": numbers of each name whose short form is another text, and of that. */
void ct_short_names_put(const struct ct_short_names *names, struct ct_json *json);
void ct_short_names_fini(struct ct_short_names *names);

#endif
