/* SPDX-License-Identifier: Apache-2.0 */
/* The table of where warps wait and why. */
#include "postproc/analysis/causes/tables.h"
#include "postproc/analysis/causes/advice.h"
#include "postproc/facts/source_name.h"
#include "postproc/tables/sink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 40u
#define PLACE_BYTES 512u

struct row_wait_causes {
	uint64_t number;
	const struct ct_advices *advices;
	const struct ct_advice *advice;
	const char *function, *waiting_for;
	char place[PLACE_BYTES], because[128];
};

static double times_or_missing(double times)
{
	return isfinite(times) ? times : NAN;
}

#define CT_DESCRIBED "postproc/analysis/causes/tables.def"
#include "postproc/tables/described.h"

/* "uncoalesced, 88 % of the sectors too many"; "": no cause is known */
static void write_because(char *text, size_t bytes, const struct ct_advice *advice)
{
	double percent = 100 * advice->saved / advice->matched;

	if (advice->cause == CT_CAUSE_LANES || advice->cause == CT_CAUSE_WARPS)
		snprintf(text, bytes, "%s, %.0f %% of the lanes are off", ct_advice_cause(advice),
			 percent);
	else if (advice->cause < CT_CAUSE_KINDS)
		snprintf(text, bytes, "%s, %.0f %% of the %s too many", ct_advice_cause(advice),
			 percent, ct_cause_unit(advice->cause));
}

static int put_advice(struct ct_table_sink *sink, const struct ct_advices *advices, size_t i)
{
	const struct ct_advice *advice = &advices->list[i];
	const struct ct_blame_variable *variable = advice->variable;
	const char *slash = strrchr(advice->file, '/');
	char *function = variable ? ct_source_name(variable->function) : NULL;
	char reason[CT_REASON_BYTES];
	struct row_wait_causes row = {.number = i, .advices = advices, .advice = advice};
	int err;

	row.function = function || !variable ? function : variable->function;
	row.waiting_for =
	    advice->reason ? ct_samples_reason_text(advice->reason, reason) : "any reason";
	snprintf(row.place, sizeof(row.place), "%.480s:%u", slash ? slash + 1 : advice->file,
		 advice->line);
	write_because(row.because, sizeof(row.because), advice);
	err = ct_table_put_row(sink, &row);
	free(function);
	return err;
}

static int rows_wait_causes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_advices *advices = from;
	int err = 0;

	for (size_t i = 0; i < advices->count && (advices->lists_all || i < ROWS_MAX) && err == 0;
	     i++)
		err = put_advice(sink, advices, i);
	return err;
}

const struct ct_table_def ct_wait_causes_table = {CT_TABLE_SHOWN(wait_causes, NULL)};
