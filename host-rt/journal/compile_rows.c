/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver has compiled at run time, as rows of COMPILE. */
#include "host-rt/activities/compiles.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/rows.h"
#include "trace/write/writer.h"

int ct_journal_write_compiles(void)
{
	struct ct_row_compile *rows;
	size_t count = ct_compiles_take(&rows);

	return count ? ct_session_check(
			   ct_writer_rows(ct_session_writer(), CT_TABLE_COMPILE, rows, count, NULL))
		     : 0;
}
