/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of problems (tables.def); what they are made from is struct ct_ffm_study. */
#ifndef CT_POSTPROC_ANALYSIS_FFM_FINDINGS_TABLES_H
#define CT_POSTPROC_ANALYSIS_FFM_FINDINGS_TABLES_H

#include "postproc/analysis/ffm/folds.h"
#include "postproc/analysis/ffm/sequences.h"
#include "postproc/tables/table.h"

extern const struct ct_table_def ct_needless_calls_table, ct_ffm_totals_table,
    ct_unknown_waits_table, ct_call_profile_table, ct_ffm_stages_table;

/* From this: */
struct ct_ffm_grouped {
	const struct ct_ffm_study *study;
	struct ct_ffm_folds folds;
	struct ct_ffm_sequences sequences;
};

extern const struct ct_table_def ct_needless_functions_table, ct_needless_sequences_table;

#endif
