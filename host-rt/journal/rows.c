/* SPDX-License-Identifier: Apache-2.0 */
/* What logs hold, as rows of CALL, their strings before them. */
#include "host-rt/journal/rows.h"
#include "base/array.h"
#include "host-rt/calls/call.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "trace/write/writer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 65536u /* of a chunk */
#define FUNCTION_BYTES 128u

static struct ct_row_call *rows;
static size_t count, room;
static uint32_t name_of[UINT16_MAX + 1]; /* strings; 0: not told yet */
static bool has_new_strings;

/* As CUDA documents it: without what tells its versions apart. */
static void name_plainly(const char *function, char name[FUNCTION_BYTES])
{
	static const char *const endings[] = {"_ptsz", "_ptds", "_v"};
	char *end;

	snprintf(name, FUNCTION_BYTES, "%s", function ? function : "");
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		end = strrchr(name, '_');
		if (end && strncmp(end, endings[i], strlen(endings[i])) == 0)
			*end = '\0';
	}
}

static uint32_t string_of(uint16_t number)
{
	char name[FUNCTION_BYTES];
	bool is_of_driver;

	if (!name_of[number]) {
		name_plainly(ct_log_name(number, &is_of_driver), name);
		ct_session_lock();
		name_of[number] = ct_events_string(name);
		ct_session_unlock();
		has_new_strings = true;
	}
	return name_of[number];
}

static struct ct_row_call row_of(const struct ct_log *log, const struct ct_log_entry *entry)
{
	/* The clock may have been set back meanwhile. */
	uint64_t end_ns = entry->end_ns > entry->begin_ns ? entry->end_ns : entry->begin_ns;
	bool is_of_driver;

	ct_log_name(entry->number, &is_of_driver);

	return (struct ct_row_call){
	    .begin_ns = entry->begin_ns,
	    .duration_ns = end_ns - entry->begin_ns,
	    .stream = entry->stream,
	    .bytes = entry->bytes,
	    .thread = ct_log_thread(log),
	    .name = string_of(entry->number),
	    .stack = entry->stack,
	    .correlation = entry->correlation,
	    .launch = entry->launch,
	    .result = entry->result,
	    .kind = is_of_driver ? CT_SPAN_DRIVER : CT_SPAN_RUNTIME,
	    .flags = entry->flags,
	    .copy = entry->copy,
	};
}

/* Names first: a row may be read as soon as it is written. */
static int flush_rows(void)
{
	struct ct_writer *writer = ct_session_writer();
	int err = 0;

	if (has_new_strings)
		err = ct_session_check(ct_writer_flush(writer));
	has_new_strings = false;
	if (err == 0)
		err = ct_journal_write_stacks();
	if (err == 0 && count)
		err = ct_session_check(ct_writer_rows(writer, CT_TABLE_CALL, rows, count, NULL));
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

/* What the thread is called: when it is first seen, and when it ends, if that has changed. */
static void tell_thread(struct ct_log *log)
{
	struct ct_event_thread event = {.thread = ct_log_thread(log)};
	char name[CT_LOG_NAME_BYTES];
	uint64_t *told = ct_log_mark(log);

	if (!*ct_log_thread_name(log, name))
		return;
	ct_session_lock();
	if (ct_session_is_open()) {
		event.name = ct_events_string(name);
		if (event.name != *told)
			ct_events_write(ct_event_thread_header(&event));
		*told = event.name;
	}
	ct_session_unlock();
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

bool ct_journal_write(bool is_last)
{
	int err = 0;

	for (struct ct_log *log = ct_log_next(NULL); log && err == 0; log = ct_log_next(log)) {
		if (!*ct_log_mark(log) || is_last || ct_log_has_ended(log))
			tell_thread(log);
		err = read_log(log);
		if (err == 0 && is_last && !ct_log_has_ended(log))
			err = add_unended(log);
	}
	if (err == 0)
		err = flush_rows();
	if (err == 0)
		err = ct_journal_write_activities(is_last);
	if (is_last) {
		free(rows);
		rows = NULL;
		count = room = 0;
	}
	return err == 0;
}
