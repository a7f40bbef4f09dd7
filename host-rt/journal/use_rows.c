/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what the watch has finished as rows of WAIT and USE. */
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/rows.h"
#include "host-rt/watch/watch.h"
#include "trace/write/writer.h"

#define ROWS 1024u

static int write_uses(size_t *count)
{
	static struct ct_watch_use uses[ROWS];
	static struct ct_row_use rows[ROWS];
	bool has_strings = false;
	int err = 0;

	*count = ct_watch_take_uses(uses, ROWS);
	for (size_t i = 0; i < *count; i++) {
		rows[i] = uses[i].row;
		if (!uses[i].reason)
			continue;
		ct_session_lock();
		rows[i].reason = ct_events_string(uses[i].reason);
		ct_session_unlock();
		has_strings = true;
	}
	if (has_strings)
		err = ct_session_check(ct_writer_flush(ct_session_writer()));
	if (err == 0 && *count)
		err = ct_journal_write_stacks();
	if (err == 0 && *count)
		err = ct_session_check(
		    ct_writer_rows(ct_session_writer(), CT_TABLE_USE, rows, *count, NULL));
	return err;
}

static int write_waits(size_t *count)
{
	static struct ct_row_wait rows[ROWS];

	*count = ct_watch_take_waits(rows, ROWS);
	if (!*count)
		return 0;
	return ct_session_check(
	    ct_writer_rows(ct_session_writer(), CT_TABLE_WAIT, rows, *count, NULL));
}

int ct_journal_write_uses(void)
{
	size_t count = ROWS;
	int err = 0;

	while (err == 0 && count == ROWS)
		err = write_uses(&count);
	for (count = ROWS; err == 0 && count == ROWS;)
		err = write_waits(&count);
	return err;
}
