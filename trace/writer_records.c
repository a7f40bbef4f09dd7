/* SPDX-License-Identifier: Apache-2.0 */
/* The writer's record files: ring chunks collected into trace chunks. */
#include "directory.h"
#include "writer_state.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS_RAW_BYTES (256u << 10)

static void close_device(struct ct_writer_device *device)
{
	ct_append_close(&device->file);
	ct_coder_close(device->coder);
	ct_buffer_fini(&device->records);
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
	device->file.fd = -1;
	pthread_mutex_init(&device->lock, NULL);
	err = ct_coder_open(&device->coder, writer->options.level);
	if (err == 0)
		err = ct_append_open(&device->file, writer->directory_fd, name);
	if (err < 0) {
		close_device(device);
		return ct_writer_fail(writer, err, "create", name);
	}
	*out = device;
	return 0;
}

static int find_device(struct ct_writer *writer, uint32_t number, struct ct_writer_device **out)
{
	struct ct_writer_device *device;
	int err = 0;

	pthread_mutex_lock(&writer->lock);
	for (device = writer->devices; device; device = device->next)
		if (device->device == number)
			break;
	if (!device) {
		err = open_device(writer, number, &device);
		if (err == 0) {
			device->next = writer->devices;
			writer->devices = device;
		}
	}
	pthread_mutex_unlock(&writer->lock);
	*out = device;
	return err;
}

static int flush_device(struct ct_writer *writer, struct ct_writer_device *device)
{
	struct ct_chunk_header header = {
	    .kind = CT_CHUNK_RECORDS,
	    .first_sequence = device->first_ticket,
	    .last_sequence = device->last_ticket,
	};
	char name[CT_FILE_NAME_BYTES];
	int err = writer->error;

	if (err < 0 || device->records.size == 0)
		return err;
	ct_writer_file_name(writer, device->device, name);
	err = ct_writer_append_chunk(writer, &device->file, device->coder, &header,
				     &device->records, name);
	device->records.size = 0;
	return err;
}

/* A ticket that is not the next one begins a new chunk, so that readers see
 * the gap; so does one whose records would make the chunk too large. */
static int append_ticket(struct ct_writer *writer, struct ct_writer_device *device, uint64_t ticket,
			 const void *records, size_t bytes)
{
	int err = 0;

	if (device->has_ticket && ticket <= device->last_ticket)
		return -EINVAL;
	if ((device->has_ticket && ticket != device->last_ticket + 1) ||
	    device->records.size + bytes > RECORDS_RAW_BYTES)
		err = flush_device(writer, device);
	if (err < 0)
		return err;
	if (device->records.size == 0)
		device->first_ticket = ticket;
	if (!ct_buffer_append(&device->records, records, bytes))
		return -ENOMEM;
	device->last_ticket = ticket;
	device->has_ticket = true;
	return 0;
}

/* Records are of no use without their launches: what is full goes to the disk
 * after the events so far, so that a trace cut here has both. */
static int write_events_first(struct ct_writer *writer, struct ct_writer_device *device,
			      size_t bytes)
{
	bool is_full;
	int err;

	pthread_mutex_lock(&device->lock);
	is_full = device->records.size + bytes > RECORDS_RAW_BYTES;
	pthread_mutex_unlock(&device->lock);
	if (!is_full)
		return 0;
	pthread_mutex_lock(&writer->lock);
	err = ct_writer_events_flush(writer);
	pthread_mutex_unlock(&writer->lock);
	return err;
}

int ct_writer_records(struct ct_writer *writer, uint32_t number, uint64_t ticket,
		      const void *records, size_t bytes)
{
	struct ct_writer_device *device;
	int err = writer->error;

	if (err < 0)
		return err;
	if (bytes == 0 || bytes % 8 != 0 || bytes > CT_CHUNK_RAW_MAX)
		return -EINVAL;
	if (writer->options.limit_bytes && writer->bytes >= writer->options.limit_bytes)
		return -CT_ELIMIT;
	err = find_device(writer, number, &device);
	if (err == 0)
		err = write_events_first(writer, device, bytes);
	if (err < 0)
		return err;
	pthread_mutex_lock(&device->lock);
	err = append_ticket(writer, device, ticket, records, bytes);
	pthread_mutex_unlock(&device->lock);
	return err;
}

int ct_writer_devices_flush(struct ct_writer *writer)
{
	int first_err = 0;

	for (struct ct_writer_device *device = writer->devices; device; device = device->next) {
		int err;

		pthread_mutex_lock(&device->lock);
		err = flush_device(writer, device);
		pthread_mutex_unlock(&device->lock);
		if (first_err == 0)
			first_err = err;
	}
	return first_err;
}

void ct_writer_devices_fini(struct ct_writer *writer)
{
	while (writer->devices) {
		struct ct_writer_device *device = writer->devices;

		writer->devices = device->next;
		close_device(device);
	}
}
