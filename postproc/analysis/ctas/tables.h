/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of when CTAs ran (tables.def); what they are made from is struct ct_ctas. */
#ifndef CT_POSTPROC_ANALYSIS_CTAS_TABLES_H
#define CT_POSTPROC_ANALYSIS_CTAS_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_cta_kernels_table, ct_cta_launches_table, ct_cta_course_table;

#define CT_CTAS_COURSE 60u /* parts that a launch's time is shown in */

#endif
