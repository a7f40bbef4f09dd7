/* SPDX-License-Identifier: Apache-2.0 */
/* docs/tables.md: what every table holds, from the descriptions. */
#ifndef CT_POSTPROC_TABLES_DOCUMENT_H
#define CT_POSTPROC_TABLES_DOCUMENT_H

#include "postproc/tables/table.h"
#include <stdio.h>

/* A chapter on the table as programs are given it, and on those whose rows belong to its rows. */
void ct_table_document(FILE *out, const struct ct_table_def *table);

#endif
