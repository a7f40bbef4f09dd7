/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/device-rt/device_pool_trace.h"
#include "tests/unit/trace/trace_fixture.h"
#include <stdio.h>
#include <stdlib.h>

#define STREAMS 6u /* of several files */
#define RUN 8u     /* tickets that a stream takes by turns */

static int write_launches(struct ct_writer *writer, uint32_t launches, uint32_t ctas)
{
	size_t bytes;
	void *unit = fixture_unit(&bytes);
	int err = ct_writer_unit(writer, unit, bytes);

	free(unit);
	for (uint32_t id = 1; id <= launches && err >= 0; id++) {
		struct ct_event_launch event = {
		    .header = {CT_EVENT_LAUNCH, 0, sizeof(event), 1},
		    .launch = id,
		    .unit_id = FIXTURE_UNIT_ID,
		    .unit_arch = 90,
		    .grid = {ctas, 1, 1},
		    .flags = CT_LAUNCH_TRACED,
		};

		err = ct_writer_string(writer, "_Z3sumPf", &event.kernel_name);
		if (err >= 0)
			err = ct_writer_event(writer, &event.header);
	}
	return err;
}

static int write_chunks(struct ct_writer *writer, const struct pool_chunk *chunks, size_t count)
{
	struct ct_writer_stream *streams[STREAMS] = {NULL};
	int err = 0, closed;

	for (uint32_t i = 0; i < STREAMS && err == 0; i++)
		err = ct_writer_stream_open(&streams[i], writer, 0);
	for (size_t i = 0; i < count && err == 0; i++)
		err = ct_writer_stream_records(streams[i / RUN % STREAMS], i, chunks[i].bytes,
					       chunks[i].size);
	for (uint32_t i = 0; i < STREAMS; i++) {
		closed = ct_writer_stream_close(streams[i]);
		err = err ? err : closed;
	}
	return err;
}

static int hand_out(void *user, const struct ct_access *access)
{
	(*(pool_access **)user)(access->launch->event->launch, access->cta, access->site,
				access->mask, access->address);
	return 0;
}

static int read_all(const char *directory, pool_access *access)
{
	const struct ct_scan scan = {.access = hand_out, .user = &access};
	const char *const *warnings;
	struct ct_trace *trace;
	char why[512] = "damage";
	uint64_t damaged = 0;
	int err = ct_trace_open(&trace, directory, why, sizeof(why));

	if (err == 0)
		err = ct_trace_scan(trace, &scan, &damaged);
	if (err == 0 && damaged == 0 && ct_trace_warnings(trace, &warnings) == 0)
		why[0] = '\0';
	else if (err == 0 && ct_trace_warnings(trace, &warnings))
		snprintf(why, sizeof(why), "%s", warnings[0]);
	ct_trace_close(trace);
	if (why[0])
		fprintf(stderr, "%s\n", why);
	return why[0] != '\0';
}

int pool_trace(const struct pool_chunk *chunks, size_t count, enum ct_codec codec,
	       uint32_t launches, uint32_t ctas, pool_access *access)
{
	const struct ct_writer_options options = {.level = 1, .fixed_codec = codec + 1};
	char *directory = fixture_directory(), why[512] = "the trace cannot be written";
	struct ct_writer *writer;
	int failed = 1, err = ct_writer_open(&writer, directory, &options, why, sizeof(why));

	if (err == 0) {
		err = write_launches(writer, launches, ctas);
		if (err >= 0)
			err = write_chunks(writer, chunks, count);
		if (ct_writer_close(writer) < 0)
			err = -1;
	}
	if (err < 0)
		fprintf(stderr, "%s\n", why);
	else
		failed = read_all(directory, access);
	fixture_remove(directory);
	return failed;
}
