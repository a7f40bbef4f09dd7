/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of distances of reuse (tables.def); what they are made from is struct ct_reuse_results. */
#ifndef CT_POSTPROC_ANALYSIS_REUSE_TABLES_H
#define CT_POSTPROC_ANALYSIS_REUSE_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_reuse_table, ct_reuse_curves_table;

#endif
