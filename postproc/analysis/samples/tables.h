/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of samples by line (tables.def); what they are made from is struct ct_samples_study. */
#ifndef CT_POSTPROC_ANALYSIS_SAMPLES_TABLES_H
#define CT_POSTPROC_ANALYSIS_SAMPLES_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_sample_totals_table, ct_sample_kernels_table,
    ct_sample_lines_table;

#endif
