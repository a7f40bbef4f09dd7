/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of a writer: ring chunks collected into trace chunks of a device's file. */
#include "directory.h"
#include "pace.h"
#include "writer_state.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

struct ct_writer_stream {
	struct ct_writer *writer;
	struct ct_writer_device *device; /* NULL until the first chunk is written */
	uint32_t number;                 /* of the device */
	struct ct_coder *coder;
	struct ct_buffer records; /* of the tickets first..last, without gaps */
	uint64_t first_ticket, last_ticket;
	bool has_ticket; /* last_ticket is defined */
	uint32_t hurry;
	uint64_t lost;
	struct ct_pace pace;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void close_device(struct ct_writer_device *device)
{
	ct_append_close(&device->file);
	pthread_mutex_destroy(&device->lock);
	free(device);
}

static int open_device(struct ct_writer *writer, uint32_t number, struct ct_writer_device **out)
{
	struct ct_writer_device *device = calloc(1, sizeof(*device));
	char name[CT_FILE_NAME_BYTES];
	int err;

	ct_writer_file_name(writer, number, name);
	if (!device)
		return ct_writer_fail(writer, -ENOMEM, "create", name);
	device->device = number;
	pthread_mutex_init(&device->lock, NULL);
	err = ct_append_open(&device->file, writer->directory_fd, name);
	if (err < 0) {
		close_device(device);
		return ct_writer_fail(writer, err, "create", name);
	}
	*out = device;
	return 0;
}

/* The file of the stream's device, shared with the device's other streams. */
static int find_device(struct ct_writer_stream *stream)
{
	struct ct_writer *writer = stream->writer;
	struct ct_writer_device *device;
	int err = 0;

	if (stream->device)
		return 0;
	pthread_mutex_lock(&writer->lock);
	for (device = writer->devices; device; device = device->next)
		if (device->device == stream->number)
			break;
	if (!device) {
		err = open_device(writer, stream->number, &device);
		if (err == 0) {
			device->next = writer->devices;
			writer->devices = device;
		}
	}
	pthread_mutex_unlock(&writer->lock);
	stream->device = device;
	return err;
}

int ct_writer_stream_open(struct ct_writer_stream **out, struct ct_writer *writer, uint32_t device)
{
	struct ct_writer_stream *stream = calloc(1, sizeof(*stream));
	int err;

	*out = NULL;
	if (!stream)
		return -ENOMEM;
	stream->writer = writer;
	stream->number = device;
	ct_pace_init(&stream->pace);
	err = ct_coder_open(&stream->coder, writer->options.level);
	if (err < 0) {
		free(stream);
		return err;
	}
	*out = stream;
	return 0;
}

/* Records are of no use without their launches: the events so far go to the
 * disk first, so that a trace cut here has both. */
static int write_events_first(struct ct_writer *writer)
{
	int err;

	pthread_mutex_lock(&writer->lock);
	err = ct_writer_events_flush(writer);
	pthread_mutex_unlock(&writer->lock);
	return err;
}

static enum ct_codec choose_codec(const struct ct_writer_stream *stream)
{
	const struct ct_writer_options *options = &stream->writer->options;
	enum ct_codec usual = options->level > 0 ? CT_CODEC_DELTA_ZSTD : CT_CODEC_DELTA;

	if (options->fixed_codec)
		return (enum ct_codec)(options->fixed_codec - 1);
	return ct_pace_choose(&stream->pace, usual, stream->hurry);
}

/* Codes without a lock; other streams append to the same file. */
static int write_chunk(struct ct_writer_stream *stream)
{
	struct ct_writer *writer = stream->writer;
	struct ct_chunk_header header = {
	    .kind = CT_CHUNK_RECORDS,
	    .first_sequence = stream->first_ticket,
	    .last_sequence = stream->last_ticket,
	};
	enum ct_codec codec = choose_codec(stream);
	uint64_t begin_ns = now_ns(), coded_ns;
	const void *payload;
	int err = ct_chunk_code(stream->coder, codec, &header, stream->records.bytes,
				stream->records.size, &payload);

	if (err < 0)
		return err;
	coded_ns = now_ns();
	pthread_mutex_lock(&stream->device->lock);
	err = ct_append_chunk(&stream->device->file, &header, payload);
	pthread_mutex_unlock(&stream->device->lock);
	if (err < 0)
		return err;
	writer->bytes += sizeof(header) + header.coded_bytes;
	ct_pace_learn(&stream->pace, codec, header.raw_bytes, header.coded_bytes,
		      coded_ns - begin_ns, now_ns() - coded_ns);
	return 0;
}

static int store(struct ct_writer_stream *stream)
{
	struct ct_writer *writer = stream->writer;
	char name[CT_FILE_NAME_BYTES];
	int err = writer->error;

	if (err == 0)
		err = find_device(stream);
	if (err == 0)
		err = write_events_first(writer);
	if (err < 0)
		return err;
	err = write_chunk(stream);
	if (err == 0)
		return 0;
	ct_writer_file_name(writer, stream->number, name);
	return ct_writer_fail(writer, err, "write", name);
}

int ct_writer_stream_flush(struct ct_writer_stream *stream)
{
	int err;

	if (stream->records.size == 0)
		return stream->writer->error;
	err = store(stream);
	if (err < 0)
		stream->lost += stream->last_ticket - stream->first_ticket + 1;
	stream->records.size = 0;
	return err;
}

/* A ticket that is not the next one begins a new chunk, so that readers see
 * the gap; so does one whose records would make the chunk too large. */
int ct_writer_stream_records(struct ct_writer_stream *stream, uint64_t ticket, const void *records,
			     size_t bytes)
{
	struct ct_writer *writer = stream->writer;
	int err = writer->error;

	if (err < 0)
		return err;
	if (bytes == 0 || bytes % 8 != 0 || bytes > CT_CHUNK_RAW_MAX ||
	    (stream->has_ticket && ticket <= stream->last_ticket))
		return -EINVAL;
	if (writer->options.limit_bytes && writer->bytes >= writer->options.limit_bytes)
		return -CT_ELIMIT;
	if (stream->records.size && (ticket != stream->last_ticket + 1 ||
				     stream->records.size + bytes > CT_WRITER_STREAM_BYTES))
		err = ct_writer_stream_flush(stream);
	if (err < 0)
		return err;
	if (!ct_buffer_append(&stream->records, records, bytes))
		return -ENOMEM;
	if (stream->records.size == bytes)
		stream->first_ticket = ticket;
	stream->last_ticket = ticket;
	stream->has_ticket = true;
	return 0;
}

void ct_writer_stream_hurry(struct ct_writer_stream *stream, uint32_t hurry)
{
	stream->hurry = hurry;
}

size_t ct_writer_stream_bytes(const struct ct_writer_stream *stream)
{
	return stream->records.size;
}

uint64_t ct_writer_stream_lost(const struct ct_writer_stream *stream)
{
	return stream->lost;
}

int ct_writer_stream_close(struct ct_writer_stream *stream)
{
	int err;

	if (!stream)
		return 0;
	err = ct_writer_stream_flush(stream);
	ct_coder_close(stream->coder);
	ct_buffer_fini(&stream->records);
	free(stream);
	return err;
}

void ct_writer_devices_fini(struct ct_writer *writer)
{
	while (writer->devices) {
		struct ct_writer_device *device = writer->devices;

		writer->devices = device->next;
		close_device(device);
	}
}
