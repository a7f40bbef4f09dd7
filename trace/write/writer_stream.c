/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of a writer: ring chunks collected into trace chunks of a device's files. */
#include "base/clock.h"
#include "trace/names/directory.h"
#include "trace/write/pace.h"
#include "trace/write/writer_state.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <stdlib.h>

/* Each stream has one while there are enough: the system writes to a file one write after another
 * (docs/validation.md). */
#define FILES_PER_DEVICE 16u

struct ct_writer_stream {
	struct ct_writer *writer;
	struct ct_writer_file *file; /* NULL until the first chunk is written */
	uint32_t device;
	struct ct_coder *coder;
	struct ct_buffer records; /* of the tickets first..last, without gaps */
	uint64_t first_ticket, last_ticket;
	bool has_ticket; /* last_ticket is defined */
	uint32_t hurry;
	uint64_t lost;
	struct ct_pace pace;
};

static void close_file(struct ct_writer_file *file)
{
	ct_append_close(&file->append);
	pthread_mutex_destroy(&file->lock);
	free(file);
}

static void name_file(const struct ct_writer *writer, uint32_t device, uint32_t number,
		      char name[CT_FILE_NAME_BYTES])
{
	struct ct_file_name file = {CT_FILE_DEVICE, writer->options.part, device, number};

	ct_file_name_format(&file, name);
}

static int open_file(struct ct_writer *writer, uint32_t device, uint32_t number,
		     struct ct_writer_file **out)
{
	struct ct_writer_file *file = calloc(1, sizeof(*file));
	char name[CT_FILE_NAME_BYTES];
	int err;

	name_file(writer, device, number, name);
	if (!file)
		return ct_writer_fail(writer, -ENOMEM, "create", name);
	file->device = device;
	file->number = number;
	pthread_mutex_init(&file->lock, NULL);
	err = ct_append_open(&file->append, &writer->folder, name);
	if (err < 0) {
		close_file(file);
		return ct_writer_fail(writer, err, "create", name);
	}
	file->next = writer->files;
	writer->files = file;
	*out = file;
	return 0;
}

/* With the writer's lock: the device's file with the fewest streams, NULL if all have one
 * and there may be more. *count: how many there are. */
static struct ct_writer_file *choose_file(const struct ct_writer *writer, uint32_t device,
					  uint32_t *count)
{
	struct ct_writer_file *best = NULL;

	*count = 0;
	for (struct ct_writer_file *file = writer->files; file; file = file->next) {
		if (file->device != device)
			continue;
		++*count;
		if (!best || file->streams < best->streams)
			best = file;
	}
	return best && best->streams && *count < FILES_PER_DEVICE ? NULL : best;
}

/* The file that the stream writes to, shared with some of the device's other streams. */
static int find_file(struct ct_writer_stream *stream)
{
	struct ct_writer *writer = stream->writer;
	uint32_t count;
	int err = 0;

	if (stream->file)
		return 0;
	pthread_mutex_lock(&writer->lock);
	stream->file = choose_file(writer, stream->device, &count);
	if (!stream->file)
		err = open_file(writer, stream->device, count, &stream->file);
	if (stream->file)
		stream->file->streams++;
	pthread_mutex_unlock(&writer->lock);
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
	stream->device = device;
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
	uint64_t begin_ns = ct_clock_monotonic_ns(), coded_ns;
	const void *payload;
	int err = ct_chunk_code(stream->coder, codec, &header, stream->records.bytes,
				stream->records.size, &payload);

	if (err < 0)
		return err;
	coded_ns = ct_clock_monotonic_ns();
	pthread_mutex_lock(&stream->file->lock);
	err = ct_append_chunk(&stream->file->append, &header, payload);
	pthread_mutex_unlock(&stream->file->lock);
	if (err < 0)
		return err;
	writer->bytes += sizeof(header) + header.coded_bytes;
	ct_pace_learn(&stream->pace, codec, header.raw_bytes, header.coded_bytes,
		      coded_ns - begin_ns, ct_clock_monotonic_ns() - coded_ns);
	return 0;
}

static int store(struct ct_writer_stream *stream)
{
	struct ct_writer *writer = stream->writer;
	char name[CT_FILE_NAME_BYTES];
	int err = writer->error;

	if (err == 0)
		err = find_file(stream);
	if (err == 0)
		err = write_events_first(writer);
	if (err < 0)
		return err;
	err = write_chunk(stream);
	if (err == 0)
		return 0;
	name_file(writer, stream->device, stream->file->number, name);
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
	if (ct_free_space_is_short(&writer->free_space, &writer->folder, writer->bytes))
		return -CT_ESPACE;
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

static void leave_file(struct ct_writer_stream *stream)
{
	if (!stream->file)
		return;
	pthread_mutex_lock(&stream->writer->lock);
	stream->file->streams--;
	pthread_mutex_unlock(&stream->writer->lock);
}

int ct_writer_stream_close(struct ct_writer_stream *stream)
{
	int err;

	if (!stream)
		return 0;
	err = ct_writer_stream_flush(stream);
	leave_file(stream);
	ct_coder_close(stream->coder);
	ct_buffer_fini(&stream->records);
	free(stream);
	return err;
}

void ct_writer_files_fini(struct ct_writer *writer)
{
	while (writer->files) {
		struct ct_writer_file *file = writer->files;

		writer->files = file->next;
		close_file(file);
	}
}
