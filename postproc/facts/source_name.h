/* SPDX-License-Identifier: Apache-2.0 */
/* Names as in the source. */
#ifndef CT_MODEL_SOURCE_NAME_H
#define CT_MODEL_SOURCE_NAME_H

/* A symbol as in the source, or as it is if it is no mangled name; to be freed. NULL: no memory. */
char *ct_source_name(const char *symbol);

#endif
