/* SPDX-License-Identifier: Apache-2.0 */
/* All advice about values in one list. */
#include "postproc/analysis/values/findings/findings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_MIN 0.01 /* of all bytes that are accessed */

static int compare_advice(const void *a, const void *b)
{
	const struct ct_values_advice *x = a, *y = b;

	if (x->is_memory != y->is_memory)
		return x->is_memory ? 1 : -1;
	if (x->is_fault != y->is_fault)
		return x->is_fault ? -1 : 1;
	if (x->saved_bytes != y->saved_bytes)
		return x->saved_bytes > y->saved_bytes ? -1 : 1;
	if (x->kernel != y->kernel)
		return x->kernel < y->kernel ? -1 : 1;
	if (x->subject.group != y->subject.group)
		return x->subject.group < y->subject.group ? -1 : 1;
	return strcmp(x->text, y->text);
}

int ct_values_advices_init(struct ct_values_advices *advices,
			   const struct ct_values_figures *figures,
			   const struct ct_values_lines *lines)
{
	const double least = SHARE_MIN * (double)lines->bytes;
	struct ct_values_subject *subject = ct_values_subjects(figures);
	int err = subject ? 0 : -ENOMEM;

	*advices = (struct ct_values_advices){.list = NULL};
	if (err == 0)
		err = ct_values_advise_lines(advices, figures, lines, least);
	if (err == 0)
		err = ct_values_advise_patterns(advices, figures, subject, least);
	if (err == 0)
		err = ct_values_advise_runs(advices, figures, least);
	if (err == 0)
		err = ct_values_advise_lives(advices, figures, subject);
	free(subject);
	if (advices->count)
		qsort(advices->list, advices->count, sizeof(*advices->list), compare_advice);
	return err;
}

void ct_values_advices_fini(struct ct_values_advices *advices)
{
	free(advices->list);
	*advices = (struct ct_values_advices){.list = NULL};
}
