/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions that one change of the source would change together. */
#ifndef CT_POSTPROC_FACTS_FOLDED_NAME_H
#define CT_POSTPROC_FACTS_FOLDED_NAME_H

/* The base name of a function as in the source (seed 000, 5.2): without return type and parameters,
 * "<...>" for template arguments: "void a::f<int>(int*) const" is "a::f<...>". Other names stay as
 * they are. To be freed; NULL: no memory. */
char *ct_folded_name(const char *function);

#endif
