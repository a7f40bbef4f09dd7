/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what CUPTI reports beside activities as rows of COMPILE and SYNC. */
#include "host-rt/activities/reported.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/rows.h"
#include "trace/write/writer.h"

int ct_journal_write_reported(void)
{
	struct ct_row_compile *compiles;
	struct ct_row_sync *syncs;
	size_t count = ct_reported_compiles(&compiles);
	int err = 0;

	if (count)
		err = ct_session_check(
		    ct_writer_rows(ct_session_writer(), CT_TABLE_COMPILE, compiles, count, NULL));
	count = ct_reported_syncs(&syncs);
	if (err == 0 && count)
		err = ct_session_check(
		    ct_writer_rows(ct_session_writer(), CT_TABLE_SYNC, syncs, count, NULL));
	return err;
}
