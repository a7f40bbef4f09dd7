/* SPDX-License-Identifier: Apache-2.0 */
/* Problems as a table; what it is made from is struct ct_problems. */
#ifndef CT_POSTPROC_PROBLEMS_TABLES_H
#define CT_POSTPROC_PROBLEMS_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_problems_table;
/* From struct ct_verdict. */
extern const struct ct_table_def ct_suppressed_problems_table;

#endif
