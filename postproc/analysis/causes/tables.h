/* SPDX-License-Identifier: Apache-2.0 */
/* The table of where warps wait and why (tables.def); what it is made from is struct ct_advices. */
#ifndef CT_POSTPROC_ANALYSIS_CAUSES_TABLES_H
#define CT_POSTPROC_ANALYSIS_CAUSES_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_wait_causes_table;

#endif
