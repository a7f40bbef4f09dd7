/* SPDX-License-Identifier: Apache-2.0 */
/* Names as in the source. */
#ifndef CT_POSTPROC_FACTS_SOURCE_NAME_H
#define CT_POSTPROC_FACTS_SOURCE_NAME_H

/* A symbol as in the source, or as it is if it is no mangled name; to be freed. NULL: no memory. */
char *ct_source_name(const char *symbol);

#define CT_BRIEF_NAME_BYTES 4096

/* A name of the compiler's for whoever reads it. Lambdas and other types without a name have the
 * place they stand at in theirs, "(lambda at /home/me/src/bfs.cu:12:3)"; the directories are left
 * out. Returns name, or buffer if there are any, which a longer name is cut to. */
const char *ct_source_name_brief(const char *name, char buffer[CT_BRIEF_NAME_BYTES]);

#endif
