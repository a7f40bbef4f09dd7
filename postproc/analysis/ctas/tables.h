/* SPDX-License-Identifier: Apache-2.0 */
/* The table of when CTAs ran (tables.def); what it is made from is struct ct_ctas. */
#ifndef CT_CTAS_TABLES_H
#define CT_CTAS_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_cta_kernels_table;

#endif
