/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what logs hold as rows of CALL, their strings before them. */
#include "host-rt/journal/rows.h"
#include "base/array.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/names.h"
#include "host-rt/spans/spans.h"
#include "host-rt/spans/threads.h"
#include "trace/write/writer.h"
#include <stdlib.h>

#define ROWS_MAX 65536u /* of a chunk */

static struct ct_row_call *rows;
static size_t count, room;

static struct ct_row_call row_of(const struct ct_log *log, const struct ct_log_entry *entry)
{
	/* The clock may have been set back meanwhile. */
	uint64_t end_ns = entry->end_ns > entry->begin_ns ? entry->end_ns : entry->begin_ns;
	uint8_t kind;
	uint32_t name = ct_journal_name(entry, &kind);
	bool is_span = entry->number >= CT_LOG_SPANS;

	return (struct ct_row_call){
	    .begin_ns = entry->begin_ns,
	    .duration_ns = end_ns - entry->begin_ns,
	    .stream = entry->stream,
	    .bytes = entry->bytes,
	    .thread = is_span ? entry->thread : ct_log_thread(log),
	    .name = name,
	    .stack = entry->stack,
	    .correlation = entry->correlation,
	    .launch = is_span ? 0 : entry->launch,
	    .result = entry->result,
	    .kind = kind,
	    .flags = entry->flags,
	    .copy = entry->copy,
	    .id = is_span ? 0 : entry->id,
	};
}

/* Names first: a row may be read as soon as it is written. */
static int flush_rows(void)
{
	struct ct_writer *writer = ct_session_writer();
	int err = 0;

	if (ct_journal_has_new_names())
		err = ct_session_check(ct_writer_flush(writer));
	if (err == 0)
		err = ct_journal_write_stacks();
	if (err == 0 && count)
		err = ct_session_check(ct_writer_rows(writer, CT_TABLE_CALL, rows, count, NULL));
	ct_session_count(&ct_session_totals.calls, count);
	count = 0;
	return err;
}

static int add(const struct ct_log *log, const struct ct_log_entry *entry)
{
	int err = count == ROWS_MAX ? flush_rows() : 0;

	if (err == 0)
		err = ct_array_reserve(&rows, &room, count + 1, sizeof(*rows));
	if (err < 0)
		return err;
	rows[count++] = row_of(log, entry);
	ct_journal_link(entry);
	return 0;
}

static int read_log(struct ct_log *log)
{
	const struct ct_log_entry *entries;
	size_t some;
	int err = 0;

	while (err == 0 && (some = ct_log_read(log, &entries)) > 0)
		for (size_t i = 0; i < some && err == 0; i++)
			err = add(log, &entries[i]);
	return err;
}

static int add_unended(const struct ct_log *log)
{
	struct ct_log_entry entry;
	int err = 0;

	/* Inner ones end first. */
	for (uint32_t i = CT_LOG_UNENDED_MAX; err == 0 && i-- > 0;)
		if (ct_log_unended(log, i, &entry))
			err = add(log, &entry);
	return err;
}

static int add_span(void *unused, const struct ct_log_entry *entry)
{
	(void)unused;
	return add(NULL, entry);
}

bool ct_journal_write(bool is_last)
{
	uint32_t named = ct_thread_names_given();
	int err = 0;

	for (struct ct_log *log = ct_log_next(NULL); log && err == 0; log = ct_log_next(log)) {
		ct_journal_tell_thread(log, is_last);
		err = read_log(log);
		if (err == 0 && is_last && !ct_log_has_ended(log))
			err = add_unended(log);
	}
	ct_journal_reported_threads(named);
	if (err == 0 && is_last)
		err = ct_spans_open(add_span, NULL);
	if (err == 0)
		err = flush_rows();
	if (err == 0)
		err = ct_journal_write_uses();
	if (err == 0)
		err = ct_journal_write_activities(is_last);
	if (err == 0)
		err = ct_journal_write_contents();
	if (err == 0)
		err = ct_journal_write_reported();
	if (err == 0)
		err = ct_journal_write_samples();
	if (err == 0)
		err = ct_journal_write_host_samples(is_last);
	if (is_last) {
		free(rows);
		rows = NULL;
		ct_journal_free_names();
		count = room = 0;
	}
	return err == 0;
}
