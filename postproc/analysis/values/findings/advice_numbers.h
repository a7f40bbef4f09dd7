/* SPDX-License-Identifier: Apache-2.0 */
/* Advice about what is not a number, and about zeros: of what one kernel loads or stores. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_ADVICE_NUMBERS_H
#define CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_ADVICE_NUMBERS_H

#include "postproc/analysis/values/findings/arrays.h"
#include "postproc/analysis/values/findings/findings.h"

/* Advises on the array that has most of it. 0 or -ENOMEM */
int ct_values_advise_nans(struct ct_values_advices *advices,
			  const struct ct_values_figures *figures,
			  const struct ct_values_array *array);
/* Floats that are mostly 0 where a kernel loads them, if they spare so many bytes: what else it
 * loads need not be, where it is multiplied with them. What is loaded for fewer threads already is
 * not loaded for these. Likewise */
int ct_values_advise_zeros(struct ct_values_advices *advices,
			   const struct ct_values_figures *figures,
			   const struct ct_values_array *array, const struct ct_values_set *set,
			   double least);

#endif
