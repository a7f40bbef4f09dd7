/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what devices did as rows of ACTIVITY, with launch and stream of the call that asked for
 * it. */
#include "base/array.h"
#include "host-rt/activities/activities.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/rows.h"
#include "trace/write/writer.h"
#include <stdlib.h>

#define LINKS (1u << 20)

/* By correlation modulo LINKS. */
struct link {
	uint64_t stream;
	uint32_t correlation, launch;
};

static struct link *links;

static struct ct_row_activity *rows, *held; /* those that wait were taken once before */
static size_t count, room, held_count, held_room;

static uint32_t *kernel_string; /* by number of the name - 1; 0: not reported yet */
static size_t kernel_strings, kernel_room;
static bool has_new_strings;

void ct_journal_link(const struct ct_log_entry *entry)
{
	if (!entry->correlation)
		return;
	if (!links)
		links = calloc(LINKS, sizeof(*links));
	if (links)
		links[entry->correlation % LINKS] =
		    (struct link){entry->stream, entry->correlation, entry->launch};
}

/* True: it needs no more, or has got it. */
static bool complete(struct ct_row_activity *row)
{
	const struct link *link = links ? &links[row->correlation % LINKS] : NULL;

	if (row->stream < CT_STREAM_OF_DEVICE)
		return true;
	if (!link || link->correlation != row->correlation)
		return false;
	row->stream = link->stream;
	row->launch = link->launch;
	return true;
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

static int append(struct ct_row_activity **list, size_t *length, size_t *list_room,
		  const struct ct_row_activity *row)
{
	int err = ct_array_reserve(list, list_room, *length + 1, sizeof(*row));

	if (err == 0)
		(*list)[(*length)++] = *row;
	return err;
}

/* Those that waited are first, whether their calls have ended or not. */
static int sort_out(bool is_last)
{
	struct ct_row_activity *fresh;
	size_t some = ct_activities_take(&fresh);
	int err = 0;

	count = 0;
	for (size_t i = 0; i < held_count && err == 0; i++) {
		complete(&held[i]);
		err = append(&rows, &count, &room, &held[i]);
	}
	held_count = 0;
	for (size_t i = 0; i < some && err == 0; i++) {
		bool is_complete = complete(&fresh[i]);

		err = name_kernel(&fresh[i]);
		if (err == 0 && (is_complete || is_last))
			err = append(&rows, &count, &room, &fresh[i]);
		else if (err == 0)
			err = append(&held, &held_count, &held_room, &fresh[i]);
	}
	return err;
}

static void free_all(void)
{
	free(rows);
	free(held);
	free(links);
	free(kernel_string);
	rows = held = NULL;
	links = NULL;
	kernel_string = NULL;
	count = room = held_count = held_room = kernel_strings = kernel_room = 0;
}

int ct_journal_write_activities(bool is_last)
{
	struct ct_writer *writer = ct_session_writer();
	int err = sort_out(is_last);

	if (err == 0 && has_new_strings)
		err = ct_session_check(ct_writer_flush(writer));
	has_new_strings = false;
	if (err == 0 && count)
		err =
		    ct_session_check(ct_writer_rows(writer, CT_TABLE_ACTIVITY, rows, count, NULL));
	ct_session_count(&ct_session_totals.activities, count);
	if (is_last)
		free_all();
	return err;
}
