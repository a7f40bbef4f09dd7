/* SPDX-License-Identifier: Apache-2.0 */
/* The table of problems: waits and copies that are not needed. */
#include "postproc/analysis/ffm/findings/tables.h"
#include "postproc/analysis/ffm/kinds.h"
#include "postproc/analysis/ffm/place.h"
#include "postproc/tables/describe.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

struct row_needless_calls {
	uint64_t number, run_ns;
	const struct ct_ffm_entry *entry;
	const char *caller;
	char place[CT_FFM_PLACE_BYTES];
};

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/analysis/ffm/findings/tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/analysis/ffm/findings/tables.def"

static int rows_needless_calls(const void *from, struct ct_table_sink *sink)
{
	const struct ct_ffm_study *study = from;
	int err = 0;

	for (size_t i = 0; i < ct_ffm_study_large(study) && err == 0; i++) {
		const struct ct_ffm_entry *entry = &study->entry[i];
		const struct ct_code_frame *frame = ct_ffm_study_frame(study, entry->site.stack);
		struct row_needless_calls row = {
		    .number = i + 1,
		    .run_ns = study->run_ns,
		    .entry = entry,
		    .caller = frame ? frame->function : NULL,
		};

		ct_ffm_place(frame, row.place);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

const struct ct_table_def ct_needless_calls_table = {CT_TABLE_SHOWN(needless_calls, NULL)};
