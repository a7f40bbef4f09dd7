/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what copies have moved as rows of CONTENT. */
#include "host-rt/content/rows.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/rows.h"
#include "trace/write/writer.h"

int ct_journal_write_contents(void)
{
	struct ct_row_content *rows;
	size_t count = ct_contents_take(&rows);

	return count ? ct_session_check(
			   ct_writer_rows(ct_session_writer(), CT_TABLE_CONTENT, rows, count, NULL))
		     : 0;
}
