/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of what bounds kernels (tables.def); what they are made from is struct ct_model_all. */
#ifndef CT_MODEL_TABLES_H
#define CT_MODEL_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_model_kernels_table, ct_model_changes_table,
    ct_model_points_table, ct_model_ceilings_table;

/* The section that findings are about. */
#define CT_MODEL_SECTION "model_kernels"

#endif
