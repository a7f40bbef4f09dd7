/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of stacks, as rows of STACK, and the modules that they stand in. */
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/rows.h"
#include "trace/write/writer.h"
#include "unwind/unwind.h"

#define ROWS 4096u

static bool tell_modules(void)
{
	struct ct_stack_module module;
	bool is_any = false;

	ct_session_lock();
	while (ct_session_is_open() && ct_stacks_next_module(&module)) {
		struct ct_event_module event = {
		    .module = module.id, .base = module.base, .size = module.size};
		struct ct_event_module_gone gone = {.module = module.id};

		is_any = true;
		if (module.is_gone) {
			ct_events_write(ct_event_module_gone_header(&gone));
			continue;
		}
		event.path = ct_events_string(module.path);
		event.build_id = ct_events_string(module.build_id);
		ct_events_write(ct_event_module_header(&event));
	}
	ct_session_unlock();
	return is_any;
}

int ct_journal_write_stacks(void)
{
	static struct ct_row_stack rows[ROWS];
	struct ct_writer *writer = ct_session_writer();
	size_t count;
	int err = 0;

	if (tell_modules())
		err = ct_session_check(ct_writer_flush(writer));
	while (err == 0 && (count = ct_stacks_new_rows(rows, ROWS)) > 0)
		err = ct_session_check(ct_writer_rows(writer, CT_TABLE_STACK, rows, count, NULL));
	return err;
}
