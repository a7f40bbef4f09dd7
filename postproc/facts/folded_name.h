/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions without what is long in them: such as one change of the source would change
 * together, and such as people read. */
#ifndef CT_POSTPROC_FACTS_FOLDED_NAME_H
#define CT_POSTPROC_FACTS_FOLDED_NAME_H

#include "postproc/facts/source_name.h"

/* The base name of a function as in the source (seed 000, 5.2): without return type and parameters,
 * "<...>" for template arguments: "void a::f<int>(int*) const" is "a::f<...>". Other names stay as
 * they are. To be freed; NULL: no memory. */
char *ct_folded_name(const char *function);

/* Template arguments of at most so many bytes are part of a name that people read. */
#define CT_SHORT_ARGUMENTS 32u

/* A name of a kernel or another function for whoever reads it: folded likewise, but for template
 * arguments that are short; brief as of ct_source_name_brief. Blanks that it begins with stay, and
 * so does what is no name of a function. Returns name, or buffer, which a longer name is cut to. */
const char *ct_short_name(const char *name, char buffer[CT_BRIEF_NAME_BYTES]);

/* Shows people whole names: from now on ct_shown_name is the whole name (--full-names). Before
 * anything is written. */
void ct_show_full_names(void);
/* The short name, or the whole one. Returns likewise. */
const char *ct_shown_name(const char *name, char buffer[CT_BRIEF_NAME_BYTES]);

#endif
