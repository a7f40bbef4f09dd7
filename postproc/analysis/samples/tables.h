/* SPDX-License-Identifier: Apache-2.0 */
/* The table of samples by line (tables.def); what it is made from is struct ct_samples_study. */
#ifndef CT_SAMPLES_TABLES_H
#define CT_SAMPLES_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_sample_lines_table;

#endif
