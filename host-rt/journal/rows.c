/* SPDX-License-Identifier: Apache-2.0 */
/* What logs hold, as rows of CALL, and activities, their strings before them. */
#include "host-rt/journal/rows.h"
#include "base/array.h"
#include "host-rt/calls/call.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/activities.h"
#include "trace/write/writer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 65536u /* of a chunk */
#define NAME_BYTES 64u

static struct ct_row_call *rows;
static size_t count, room;
static uint32_t name_of[CT_CALLS]; /* strings; 0: not told yet */
static uint32_t *kernel_string;    /* by number of the name - 1; 0: not told yet */
static size_t kernel_strings, kernel_room;
static bool has_new_strings;

static uint32_t string_of(uint16_t number)
{
	if (!name_of[number]) {
		ct_session_lock();
		name_of[number] = ct_events_string(ct_call_name(number));
		ct_session_unlock();
		has_new_strings = true;
	}
	return name_of[number];
}

static struct ct_row_call row_of(const struct ct_log *log, const struct ct_log_entry *entry)
{
	/* The clock may have been set back meanwhile. */
	uint64_t end_ns = entry->end_ns > entry->begin_ns ? entry->end_ns : entry->begin_ns;

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
	    .kind = ct_call_is_of_driver(entry->number) ? CT_SPAN_DRIVER : CT_SPAN_RUNTIME,
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
	if (err == 0)
		rows[count++] = row_of(log, entry);
	return err;
}

/* What the thread is called: when it is first seen, and when it ends, if that has changed. */
static void tell_thread(struct ct_log *log)
{
	struct ct_event_thread event = {.thread = ct_log_thread(log)};
	char path[NAME_BYTES], name[NAME_BYTES] = "";
	uint64_t *told = ct_log_mark(log);
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%u/comm", event.thread);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(name, sizeof(name), file))
		name[strcspn(name, "\n")] = '\0';
	fclose(file);
	if (!*name)
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

static int name_kernel(struct ct_row_activity *row)
{
	uint32_t number = row->name;
	int err;

	if (!number)
		return 0;
	err = ct_array_reserve(&kernel_string, &kernel_room, number, sizeof(*kernel_string));
	if (err < 0)
		return err;
	for (; kernel_strings < number; kernel_strings++)
		kernel_string[kernel_strings] = 0;
	if (!kernel_string[number - 1]) {
		ct_session_lock();
		kernel_string[number - 1] = ct_events_string(ct_activities_name(number));
		ct_session_unlock();
		has_new_strings = true;
	}
	row->name = kernel_string[number - 1];
	return 0;
}

/* Behind the calls that caused them, but for those that are under way. */
static int write_activities(void)
{
	struct ct_row_activity *activities;
	size_t some = ct_activities_take(&activities);
	int err = 0;

	for (size_t i = 0; i < some && err == 0; i++)
		err = name_kernel(&activities[i]);
	if (err == 0)
		err = flush_rows();
	if (err == 0 && some)
		err = ct_session_check(
		    ct_writer_rows(ct_session_writer(), CT_TABLE_ACTIVITY, activities, some, NULL));
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
		err = write_activities();
	if (is_last) {
		free(rows);
		free(kernel_string);
		rows = NULL;
		kernel_string = NULL;
		count = room = kernel_strings = kernel_room = 0;
	}
	return err == 0;
}
