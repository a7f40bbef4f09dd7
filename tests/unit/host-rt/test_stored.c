/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what is reported for launches whose records are in the file. The consumers are this
 * file's. */
#include "host-rt/drain/flush.h"
#include "host-rt/drain/stored.h"
#include "host-rt/events/events.h"
#include "host-rt/events/pending.h"
#include "host-rt/events/session.h"
#include <criterion/criterion.h>

struct ct_session_totals ct_session_totals;
static uint64_t head, written;
static uint32_t reported[8];
static size_t reported_count;

void ct_events_write(struct ct_event_header *event)
{
	cr_assert_lt(reported_count, 8);
	reported[reported_count++] = ((const struct ct_event_stored *)(const void *)event)->launch;
}

uint64_t ct_pending_ended(void)
{
	return ct_session_totals.launches;
}

bool ct_device_is_cpu_target(void)
{
	return true;
}

bool ct_consumers_have_written(const struct ct_consumers *consumers, uint64_t until)
{
	(void)consumers;
	return written >= until;
}

int ct_flush_read_later(struct ct_drain *drain, size_t offset, void *to, size_t bytes)
{
	(void)drain, (void)offset, (void)to, (void)bytes;
	return -1;
}

static void launch(unsigned count)
{
	ct_session_totals.launches += count;
	head += count;
}

static void expect(size_t count, const uint32_t *launches)
{
	cr_assert_eq(reported_count, count);
	for (size_t i = 0; i < count; i++)
		cr_assert_eq(reported[i], launches[i], "event %zu tells %u", i, reported[i]);
}

static uint64_t stored_head;
static struct ct_device device;
static struct ct_drain drain = {.device = &device, .stored_head = &stored_head};

static void begin(void)
{
	drain.context.head = (uintptr_t)&head;
}

Test(hostrt_stored, a_mark_is_reported_when_all_before_it_is_written, .init = begin)
{
	launch(3);
	ct_stored_mark(&drain);
	ct_stored_look(&drain);
	expect(0, NULL);
	written = 3;
	ct_stored_look(&drain);
	ct_stored_look(&drain);
	expect(1, (uint32_t[]){3});
}

Test(hostrt_stored, a_look_does_not_take_back_what_was_reported_since_its_mark, .init = begin)
{
	launch(3);
	ct_stored_mark(&drain);
	launch(2);
	written = 5;
	ct_stored_now(&drain);
	ct_stored_look(&drain);
	expect(1, (uint32_t[]){5});
	launch(1);
	written = 6;
	ct_stored_mark(&drain);
	ct_stored_look(&drain);
	expect(2, (uint32_t[]){5, 6});
}
