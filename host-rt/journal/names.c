/* SPDX-License-Identifier: Apache-2.0 */
/* Names become strings of the trace when they are first met. */
#include "host-rt/journal/names.h"
#include "base/array.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/spans/names.h"
#include "host-rt/spans/threads.h"
#include <cudatrace/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTION_BYTES 128u
#define ENDED (1ull << 32) /* in a log's mark: its thread's last name is reported */

/* Strings; 0: not reported yet. */
static uint32_t of_call[CT_LOG_SPANS];
static uint32_t *of_span; /* by number of the name */
static size_t spans, room;
static bool has_new;
static uint32_t threads_named; /* that all logs have been reported */

static bool is_of_version(const char *end)
{
	return strcmp(end, "_ptsz") == 0 || strcmp(end, "_ptds") == 0 ||
	       (end[1] == 'v' && strspn(end + 2, "0123456789") == strlen(end + 2));
}

/* As CUDA documents it: without what tells its versions apart. */
static void name_plainly(const char *function, char name[FUNCTION_BYTES])
{
	char *end;

	snprintf(name, FUNCTION_BYTES, "%s", function ? function : "");
	while ((end = strrchr(name, '_')) && end[1] && is_of_version(end))
		*end = '\0';
}

static uint32_t string_of(const char *text)
{
	uint32_t string;

	ct_session_lock();
	string = ct_events_string(text);
	ct_session_unlock();
	has_new = true;
	return string;
}

static uint32_t name_of_span(uint32_t number)
{
	if (ct_array_reserve(&of_span, &room, (size_t)number + 1, sizeof(*of_span)) < 0)
		return 0;
	while (spans <= number)
		of_span[spans++] = 0;
	if (!of_span[number])
		of_span[number] = string_of(ct_span_name_text(number));
	return of_span[number];
}

uint32_t ct_journal_name(const struct ct_log_entry *entry, uint8_t *kind)
{
	char name[FUNCTION_BYTES];
	const char *function;
	bool is_of_driver;

	if (entry->number >= CT_LOG_SPANS) {
		*kind = (uint8_t)(entry->number - CT_LOG_SPANS);
		return name_of_span(entry->name);
	}
	function = ct_log_name(entry->number, &is_of_driver);
	*kind = is_of_driver ? CT_SPAN_DRIVER : CT_SPAN_RUNTIME;
	if (!of_call[entry->number]) {
		name_plainly(function, name);
		of_call[entry->number] = string_of(name);
	}
	return of_call[entry->number];
}

bool ct_journal_has_new_names(void)
{
	bool had_new = has_new;

	has_new = false;
	return had_new;
}

/* mark: the string that was reported last. */
static bool is_reported(const struct ct_log *log, uint64_t mark, bool is_last)
{
	if (ct_log_has_ended(log))
		return mark & ENDED;
	return (uint32_t)mark && !is_last && threads_named == ct_thread_names_given();
}

void ct_journal_tell_thread(struct ct_log *log, bool is_last)
{
	struct ct_event_thread event = {.thread = ct_log_thread(log)};
	uint64_t *mark = ct_log_mark(log);
	char own_name[CT_LOG_NAME_BYTES];
	const char *name;

	if (is_reported(log, *mark, is_last))
		return;
	name = ct_thread_name_given(event.thread);
	if (!name)
		name = ct_log_thread_name(log, own_name);
	ct_session_lock();
	if (*name && ct_session_is_open()) {
		event.name = ct_events_string(name);
		if (event.name != (uint32_t)*mark)
			ct_events_write(ct_event_thread_header(&event));
		*mark = event.name;
	}
	ct_session_unlock();
	if (!ct_log_has_ended(log))
		return;
	*mark |= ENDED;
	ct_thread_name_forget(event.thread);
}

void ct_journal_reported_threads(uint32_t given)
{
	threads_named = given;
}

void ct_journal_free_names(void)
{
	free(of_span);
	of_span = NULL;
	spans = room = 0;
}
