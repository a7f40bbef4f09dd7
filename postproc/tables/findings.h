/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as a table; what it is made from is struct ct_findings. */
#ifndef CT_POSTPROC_TABLES_FINDINGS_H
#define CT_POSTPROC_TABLES_FINDINGS_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_findings_table;

#endif
