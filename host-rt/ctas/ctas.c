/* SPDX-License-Identifier: Apache-2.0 */
/* The CTA clock around a launch: a table for it, and when it is known to be complete. */
#include "host-rt/ctas/ctas.h"
#include "base/array.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/symbols.h"
#include "host-rt/ctas/state.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A mark costs a launch about a microsecond: one for so much time, or so many CTAs. */
#define MARK_EVERY_NS 10000000u
#define MARK_CTAS (1u << 17)

#define UNREAD_BYTES (256u << 20)

static const char no_room[] = "no memory left for the clock of thread blocks";

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct ct_ctas_stream *stream_of(struct ct_ctas_device *device, uint64_t id)
{
	struct ct_ctas_stream *idle = NULL, *stream;

	for (stream = device->streams; stream && stream->id != id; stream = stream->next)
		if (!stream->tables)
			idle = stream;
	if (stream)
		return stream;
	if (!idle) {
		idle = calloc(1, sizeof(*idle));
		if (!idle)
			return NULL;
		idle->next = device->streams;
		device->streams = idle;
	}
	idle->id = id;
	idle->marked_ns = now_ns();
	return idle;
}

/* To read is to wait for copies: at waits of the program, unless much has come together. Then room
 * that other launches have left is used before there is more memory. */
static struct ct_ctas_page *take_page(struct ct_drain *drain, uint64_t ctas)
{
	struct ct_ctas_memory *memory = &ct_ctas_device_of(drain)->memory;
	const struct ct_ctas_page *first = memory->pages;

	if (first && first->room - first->used < ctas && memory->bytes > UNREAD_BYTES &&
	    ct_session_is_open())
		ct_ctas_read(drain);
	return ct_ctas_page_take(memory, drain, ctas);
}

static struct ct_ctas_table *new_table(struct ct_drain *drain, uint64_t stream, uint64_t ctas)
{
	struct ct_ctas_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->page = take_page(drain, ctas);
	table->stream = table->page ? stream_of(ct_ctas_device_of(drain), stream) : NULL;
	if (!table->stream) {
		if (table->page)
			ct_ctas_page_return(table->page);
		free(table);
		return NULL;
	}
	table->drain = drain;
	table->first = table->page->used - ctas;
	table->ctas = ctas;
	*(table->stream->tables ? table->stream->end : &table->stream->tables) = table;
	table->stream->end = &table->next;
	table->stream->ctas += ctas;
	return table;
}

static uint64_t address_of(const struct ct_ctas_table *table)
{
	return table->page->address + table->first * sizeof(struct ct_cta_times);
}

const char *ct_ctas_take(struct ct_drain *drain, uint64_t stream, uint64_t ctas,
			 struct ct_ctas_use *use)
{
	struct ct_ctas_table *table = new_table(drain, stream, ctas);

	*use = (struct ct_ctas_use){0};
	if (!table)
		return no_room;
	*use = (struct ct_ctas_use){table, address_of(table), ctas};
	return NULL;
}

static int reach_slot(struct ct_ctas_device *device, uint32_t slot)
{
	size_t count = device->kept_count;

	if (slot < count)
		return 0;
	if (ct_array_reserve(&device->kept, &device->kept_room, slot + 1u, sizeof(*device->kept)) <
	    0)
		return -ENOMEM;
	memset(device->kept + count, 0, (slot + 1u - count) * sizeof(*device->kept));
	device->kept_count = slot + 1u;
	return 0;
}

const char *ct_ctas_keep(struct ct_drain *drain, uint32_t slot, uint64_t ctas,
			 struct ct_ctas_use *use)
{
	struct ct_ctas_device *device = ct_ctas_device_of(drain);
	struct ct_ctas_page *page;
	struct ct_ctas_kept *kept;

	*use = (struct ct_ctas_use){0};
	if (reach_slot(device, slot) < 0)
		return no_room;
	kept = &device->kept[slot];
	if (kept->ctas < ctas) {
		page = ct_ctas_page_take(&device->kept_memory, drain, ctas);
		if (!page)
			return no_room;
		kept->times = page->address + (page->used - ctas) * sizeof(struct ct_cta_times);
		kept->ctas = ctas;
	}
	use->times = kept->times;
	use->ctas = ctas;
	return NULL;
}

/* The launched tables of a stream go behind a new mark, which is not recorded yet. */
static struct ct_ctas_mark *new_mark(struct ct_ctas_device *device, struct ct_ctas_stream *stream)
{
	struct ct_ctas_mark *mark = device->spare, **last;
	struct ct_ctas_table **link = &stream->tables, **end, *table;

	if (mark)
		device->spare = mark->next;
	else
		mark = calloc(1, sizeof(*mark));
	if (!mark)
		return NULL;
	mark->is_recorded = false;
	mark->tables = NULL;
	end = &mark->tables;
	while ((table = *link)) {
		if (table->phase != CT_CTAS_LAUNCHED) {
			link = &table->next;
			continue;
		}
		*link = table->next;
		stream->ctas -= table->ctas;
		table->stream = NULL;
		table->next = NULL;
		*end = table;
		end = &table->next;
	}
	stream->end = link;
	mark->next = NULL;
	for (last = &device->marks; *last; last = &(*last)->next)
		;
	*last = mark;
	return mark;
}

static struct ct_ctas_mark *mark_if_due(const struct ct_ctas_table *table)
{
	struct ct_ctas_stream *stream = table->stream;
	uint64_t now = now_ns();

	if (!stream || (stream->tables == table && !table->next))
		return NULL; /* the device was reset, or nothing came before */
	if (now - stream->marked_ns < MARK_EVERY_NS && stream->ctas - table->ctas < MARK_CTAS)
		return NULL;
	stream->marked_ns = now;
	return new_mark(ct_ctas_device_of(table->drain), stream);
}

/* Without an event its tables are read when all work is complete. */
static void record(struct ct_ctas_mark *mark, cudaStream_t stream)
{
	bool is_recorded =
	    (mark->event ||
	     cudaEventCreateWithFlags(&mark->event, cudaEventDisableTiming) == cudaSuccess) &&
	    __real_cudaEventRecord(mark->event, stream) == cudaSuccess;

	ct_session_lock();
	mark->is_recorded = is_recorded;
	ct_session_unlock();
}

void ct_ctas_begin(const struct ct_ctas_use *use, cudaStream_t stream)
{
	struct ct_ctas_mark *mark;
	struct ct_quiet quiet;

	if (!use->table)
		return;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	mark = mark_if_due(use->table);
	ct_session_unlock();
	if (mark)
		record(mark, stream);
	ct_quiet_end(&quiet);
}

static void remove_table(struct ct_ctas_table *table)
{
	struct ct_ctas_table **link = &table->stream->tables;

	while (*link != table)
		link = &(*link)->next;
	*link = table->next;
	if (!*link)
		table->stream->end = link;
	table->stream->ctas -= table->ctas;
	ct_ctas_page_return(table->page);
	free(table);
}

void ct_ctas_end(const struct ct_ctas_use *use, uint32_t launch, bool launched)
{
	if (!use->table)
		return;
	ct_session_lock();
	if (!use->table->stream) {
		free(use->table);
	} else if (launched) {
		use->table->launch = launch;
		use->table->phase = CT_CTAS_LAUNCHED;
	} else {
		remove_table(use->table);
	}
	ct_session_unlock();
}

void ct_ctas_copy(struct ct_drain *drain, const struct ct_ctas_use *kept, cudaStream_t stream,
		  uint64_t stream_id, uint32_t launch)
{
	struct ct_ctas_use use;
	const char *reason;
	bool copied;

	ct_session_lock();
	reason = ct_ctas_take(drain, stream_id, kept->ctas, &use);
	if (reason && ct_session_is_open())
		ct_events_loss(UINT64_MAX, launch, reason);
	ct_session_unlock();
	if (reason)
		return;
	ct_ctas_begin(&use, stream);
	copied = __real_cudaMemcpyAsync((void *)(uintptr_t)use.times,
					(const void *)(uintptr_t)kept->times,
					kept->ctas * sizeof(struct ct_cta_times),
					cudaMemcpyDeviceToDevice, stream) == cudaSuccess;
	ct_ctas_end(&use, launch, copied);
}

static int open(struct ct_drain *drain)
{
	ct_ctas_clock_tell(drain);
	return 0;
}

/* One whose launch is being made by another thread is still known to that. */
static void forget_tables(struct ct_ctas_table *table)
{
	struct ct_ctas_table *next;

	for (; table; table = next) {
		next = table->next;
		table->stream = NULL;
		if (table->phase == CT_CTAS_LAUNCHED)
			free(table);
	}
}

static void forget_marks(struct ct_ctas_mark *mark, bool release)
{
	struct ct_ctas_mark *next;

	for (; mark; mark = next) {
		next = mark->next;
		forget_tables(mark->tables);
		if (release && mark->event)
			__real_cudaEventDestroy(mark->event);
		free(mark);
	}
}

static void close(struct ct_drain *drain, bool release)
{
	struct ct_ctas_device *device = ct_ctas_device_of(drain);
	struct ct_ctas_stream *stream;

	ct_ctas_clock_close(drain, release);
	forget_marks(device->marks, release);
	forget_marks(device->spare, release);
	while ((stream = device->streams)) {
		device->streams = stream->next;
		forget_tables(stream->tables);
		free(stream);
	}
	ct_ctas_memory_close(&device->memory, release);
	ct_ctas_memory_close(&device->kept_memory, release);
	free(device->kept);
	*device = (struct ct_ctas_device){0};
}

const struct ct_drain_extension ct_ctas_extension = {
    .open = open,
    .read = ct_ctas_read,
    .finish = ct_ctas_finish,
    .close = close,
};
