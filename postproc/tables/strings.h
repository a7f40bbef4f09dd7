/* SPDX-License-Identifier: Apache-2.0 */
/* Texts by number: each text once. Text 0 is the empty one. */
#ifndef CT_POSTPROC_TABLES_STRINGS_H
#define CT_POSTPROC_TABLES_STRINGS_H

#include <stddef.h>
#include <stdint.h>

struct ct_strings;

int ct_strings_open(struct ct_strings **out);
void ct_strings_close(struct ct_strings *strings); /* NULL is allowed */

/* 0 or -ENOMEM */
int ct_strings_add(struct ct_strings *strings, const char *text, uint32_t *number);
size_t ct_strings_list(const struct ct_strings *strings, const char *const **list);

#endif
