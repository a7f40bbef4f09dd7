/* SPDX-License-Identifier: Apache-2.0 */
/* The table of where warps wait and why. */
#include "postproc/analysis/causes/tables.h"
#include "postproc/analysis/causes/advice.h"
#include "postproc/tables/describe.h"
#include "postproc/tables/sink.h"

#include <stdio.h>
#include <string.h>

#define ROWS_MAX 40u
#define PLACE_BYTES 512u

struct row_wait_causes {
	uint64_t number;
	const struct ct_advice *advice;
	const char *reason; /* NULL: any */
	char place[PLACE_BYTES];
};

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/analysis/causes/tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/analysis/causes/tables.def"

static int rows_wait_causes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_advices *advices = from;
	int err = 0;

	for (size_t i = 0; i < advices->count && i < ROWS_MAX && err == 0; i++) {
		struct row_wait_causes row = {.number = i, .advice = &advices->list[i]};
		const char *slash = strrchr(row.advice->file, '/');
		char reason[CT_REASON_BYTES];

		snprintf(row.place, sizeof(row.place), "%.480s:%u",
			 slash ? slash + 1 : row.advice->file, row.advice->line);
		if (row.advice->reason)
			row.reason = ct_samples_reason_text(row.advice->reason, reason);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

const struct ct_table_def ct_wait_causes_table = {CT_TABLE_SHOWN(wait_causes, NULL)};
