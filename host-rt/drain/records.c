/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what the consumers of a device take into the trace of this process. */
#include "host-rt/drain/records.h"
#include "host-rt/drain/stored.h"
#include "host-rt/events/session.h"
#include "host-rt/events/sink.h"
#include "trace/write/writer.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The stream of one consumer. */
struct stream {
	struct stream *next;
	struct ct_writer_stream *file;
	uint32_t device;
	uint64_t pending_launch; /* atomic: of the first record not in the file; 0 none */
};

static pthread_mutex_t streams_lock = PTHREAD_MUTEX_INITIALIZER;
static struct stream *streams;
static uint64_t lost_launch = UINT64_MAX; /* atomic: the first that lost records */

static void note_lost(uint64_t launch)
{
	uint64_t known = __atomic_load_n(&lost_launch, __ATOMIC_RELAXED);

	while (launch < known && !__atomic_compare_exchange_n(&lost_launch, &known, launch, false,
							      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

uint64_t ct_records_first_missing(void)
{
	uint64_t first = __atomic_load_n(&lost_launch, __ATOMIC_RELAXED);

	pthread_mutex_lock(&streams_lock);
	for (const struct stream *stream = streams; stream; stream = stream->next) {
		uint64_t launch = __atomic_load_n(&stream->pending_launch, __ATOMIC_RELAXED);

		if (launch && launch < first)
			first = launch;
	}
	pthread_mutex_unlock(&streams_lock);
	return first;
}

bool ct_records_are_in_use(void)
{
	bool are_in_use;

	pthread_mutex_lock(&streams_lock);
	are_in_use = streams != NULL;
	pthread_mutex_unlock(&streams_lock);
	return are_in_use;
}

static void *open_stream(void *user)
{
	const struct ct_drain *drain = user;
	struct stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return NULL;
	stream->device = (uint32_t)drain->device->ordinal;
	if (ct_writer_stream_open(&stream->file, ct_session_writer(), stream->device) < 0) {
		free(stream);
		return NULL;
	}
	pthread_mutex_lock(&streams_lock);
	stream->next = streams;
	streams = stream;
	pthread_mutex_unlock(&streams_lock);
	return stream;
}

/* A chunk begins with a segment header. */
static uint64_t first_launch(const void *records)
{
	uint64_t word;

	memcpy(&word, records, sizeof(word));
	return (uint32_t)word;
}

/* Losses are known before the session says how many launches are complete. */
static int put(struct stream *stream, uint64_t launch, uint64_t ticket, const void *records,
	       uint32_t bytes)
{
	bool is_wanted = ct_session_takes_records();
	int err = -EPIPE;

	if (is_wanted)
		err = ct_writer_stream_records(stream->file, ticket, records, bytes);
	if (err < 0)
		note_lost(launch);
	return is_wanted ? ct_session_check(err) : err;
}

static int take(void *user, uint64_t ticket, const void *records, uint32_t bytes)
{
	struct stream *stream = user;
	uint64_t launch = first_launch(records);
	int err;

	ct_session_count(&ct_session_totals.arrived_bytes, bytes);
	ct_sink_records(stream->device, ticket, records, bytes);
	if (!ct_session_options()->trace_file)
		return 0;
	/* Before it is written, which may take long. */
	if (!__atomic_load_n(&stream->pending_launch, __ATOMIC_RELAXED))
		__atomic_store_n(&stream->pending_launch, launch, __ATOMIC_RELAXED);
	err = put(stream, launch, ticket, records, bytes);
	if (err < 0)
		return err;
	ct_session_count(&ct_session_totals.record_bytes, bytes);
	return 0;
}

static uint64_t write_stream(void *user, uint32_t hurry)
{
	struct stream *stream = user;
	uint64_t before = ct_writer_stream_lost(stream->file);
	uint64_t launch = __atomic_load_n(&stream->pending_launch, __ATOMIC_RELAXED);
	int err;

	if (hurry)
		ct_session_count(&ct_session_totals.hurried_chunks, 1);
	ct_writer_stream_hurry(stream->file, hurry);
	err = ct_writer_stream_flush(stream->file);
	if (err < 0 && launch)
		note_lost(launch);
	__atomic_store_n(&stream->pending_launch, 0, __ATOMIC_RELAXED);
	ct_session_check(err);
	return ct_writer_stream_lost(stream->file) - before;
}

static void close_stream(void *user)
{
	struct stream *stream = user, **at = &streams;

	pthread_mutex_lock(&streams_lock);
	while (*at != stream)
		at = &(*at)->next;
	*at = stream->next;
	pthread_mutex_unlock(&streams_lock);
	ct_session_check(ct_writer_stream_close(stream->file));
	free(stream);
}

static void idle(void *user)
{
	ct_stored_look(user);
	ct_session_flush();
}

const struct ct_consumer_sink ct_records_sink = {
    .open = open_stream,
    .take = take,
    .write = write_stream,
    .close = close_stream,
    .idle = idle,
};
