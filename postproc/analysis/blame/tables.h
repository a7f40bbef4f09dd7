/* SPDX-License-Identifier: Apache-2.0 */
/* The table of blame (tables.def); what it is made from is struct ct_blame. */
#ifndef CT_BLAME_TABLES_H
#define CT_BLAME_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_blame_variables_table;

#endif
