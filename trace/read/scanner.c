/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks into memory, and what is in them to those who asked. */
#include "trace/read/scanner.h"
#include "trace/codec/segments.h"
#include "trace/read/reader_state.h"
#include "trace/read/records.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

struct ct_loaded {
	const struct ct_trace_file *device; /* the first of its files */
	const struct ct_record_chunk *entry;
	size_t chunk;    /* of the trace */
	uint64_t number; /* in its device */
	struct ct_buffer raw;
	struct ct_segments segments;
	bool has_records;
	bool is_lost_after; /* beside what was lost before: entry->is_after_gap */
	atomic_bool is_damaged;
};

struct ct_scanner {
	struct ct_trace *trace;
	const struct ct_scan *request;
	uint32_t owners, owner;
	const struct ct_trace_file
	    *read_from;                     /* the first file of the device that readers are of */
	struct ct_chunk_file **readers;     /* of its files; NULL: not open yet */
	const struct ct_trace_file *device; /* that records are of; NULL: none yet */
	const struct ct_part *asked_part;   /* of asked_launch; NULL: its events are missing */
	uint32_t asked_launch;              /* by the last segment that was found */
	bool is_asked_wanted;
	struct ct_records records;
};

static const struct ct_trace_file *device_of(const struct ct_trace *trace, size_t i)
{
	const struct ct_record_device *device =
	    &CT_ARRAY(const struct ct_record_device, &trace->record_devices)[i];

	return &CT_ARRAY(const struct ct_trace_file, &trace->files)[device->file];
}

size_t ct_trace_record_chunks(const struct ct_trace *trace)
{
	size_t devices = CT_COUNT(struct ct_record_device, &trace->record_devices), chunks = 0;

	for (size_t i = 0; i < devices; i++)
		chunks += CT_COUNT(struct ct_record_chunk, &device_of(trace, i)->chunks);
	return chunks;
}

uint64_t ct_trace_damaged_places(const struct ct_trace *trace)
{
	size_t devices = CT_COUNT(struct ct_record_device, &trace->record_devices);
	uint64_t places = 0;

	for (size_t i = 0; i < devices; i++)
		places += device_of(trace, i)->damaged;
	return places;
}

uint64_t ct_trace_chunk_bytes(const struct ct_trace *trace)
{
	return 8 * (uint64_t)trace->record_words * 2;
}

/* The device that has a chunk of the trace, and its number there. */
static const struct ct_trace_file *find_chunk(const struct ct_trace *trace, size_t chunk,
					      size_t *number)
{
	const struct ct_record_device *device =
	    CT_ARRAY(const struct ct_record_device, &trace->record_devices);
	size_t low = 0, high = CT_COUNT(struct ct_record_device, &trace->record_devices);

	/* The last one that begins at the chunk or before it: those without chunks come first. */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (device[middle].first_chunk <= chunk)
			low = middle;
		else
			high = middle;
	}
	*number = chunk - device[low].first_chunk;
	return device_of(trace, low);
}

uint64_t ct_trace_chunk_place(const struct ct_trace *trace, size_t chunk)
{
	size_t number;
	const struct ct_trace_file *device = find_chunk(trace, chunk, &number);
	const struct ct_record_chunk *entry =
	    &CT_ARRAY(const struct ct_record_chunk, &device->chunks)[number];

	return (uint64_t)device[entry->file].what.file + entry->place;
}

int ct_loaded_open(struct ct_loaded **out)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : -ENOMEM;
}

void ct_loaded_close(struct ct_loaded *loaded)
{
	if (!loaded)
		return;
	ct_buffer_fini(&loaded->raw);
	ct_segments_fini(&loaded->segments);
	free(loaded);
}

bool ct_loaded_is_damaged(const struct ct_loaded *loaded)
{
	return atomic_load(&loaded->is_damaged);
}

int ct_scanner_open(struct ct_scanner **out, struct ct_trace *trace, const struct ct_scan *request,
		    uint32_t owners, uint32_t owner)
{
	struct ct_scanner *scanner = calloc(1, sizeof(*scanner));
	int err;

	*out = NULL;
	if (!scanner)
		return -ENOMEM;
	scanner->trace = trace;
	scanner->request = request;
	scanner->owners = owners;
	scanner->owner = owner;
	err = ct_records_init(&scanner->records, trace, request);
	if (err < 0) {
		free(scanner);
		return err;
	}
	*out = scanner;
	return 0;
}

static void close_readers(struct ct_scanner *scanner)
{
	for (uint32_t i = 0; scanner->readers && i < scanner->read_from->files; i++)
		ct_chunk_file_close(scanner->readers[i]);
	free(scanner->readers);
	scanner->readers = NULL;
}

void ct_scanner_close(struct ct_scanner *scanner)
{
	if (!scanner)
		return;
	close_readers(scanner);
	ct_records_fini(&scanner->records);
	free(scanner);
}

static int open_reader(struct ct_scanner *scanner, const struct ct_trace_file *device,
		       uint32_t file)
{
	char *path;
	int err;

	if (device != scanner->read_from || !scanner->readers) {
		close_readers(scanner);
		scanner->read_from = device;
		scanner->readers = calloc(device->files, sizeof(struct ct_chunk_file *));
		if (!scanner->readers)
			return -ENOMEM;
	}
	if (scanner->readers[file])
		return 0;
	path = ct_trace_path(scanner->trace, device[file].name);
	err = path ? ct_chunk_file_open(&scanner->readers[file], path) : -ENOMEM;
	free(path);
	return err;
}

static bool is_wanted(struct ct_scanner *scanner, uint32_t launch)
{
	const struct ct_scan *request = scanner->request;
	const struct ct_launch_info *launches, *info;

	if (!request->launches || launch == scanner->asked_launch)
		return !request->launches || scanner->is_asked_wanted;
	ct_trace_launches(scanner->trace, &launches);
	info = scanner->asked_part ? ct_part_launch(scanner->trace, scanner->asked_part, launch)
				   : NULL;
	scanner->asked_launch = launch;
	scanner->is_asked_wanted = info && request->launches[info - launches];
	return scanner->is_asked_wanted;
}

static uint32_t owner_of(void *user, const struct ct_segment *segment)
{
	struct ct_scanner *scanner = user;

	if (!is_wanted(scanner, segment->launch))
		return CT_SEGMENT_OF_NONE;
	return ct_warp_class(segment->launch, segment->cta, segment->warp) % scanner->owners;
}

static void lose_rest(struct ct_scanner *scanner, struct ct_loaded *loaded, size_t position,
		      int err)
{
	scanner->trace->place = (uint64_t)loaded->chunk << CT_PLACE_BITS | position;
	ct_trace_warn(scanner->trace,
		      "%s: chunk at byte %" PRIu64
		      ": offset %zu: %s; the rest of its %zu bytes is lost",
		      loaded->device[loaded->entry->file].name, loaded->entry->offset, position,
		      ct_strerror(err), loaded->raw.size);
	loaded->is_lost_after = true;
	atomic_store(&loaded->is_damaged, true);
}

static int find_segments(struct ct_scanner *scanner, struct ct_loaded *loaded)
{
	size_t position;
	int err;

	scanner->asked_launch = 0; /* belongs to none */
	scanner->is_asked_wanted = false;
	scanner->asked_part = ct_trace_part(scanner->trace, loaded->device->what.part);
	err = ct_segments_find(&loaded->segments, loaded->raw.bytes, loaded->raw.size,
			       scanner->owners, owner_of, scanner, &position);
	if (err == 0 || err > -CT_EFORMAT)
		return err;
	lose_rest(scanner, loaded, position, err);
	return 0;
}

static int read_chunk(struct ct_scanner *scanner, struct ct_loaded *loaded)
{
	const struct ct_record_chunk *entry = loaded->entry;
	struct ct_chunk_file *reader;
	struct ct_chunk chunk;
	int err = open_reader(scanner, loaded->device, entry->file);

	if (err < 0)
		return err;
	reader = scanner->readers[entry->file];
	err = ct_chunk_file_at(reader, entry->offset, &chunk);
	if (err < 0)
		return err <= -CT_EFORMAT ? -ESTALE : err; /* written anew meanwhile */
	err = ct_chunk_file_load(reader, &chunk, &loaded->raw);
	loaded->has_records = err == 0;
	if (err > -CT_EFORMAT)
		return err;
	ct_trace_warn(scanner->trace,
		      "%s: chunk at byte %" PRIu64 ": %s; its %u bytes of records are lost",
		      loaded->device[entry->file].name, chunk.offset, ct_strerror(err),
		      chunk.header.raw_bytes);
	loaded->is_lost_after = true;
	atomic_store(&loaded->is_damaged, true);
	return 0;
}

int ct_scanner_load(struct ct_scanner *scanner, size_t chunk, struct ct_loaded *loaded)
{
	int err = 0;

	loaded->chunk = chunk;
	loaded->device = find_chunk(scanner->trace, chunk, &loaded->number);
	loaded->entry =
	    &CT_ARRAY(const struct ct_record_chunk, &loaded->device->chunks)[loaded->number];
	loaded->has_records = loaded->is_lost_after = false;
	atomic_store(&loaded->is_damaged, loaded->entry->is_double);
	scanner->trace->place = (uint64_t)chunk << CT_PLACE_BITS;
	if (!loaded->entry->is_double)
		err = read_chunk(scanner, loaded);
	if (err == 0 && loaded->has_records && scanner->owners > 1)
		err = find_segments(scanner, loaded);
	return err;
}

static void select_device(struct ct_scanner *scanner, const struct ct_trace_file *device)
{
	if (device == scanner->device)
		return;
	if (scanner->device)
		ct_records_end(&scanner->records);
	scanner->device = device;
	ct_records_begin(&scanner->records, device);
}

static void take_records(struct ct_scanner *scanner, struct ct_loaded *loaded)
{
	struct ct_records *records = &scanner->records;
	size_t position;
	int err;

	if (scanner->owners > 1) {
		ct_records_segments(records, loaded->number, loaded->raw.bytes, &loaded->segments,
				    scanner->owner);
		return;
	}
	err = ct_records_chunk(records, loaded->number, loaded->raw.bytes, loaded->raw.size,
			       &position);
	if (err < 0 && !records->stop)
		lose_rest(scanner, loaded, position, err);
}

int ct_scanner_take(struct ct_scanner *scanner, struct ct_loaded *loaded)
{
	struct ct_records *records = &scanner->records;

	select_device(scanner, loaded->device);
	records->is_damaged = false;
	scanner->trace->place = (uint64_t)loaded->chunk << CT_PLACE_BITS;
	if (loaded->entry->is_after_gap)
		ct_records_lost(records);
	if (loaded->has_records && !records->stop)
		take_records(scanner, loaded);
	if (loaded->is_lost_after && !records->stop)
		ct_records_lost(records);
	if (records->is_damaged)
		atomic_store(&loaded->is_damaged, true);
	return records->stop;
}

int ct_scanner_end(struct ct_scanner *scanner)
{
	if (scanner->device && !scanner->records.stop)
		ct_records_end(&scanner->records);
	return scanner->records.stop;
}
