/* SPDX-License-Identifier: Apache-2.0 */
/* From the program's calls to ranges and waits. */
#include "host-rt/watch/watch.h"
#include "base/clock.h"
#include "host-rt/base/say.h"
#include "host-rt/base/thread.h"
#include "host-rt/calls/call.h"
#include "host-rt/watch/clocks.h"
#include "host-rt/watch/order/devices.h"
#include "host-rt/watch/order/hidden.h"
#include "host-rt/watch/order/order.h"
#include "host-rt/watch/order/reached.h"
#include "host-rt/watch/pages/attach.h"
#include "host-rt/watch/pages/pages.h"
#include "host-rt/watch/ranges/access.h"
#include "host-rt/watch/ranges/blocks.h"
#include "host-rt/watch/ranges/bounds.h"
#include "host-rt/watch/ranges/finished.h"
#include "host-rt/watch/ranges/lock.h"
#include "host-rt/watch/sites.h"
#include "unwind/unwind.h"
#include <string.h>

#define FOUND_MAX 256u

static uint8_t means; /* of accesses: enum ct_use_means */

static const struct ct_range_listener listeners[] = {
    {.arm = ct_bounds_arm, .disarm = ct_bounds_disarm},
    {.arm = ct_pages_arm, .disarm = ct_pages_disarm},
};

static int init(const struct ct_watch_options *options)
{
	int err = ct_watch_sites_read(options->sites);

	if (err == 0)
		err = ct_ranges_init(listeners, sizeof(listeners) / sizeof(*listeners));
	return err == 0 ? ct_watch_order_init() : err;
}

/* True if there is a means. */
static bool find_means(const struct ct_watch_options *options)
{
	const char *asked = options->means;
	bool has_host = ct_watch_has_host_code(), is_auto = strcmp(asked, "auto") == 0;
	const char *why = NULL;

	if (!is_auto && strcmp(asked, "pages") != 0) {
		if (!has_host && !options->is_optional)
			ct_say("--uses=host: no code was compiled with --ct-host; no uses are "
			       "recorded");
		means = CT_MEANS_HOST;
		return has_host;
	}
	ct_bounds_use(is_auto && has_host);
	if (ct_attach_begin(is_auto && has_host, &why)) {
		means = CT_MEANS_PAGES;
		return true;
	}
	means = CT_MEANS_HOST;
	if (!is_auto || !has_host)
		ct_say("--uses=%s: pages cannot be protected: %s; no uses are recorded", asked,
		       why);
	return is_auto && has_host;
}

void ct_watch_begin(const struct ct_watch_options *options)
{
	if (strcmp(options->means, "off") != 0 && init(options) == 0 && find_means(options))
		__atomic_store_n(&ct_watch_state, CT_WATCH_ON, __ATOMIC_RELEASE);
}

void ct_watch_end(void)
{
	uint32_t is_on = CT_WATCH_ON;
	struct ct_watch_touch never = {.time_ns = ct_clock_real_ns(), .kind = CT_USE_NONE};

	if (!__atomic_compare_exchange_n(&ct_watch_state, &is_on, CT_WATCH_ENDED, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	ct_attach_end();
	if (!ct_watch_lock())
		return;
	while (ct_ranges_live()) {
		uint32_t range = ct_ranges_at(ct_ranges_live() - 1);

		never.means = ct_ranges[range].wait ? means : CT_MEANS_NONE;
		ct_range_finish(range, &never);
	}
	ct_watch_unlock();
}

void ct_watch_forget(void)
{
	if (!ct_watch_is_on())
		return;
	__atomic_store_n(&ct_watch_state, CT_WATCH_OFF, __ATOMIC_RELEASE);
	ct_attach_forget();
}

/* One of its slices, or all if they are rows at the same distance. */
static bool slice_of(const struct ct_watch_box *box, uint64_t slice, struct ct_range *range)
{
	uint64_t rows = box->height;

	if (!box->width || !box->height || slice >= box->depth)
		return false;
	if (box->depth > 1 && box->slice == box->row * box->height) {
		if (slice)
			return false;
		rows *= box->depth;
	}
	*range = (struct ct_range){.start = box->address + slice * box->slice,
				   .width = box->width,
				   .pitch = box->row,
				   .rows = (uint32_t)rows};
	if (rows == 1 || box->row == box->width) {
		range->width *= rows;
		range->pitch = 0;
		range->rows = 1;
	}
	range->end = range->start + (uint64_t)(range->rows - 1) * range->pitch + range->width;
	return true;
}

static void read_by_device(const struct ct_range *rows)
{
	struct ct_watch_touch access = ct_watch_touch_of_call(CT_USE_COPY);
	uint32_t found[FOUND_MAX];
	uint32_t count = ct_ranges_find(rows->start, rows->end, found, FOUND_MAX);

	access.at = rows->start;
	access.bytes = rows->end - rows->start;
	for (uint32_t i = 0; i < count; i++)
		if (ct_range_counts(&ct_ranges[found[i]], false))
			ct_range_finish(found[i], &access);
}

void ct_watch_asking(const struct ct_watch_box *written, const struct ct_watch_box *read)
{
	struct ct_range rows;

	if (!ct_watch_is_on() || !ct_watch_lock())
		return;
	for (uint64_t slice = 0; read && slice_of(read, slice, &rows); slice++)
		read_by_device(&rows);
	for (uint64_t slice = 0; written && slice_of(written, slice, &rows); slice++)
		ct_pages_open_to_replace(rows.start, rows.end);
	ct_watch_unlock();
}

void ct_watch_giving(const uint64_t *addresses, size_t count)
{
	if (!ct_watch_is_on() || !ct_watch_lock())
		return;
	for (size_t i = 0; i < count; i++) {
		const struct ct_block *block = ct_block_find_shared(addresses[i]);

		if (block)
			ct_pages_open_to_replace(block->address, block->address + block->bytes);
	}
	ct_watch_unlock();
}

/* Replaces what the memory was before: of another stream's work it is not known which comes
 * first. */
static void replace(const struct ct_range *rows, uint32_t slot)
{
	struct ct_watch_touch access = ct_watch_touch_of_call(CT_USE_REPLACED);
	uint32_t found[FOUND_MAX];
	uint32_t count = ct_ranges_find(rows->start, rows->end, found, FOUND_MAX);

	for (uint32_t i = 0; i < count; i++)
		if (ct_ranges[found[i]].state == CT_RANGE_ARMED || ct_ranges[found[i]].slot == slot)
			ct_range_cut(found[i], rows->start, rows->end, &access);
}

/* A call that copies other memory may have waited for that itself. */
static bool is_pinned(uint64_t address)
{
	const struct ct_block *block = ct_block_find_shared(address);

	return block && block->kind != CT_WATCH_MANAGED;
}

static void add(struct ct_range *rows, uint32_t origin, uint32_t slot, uint64_t sequence)
{
	bool is_copy = origin == CT_PROTECTS_FROM_HOST || origin == CT_PROTECTS_TO_HOST;
	uint32_t range;

	replace(rows, slot);
	rows->is_shared = ct_place_is_shared(rows->start);
	rows->origin = (uint8_t)origin;
	rows->slot = slot;
	rows->sequence = sequence;
	rows->producer = ct_call_identify(ct_call_innermost);
	rows->call = ct_call_innermost->number;
	rows->thread = ct_thread_id();
	range = ct_ranges_add(rows);
	if (range && ct_watch_early && is_copy && !ct_pages_are_on() && is_pinned(rows->start))
		ct_range_watch(range);
}

/* Work of the call that the thread is in. */
static uint64_t work_in(uint32_t slot)
{
	ct_clocks_work();
	return ct_watch_order_work(slot);
}

static void use_device(uint64_t address, uint32_t slot, uint64_t sequence)
{
	const struct ct_block *block = ct_block_find_device(address);

	if (block)
		ct_devices_used(block, slot, sequence, ct_call_identify(ct_call_innermost));
}

static void add_box(const struct ct_watch_box *box, uint32_t origin, uint32_t slot,
		    uint64_t sequence)
{
	struct ct_range rows;

	if (box->is_device) {
		use_device(box->address, slot, sequence);
		return;
	}
	for (uint64_t slice = 0; slice_of(box, slice, &rows); slice++)
		add(&rows, origin, slot, sequence);
}

void ct_watch_asked(const struct ct_watch_box *written, const struct ct_watch_box *read, int device,
		    uint64_t stream)
{
	uint64_t sequence;
	uint32_t slot;

	if (!ct_watch_is_on() || !ct_call_innermost || !ct_watch_lock())
		return;
	slot = ct_watch_slot(device, stream);
	sequence = work_in(slot);
	if (read)
		add_box(read, CT_PROTECTS_FROM_HOST, slot, sequence);
	if (written)
		add_box(written, CT_PROTECTS_TO_HOST, slot, sequence);
	ct_watch_unlock();
}

static void use_block(const struct ct_block *block, uint32_t slot, uint64_t sequence)
{
	struct ct_range rows = {.start = block->address,
				.end = block->address + block->bytes,
				.width = block->bytes,
				.rows = 1};

	if (block->kind == CT_WATCH_DEVICE_MEMORY)
		ct_devices_used(block, slot, sequence, ct_call_identify(ct_call_innermost));
	else
		add(&rows,
		    block->kind == CT_WATCH_MANAGED ? CT_PROTECTS_MANAGED : CT_PROTECTS_PINNED,
		    slot, sequence);
}

void ct_watch_given(const uint64_t *addresses, size_t count, bool is_all, int device,
		    uint64_t stream)
{
	uint64_t sequence;
	uint32_t slot;

	if (!ct_watch_is_on() || !ct_call_innermost || !ct_watch_lock())
		return;
	slot = ct_watch_slot(device, stream);
	sequence = work_in(slot);
	for (size_t i = 0; i < count; i++) {
		const struct ct_block *block = ct_block_find(addresses[i]);

		if (block)
			use_block(block, slot, sequence);
	}
	if (!is_all)
		ct_devices_used_any(slot, sequence, ct_call_identify(ct_call_innermost));
	ct_watch_unlock();
}

void ct_watch_hidden(const char *reason, int device, uint64_t stream)
{
	uint32_t slot;

	if (!ct_watch_is_on() || !ct_call_innermost || !ct_watch_lock())
		return;
	slot = ct_watch_slot(device, stream);
	ct_hidden_add(reason, slot, work_in(slot), ct_call_identify(ct_call_innermost));
	ct_watch_unlock();
}

/* A wait covers this. */
struct reach {
	enum ct_watch_scope scope;
	int device;
	const uint64_t *reached; /* by slot; NULL: nothing is known */
};

static bool is_covered(const void *user, uint32_t slot, uint64_t sequence)
{
	const struct reach *reach = user;

	if (reach->scope == CT_WATCH_ALL)
		return true;
	if (reach->scope == CT_WATCH_DEVICE)
		return ct_watch_slot_device(slot) == reach->device;
	return reach->reached && sequence <= reach->reached[slot];
}

/* Memory that it covers is its own from now on. */
static void cover(struct ct_wait *wait, const struct reach *reach)
{
	uint32_t index = (uint32_t)(wait - ct_waits);

	for (uint32_t i = ct_ranges_live(); i-- > 0;) {
		uint32_t range = ct_ranges_at(i);

		if (!is_covered(reach, ct_ranges[range].slot, ct_ranges[range].sequence))
			continue;
		if (!(wait->row.flags & CT_WAIT_NOT_ASKED)) {
			ct_range_arm(range, index, wait->row.end_ns);
			continue;
		}
		wait->row.ranges++;
		wait->row.bytes += ct_ranges[range].width * ct_ranges[range].rows;
		ct_range_drop(range);
	}
	ct_wait_finish(index);
}

void ct_watch_exported(const char *reason)
{
	ct_hidden_export(reason);
}

void ct_watch_waited(enum ct_watch_scope scope, int device, uint64_t stream, const void *handle)
{
	struct ct_call *call = ct_call_innermost;
	const uint64_t *reached = NULL;
	struct ct_row_wait row = {.means = means};
	uint32_t wait, slot = CT_ORDER_SLOTS;

	if (!ct_watch_is_on() || !call)
		return;
	row.site = ct_stack_hash(call->stack); /* takes a lock that is before ours */
	if (!ct_watch_lock())
		return;
	row.call = ct_call_identify(call);
	row.end_ns = call->log ? call->end_ns : ct_clock_real_ns();
	row.thread = ct_thread_id();
	if (!ct_watch_sites_has(row.site))
		row.flags |= CT_WAIT_NOT_ASKED;
	if (scope == CT_WATCH_STREAM) {
		slot = ct_watch_slot(device, stream);
		reached = ct_watch_order_of_stream(slot);
	}
	if (scope == CT_WATCH_EVENT)
		reached = ct_watch_order_of_event(handle);
	wait = ct_waits_add(&row);
	if (wait) {
		const struct reach reach = {scope, device, reached};

		ct_hidden_wait(&row, is_covered, &reach);
		ct_reached_wait(&row, scope, device, slot, reached);
		ct_devices_waited();
		ct_hidden_tell_exported(&row);
		cover(&ct_waits[wait], &reach);
		ct_clocks_waited(&row);
	}
	ct_watch_unlock();
}

void ct_watch_timed(const void *handle)
{
	struct ct_watch_touch access = ct_watch_touch_of_call(CT_USE_COPY);
	const struct ct_reached *wait;
	uint64_t sequence;
	uint32_t slot;

	if (!ct_watch_is_on() || !ct_watch_lock())
		return;
	sequence = ct_watch_order_point(handle, &slot);
	wait = sequence ? ct_reached_by(slot, sequence) : NULL;
	access.reason = ct_call_innermost ? ct_call_name(ct_call_innermost->number) : NULL;
	if (wait && wait->is_asked)
		ct_reached_tell(wait, CT_PROTECTS_EVENT, NULL, 0, &access);
	ct_watch_unlock();
}

void ct_watch_stream(int device, uint64_t stream, bool is_blocking)
{
	if (!ct_watch_is_on() || !ct_watch_lock())
		return;
	ct_watch_slot_is(ct_watch_slot(device, stream), is_blocking);
	ct_watch_unlock();
}

void ct_watch_record(int device, uint64_t stream, const void *handle)
{
	if (!ct_watch_is_on() || !ct_watch_lock())
		return;
	ct_watch_order_record(ct_watch_slot(device, stream), handle);
	ct_watch_unlock();
}

void ct_watch_wait_for(int device, uint64_t stream, const void *handle)
{
	if (!ct_watch_is_on() || !ct_watch_lock())
		return;
	ct_watch_order_wait(ct_watch_slot(device, stream), handle);
	ct_watch_unlock();
}

void ct_watch_drop(const void *handle)
{
	if (!ct_watch_is_on() || !ct_watch_lock())
		return;
	ct_watch_order_drop(handle);
	ct_watch_unlock();
}

size_t ct_watch_take_uses(struct ct_watch_use *uses, size_t room)
{
	size_t count = 0;

	if (ct_watch_state != CT_WATCH_OFF && ct_watch_lock()) {
		count = ct_finished_take_uses(uses, room);
		ct_watch_unlock();
	}
	return count;
}

size_t ct_watch_take_waits(struct ct_row_wait *waits, size_t room)
{
	size_t count = 0;

	if (ct_watch_state != CT_WATCH_OFF && ct_watch_lock()) {
		count = ct_finished_take_waits(waits, room);
		ct_watch_unlock();
	}
	return count;
}

uint64_t ct_watch_lost(void)
{
	return ct_finished_lost();
}
