/* SPDX-License-Identifier: Apache-2.0 */
/* Suppressions and baselines on behalf of a command. */
#include "postproc/cmd/options/known.h"

#include "base/error.h"
#include "postproc/cmd/base/line_texts.h"
#include "postproc/problems/baseline.h"

#include <stdio.h>

const struct ctpost_option ctpost_known_options[] = {
    {.name = "suppressions",
     .argument = "FILE",
     .complete = CTPOST_COMPLETE_FILE,
     .help = "problems that are expected, a line each: ids, file, kernel (docs/gate.md); comments "
	     "of the source that say ct: expected count in any case"},
    {.name = NULL},
};

int ctpost_known_read(struct ctpost_known *known, struct ctpost_call *call)
{
	const char *path = ctpost_value(call, "suppressions");
	char why[CT_SUPPRESSION_WHY_BYTES] = "";
	int err = path ? ct_suppressions_read(&known->suppressions, path, why) : 0;

	return err < 0 ? ctpost_fail(call, CTPOST_FAILED, "%s: %s", path, why) : CTPOST_OK;
}

void ctpost_known_close(struct ctpost_known *known)
{
	ct_verdict_fini(&known->verdict);
	ct_identities_fini(&known->baseline);
	ct_suppressions_fini(&known->suppressions);
}

int ctpost_known_read_baseline(struct ctpost_known *known, struct ctpost_call *call,
			       const char *path)
{
	char why[CT_BASELINE_WHY_BYTES] = "";
	int err = ct_baseline_read(&known->baseline, path, why);

	known->has_baseline = err == 0;
	if (err < 0)
		ctpost_fail(call, CTPOST_FAILED, "%s: %s", path, why);
	return err;
}

int ctpost_known_take_baseline(struct ctpost_known *known, const struct ct_problems *problems,
			       struct ct_source_store *sources)
{
	struct ct_line_texts texts = ctpost_line_texts_of(sources);
	int err = ct_identities_init(&known->baseline, problems, &texts);

	known->has_baseline = err == 0;
	return err;
}

static void tell(const struct ctpost_known *known, const struct ctpost_call *call)
{
	const char *path = ctpost_value(call, "suppressions");

	for (size_t i = 0; i < known->verdict.remark_count; i++)
		fprintf(stderr, "ctpost: warning: %s\n", known->verdict.remarks[i]);
	for (size_t i = 0; i < known->suppressions.count; i++) {
		const struct ct_suppression *one = &known->suppressions.list[i];

		if (!one->problems)
			fprintf(stderr, "ctpost: warning: %s:%u: it suppresses nothing: %s %s %s\n",
				path, one->line, one->words, one->file, one->function);
	}
}

int ctpost_known_judge(struct ctpost_known *known, const struct ctpost_call *call,
		       const struct ct_verdict_from *of, struct ct_source_store *sources)
{
	struct ct_line_texts texts = ctpost_line_texts_of(sources);
	struct ct_verdict_from from = *of;
	int err;

	from.texts = &texts;
	from.suppressions = &known->suppressions;
	from.baseline = known->has_baseline ? &known->baseline : NULL;
	err = ct_verdict_init(&known->verdict, &from);
	if (err == 0)
		tell(known, call);
	return err;
}
