/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many threads on one writer, then everything must be there. A plain program:
 * Criterion does not run under ThreadSanitizer, for which this is made.
 */
#include "tests/unit/trace/trace_fixture.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 8u
#define STEPS 400u
#define RUN 16u /* tickets; divides STEPS */

static struct ct_writer *writer;

static int write_event(uint64_t step)
{
	struct ct_event_loss event = {.header = {CT_EVENT_LOSS, 0, sizeof(event), step}};
	char text[32];
	int err;

	snprintf(text, sizeof(text), "reason %ju", (uintmax_t)(step % 50));
	err = ct_writer_string(writer, text, &event.reason);
	return err < 0 ? err : ct_writer_event(writer, &event.header);
}

/* Two threads each have a stream of one device, in runs by turns; all write events, flush and look
 * at the size. */
static void *run(void *argument)
{
	uint32_t thread = *(uint32_t *)argument;
	struct ct_writer_stream *stream;
	uint64_t words[512] = {CT_SEGMENT_WORD0(0, 0, 1), CT_SEGMENT_WORD1(0, 0)};
	int err = ct_writer_stream_open(&stream, writer, thread / 2);

	for (uint64_t step = 0; step < STEPS && err >= 0; step++) {
		uint64_t ticket = (2 * (step / RUN) + thread % 2) * RUN + step % RUN;

		err = ct_writer_stream_records(stream, ticket, words, sizeof(words));
		if (err >= 0)
			err = write_event(step);
		if (err >= 0 && step % 64 == thread)
			err = ct_writer_flush(writer);
		if (ct_writer_error(writer)[0] || ct_writer_bytes(writer) > 1u << 30)
			err = -1;
	}
	if (ct_writer_stream_close(stream) < 0)
		err = -1;
	return err < 0 ? argument : NULL;
}

static int check(const char *directory)
{
	const struct ct_loss_info *losses;
	const char *const *warnings;
	struct ct_trace *trace;
	char why[256];
	int is_good;

	if (ct_trace_open(&trace, directory, why, sizeof(why)) < 0) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	is_good = ct_trace_losses(trace, &losses) == THREADS * STEPS &&
		  ct_trace_warnings(trace, &warnings) == 0;
	for (size_t i = 0; is_good && i < THREADS * STEPS; i++)
		is_good = atoi(losses[i].reason + 7) == (int)(losses[i].event->header.time_ns % 50);
	ct_trace_close(trace);
	return is_good ? 0 : 1;
}

int main(void)
{
	const struct ct_writer_options options = {.level = 1};
	char *directory = fixture_directory(), why[256];
	uint32_t numbers[THREADS];
	pthread_t threads[THREADS];
	int failed = 0;

	if (ct_writer_open(&writer, directory, &options, why, sizeof(why)) < 0) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, run, &numbers[i]);
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(threads[i], &result);
		failed |= result != NULL;
	}
	failed |= ct_writer_close(writer) != 0;
	failed |= check(directory);
	fixture_remove(directory);
	return failed;
}
