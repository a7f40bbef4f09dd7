/* SPDX-License-Identifier: Apache-2.0 */
/* The table of problems (tables.def); what it is made from is struct ct_ffm_study. */
#ifndef CT_FFM_TABLES_H
#define CT_FFM_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_needless_calls_table;

#endif
