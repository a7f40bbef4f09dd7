/* SPDX-License-Identifier: Apache-2.0 */
/* Open a trace directory and hand out its tables. */
#include "base/large.h"
#include "trace/read/reader_state.h"

#include <cudatrace/error.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Order files by kind (events first), part, device and number. */
static int compare_files(const void *a, const void *b)
{
	const struct ct_file_name *x = &((const struct ct_trace_file *)a)->what;
	const struct ct_file_name *y = &((const struct ct_trace_file *)b)->what;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return x->file < y->file ? -1 : x->file > y->file;
}

/* Note an entry of the directory if it is one of ours; others are ignored. */
static int note_file(struct ct_trace *trace, int directory_fd, const char *name)
{
	struct ct_trace_file file = {.what = ct_file_name_parse(name)};
	struct stat status;

	if (file.what.kind <= CT_FILE_OTHER || file.what.kind == CT_FILE_DRAFT)
		return 0;
	if (trace->is_one_part &&
	    (file.what.kind == CT_FILE_MANIFEST_OLD || file.what.part != trace->only_part))
		return 0;
	if (fstatat(directory_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(status.st_mode))
		return 0;
	file.bytes = (uint64_t)status.st_size;
	trace->bytes += file.bytes;
	ct_file_name_format(&file.what, file.name);
	return ct_buffer_append(&trace->files, &file, sizeof(file)) ? 0 : -ENOMEM;
}

/* Files of one device stand one behind the other. */
static void join_files(struct ct_trace *trace)
{
	struct ct_trace_file *files = CT_ARRAY(struct ct_trace_file, &trace->files), *first = files;

	for (size_t i = 0; i < CT_COUNT(struct ct_trace_file, &trace->files); i++) {
		if (files[i].what.kind != CT_FILE_DEVICE)
			continue;
		if (!first->files || files[i].what.part != first->what.part ||
		    files[i].what.device != first->what.device)
			first = &files[i];
		first->files++;
	}
}

static int list_files(struct ct_trace *trace)
{
	DIR *directory = opendir(trace->directory);
	struct dirent *entry;
	int err = 0;

	if (!directory)
		return -errno;
	for (errno = 0; err == 0 && (entry = readdir(directory)); errno = 0)
		err = note_file(trace, dirfd(directory), entry->d_name);
	if (err == 0)
		err = -errno;
	closedir(directory);
	if (trace->files.size)
		qsort(trace->files.bytes, CT_COUNT(struct ct_trace_file, &trace->files),
		      sizeof(struct ct_trace_file), compare_files);
	join_files(trace);
	return err;
}

/* Room for what is joined with others, when all parts are loaded: an entry per event. */
static int make_room(struct ct_trace *trace, const struct ct_part *part)
{
	const struct {
		struct ct_buffer *table;
		size_t bytes;
	} joined[] = {
	    {&trace->launches, part->count[CT_EVENT_LAUNCH] * sizeof(struct ct_launch_info)},
	    {&trace->devices, part->count[CT_EVENT_DEVICE] * sizeof(struct ct_device_info)},
	    {&trace->losses, part->count[CT_EVENT_LOSS] * sizeof(struct ct_loss_info)},
	    {&trace->transfers, part->count[CT_EVENT_TRANSFER] * sizeof(struct ct_transfer_info)},
	    {&trace->counts, part->count[CT_EVENT_COUNT] * sizeof(struct ct_count_info)},
	    {&trace->summaries, part->count[CT_EVENT_SUMMARY] * sizeof(struct ct_summary_info)},
	    {&trace->touched, part->count[CT_EVENT_TOUCHED] * sizeof(struct ct_touched_info)},
	};

	for (size_t i = 0; i < sizeof(joined) / sizeof(*joined); i++)
		if (!ct_buffer_append(joined[i].table, NULL, joined[i].bytes))
			return -ENOMEM;
	return 0;
}

/* Part of an events file: its slices begin where the tables now end. */
static int load_part(struct ct_trace *trace, const struct ct_trace_file *file)
{
	struct ct_part part = {.part = file->what.part}, *place;
	int err;

	for (size_t kind = 0; kind < CT_EVENT_KINDS; kind++)
		part.first[kind] = CT_COUNT(struct ct_host_event, &trace->events[kind]);
	place = ct_buffer_append(&trace->parts, &part, sizeof(part));
	if (!place)
		return -ENOMEM;
	err = ct_trace_load_events(trace, place, file);
	return err == 0 ? make_room(trace, place) : err;
}

static int load_records(struct ct_trace *trace, struct ct_trace_file *file, const char **name)
{
	if (!ct_trace_part(trace, file->what.part))
		ct_trace_warn(trace, "%s: events-%u.ct is missing, so its records have no meaning",
			      file->name, file->what.part);
	return ct_trace_index_records(trace, file, name);
}

static int note_device(struct ct_trace *trace, size_t file, size_t *chunks)
{
	const struct ct_record_device device = {.file = file, .first_chunk = *chunks};
	const struct ct_trace_file *first = &CT_ARRAY(struct ct_trace_file, &trace->files)[file];

	*chunks += CT_COUNT(struct ct_record_chunk, &first->chunks);
	return ct_buffer_append(&trace->record_devices, &device, sizeof(device)) ? 0 : -ENOMEM;
}

/* On failure, *name is the file that it is about. */
static int load_files(struct ct_trace *trace, const char **name)
{
	struct ct_trace_file *files = CT_ARRAY(struct ct_trace_file, &trace->files);
	struct ct_part *parts;
	size_t chunks = 0;
	int err = 0;

	for (size_t i = 0; i < CT_COUNT(struct ct_trace_file, &trace->files) && err == 0; i++) {
		*name = files[i].name;
		if (files[i].what.kind == CT_FILE_MANIFEST ||
		    files[i].what.kind == CT_FILE_MANIFEST_OLD)
			err = ct_trace_load_manifest(trace, &files[i]);
		else if (files[i].what.kind == CT_FILE_EVENTS)
			err = load_part(trace, &files[i]);
		else if (files[i].what.kind == CT_FILE_NAMES)
			err = ct_trace_load_names(trace, &files[i]);
		else if (files[i].what.kind == CT_FILE_DEVICE && files[i].files)
			err = load_records(trace, &files[i], name);
		if (err == 0 && files[i].files)
			err = note_device(trace, i, &chunks);
	}
	/* Only now do the tables stay where they are. */
	parts = CT_ARRAY(struct ct_part, &trace->parts);
	for (size_t i = 0; i < CT_COUNT(struct ct_part, &trace->parts) && err == 0; i++)
		err = ct_trace_link(trace, &parts[i]);
	return err == 0 ? ct_trace_load_processes(trace) : err;
}

/* A finished trace may hold no event; one whose events cannot be read is none. */
static int check_content(const struct ct_trace *trace, char *why, size_t why_bytes)
{
	if (trace->parts.size == 0) {
		snprintf(why, why_bytes,
			 trace->files.size ? "%s: holds no events-*.ct, without which nothing else "
					     "in it can be read; was it copied in full?"
					   : "%s: not a trace directory (it holds no events-*.ct)",
			 trace->directory);
		return -CT_EFORMAT;
	}
	if (trace->event_count == 0 && (trace->is_damaged || !trace->manifests.size)) {
		snprintf(why, why_bytes, "%s: no readable event: %s", trace->directory,
			 trace->warnings.size ? CT_ARRAY(char *, &trace->warnings)[0]
					      : "the program was stopped before its first");
		return -CT_EFORMAT;
	}
	return 0;
}

static int load(struct ct_trace *trace, char *why, size_t why_bytes)
{
	const char *name = "";
	int err = list_files(trace);

	if (err < 0) {
		snprintf(why, why_bytes, "cannot open %s: %s", trace->directory, ct_strerror(err));
		return err;
	}
	err = load_files(trace, &name);
	if (err == -CT_EVERSION)
		snprintf(why, why_bytes, "%s/%s: %s; update cuda-trace to read it",
			 trace->directory, name, ct_strerror(err));
	else if (err < 0)
		snprintf(why, why_bytes, "cannot read %s/%s: %s", trace->directory, name,
			 ct_strerror(err));
	return err < 0 ? err : check_content(trace, why, why_bytes);
}

/* The name of an events file stands for its part alone. */
static int name_directory(struct ct_trace *trace, const char *name)
{
	const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
	struct ct_file_name what = ct_file_name_parse(last);
	struct stat status;

	trace->name = strdup(name);
	trace->is_one_part =
	    what.kind == CT_FILE_EVENTS && stat(name, &status) == 0 && S_ISREG(status.st_mode);
	trace->only_part = what.part;
	if (!trace->is_one_part)
		trace->directory = strdup(name);
	else
		trace->directory =
		    slash ? strndup(name, (size_t)(slash - name) + (slash == name)) : strdup(".");
	return trace->name && trace->directory ? 0 : -ENOMEM;
}

static int open_work(struct ct_trace *trace)
{
	trace->work = malloc(sizeof(*trace->work));
	if (!trace->work)
		return -ENOMEM;
	ct_work_init(trace->work, trace->bytes);
	return ct_trace_own(trace, trace->work);
}

int ct_trace_open(struct ct_trace **out, const char *directory, char *why, size_t why_bytes)
{
	struct ct_trace *trace = calloc(1, sizeof(*trace));
	int err = -ENOMEM;

	*out = NULL;
	if (trace && name_directory(trace, directory) == 0)
		err = load(trace, why, why_bytes);
	else
		snprintf(why, why_bytes, "cannot open %s: %s", directory, ct_strerror(err));
	if (err == 0)
		err = open_work(trace);
	if (err < 0) {
		ct_trace_close(trace);
		return err;
	}
	*out = trace;
	return 0;
}

static void free_pointers(struct ct_buffer *buffer)
{
	for (size_t i = 0; i < CT_COUNT(void *, buffer); i++)
		free(CT_ARRAY(void *, buffer)[i]);
	ct_buffer_fini(buffer);
}

static void free_part(struct ct_part *part)
{
	ct_buffer_fini(&part->string_blocks);
	ct_buffer_fini(&part->units);
	ct_buffer_fini(&part->event_blocks);
	ct_buffer_fini(&part->changes);
	ct_live_fini(&part->live);
	free(part->launch_order);
}

void ct_trace_close(struct ct_trace *trace)
{
	if (!trace)
		return;
	if (trace->is_view) {
		ct_trace_close_view(trace);
		return;
	}
	for (size_t i = 0; i < CT_COUNT(struct ct_part, &trace->parts); i++)
		free_part(&CT_ARRAY(struct ct_part, &trace->parts)[i]);
	ct_buffer_fini(&trace->parts);
	for (size_t i = 0; i < CT_COUNT(struct ct_trace_file, &trace->files); i++)
		ct_buffer_fini(&CT_ARRAY(struct ct_trace_file, &trace->files)[i].chunks);
	ct_buffer_fini(&trace->files);
	ct_buffer_fini(&trace->record_devices);
	ct_buffer_fini(&trace->units);
	ct_buffer_fini(&trace->unit_blobs);
	ct_buffer_fini(&trace->codes);
	ct_buffer_fini(&trace->launches);
	ct_buffer_fini(&trace->objects);
	ct_buffer_fini(&trace->devices);
	ct_buffer_fini(&trace->losses);
	ct_buffer_fini(&trace->transfers);
	for (size_t kind = 0; kind < CT_EVENT_KINDS; kind++)
		ct_buffer_fini(&trace->events[kind]);
	ct_buffer_fini(&trace->counts);
	ct_buffer_fini(&trace->summaries);
	ct_buffer_fini(&trace->touched);
	free_pointers(&trace->warnings);
	ct_buffer_fini(&trace->warned_at);
	free_pointers(&trace->owned);
	for (size_t i = 0; i < CT_COUNT(void *, &trace->owned_rows); i++)
		ct_large_free(CT_ARRAY(void *, &trace->owned_rows)[i]);
	ct_buffer_fini(&trace->owned_rows);
	ct_buffer_fini(&trace->manifests);
	ct_buffer_fini(&trace->processes);
	free(trace->name);
	free(trace->directory);
	free(trace);
}

const char *ct_trace_directory(const struct ct_trace *trace)
{
	return trace->name;
}

uint64_t ct_trace_bytes(const struct ct_trace *trace)
{
	return trace->bytes;
}

uint64_t ct_trace_ring_chunks(const struct ct_trace *trace)
{
	return trace->ring_chunks;
}

void ct_trace_record_limits(const struct ct_trace *trace, uint64_t *chunks, uint32_t *words)
{
	*chunks = trace->record_chunks;
	*words = trace->record_words;
}

size_t ct_trace_units(const struct ct_trace *trace, const struct ct_unit **units)
{
	*units = CT_ARRAY(const struct ct_unit, &trace->units);
	return CT_COUNT(struct ct_unit, &trace->units);
}

size_t ct_trace_part_units(const struct ct_trace *trace, uint32_t part, const uint32_t **numbers)
{
	const struct ct_part *of = ct_trace_part(trace, part);

	*numbers = of ? CT_ARRAY(const uint32_t, &of->units) : NULL;
	return of ? CT_COUNT(uint32_t, &of->units) : 0;
}

size_t ct_trace_codes(const struct ct_trace *trace, const struct ct_code_info **codes)
{
	*codes = CT_ARRAY(const struct ct_code_info, &trace->codes);
	return CT_COUNT(struct ct_code_info, &trace->codes);
}

size_t ct_trace_launches(const struct ct_trace *trace, const struct ct_launch_info **launches)
{
	*launches = CT_ARRAY(const struct ct_launch_info, &trace->launches);
	return CT_COUNT(struct ct_launch_info, &trace->launches);
}

size_t ct_trace_objects(const struct ct_trace *trace, const struct ct_object_info **objects)
{
	*objects = CT_ARRAY(const struct ct_object_info, &trace->objects);
	return CT_COUNT(struct ct_object_info, &trace->objects);
}

int ct_trace_name_object(struct ct_trace *trace, size_t object, const char *name,
			 const char *caller)
{
	struct ct_object_info *info = CT_ARRAY(struct ct_object_info, &trace->objects) + object;
	char *copy;

	if (asprintf(&copy, "%s%c%s", name, '\0', caller) < 0 || ct_trace_own(trace, copy) < 0)
		return -ENOMEM;
	info->name = copy;
	info->caller = copy + strlen(name) + 1;
	return 0;
}

size_t ct_trace_devices(const struct ct_trace *trace, const struct ct_device_info **devices)
{
	*devices = CT_ARRAY(const struct ct_device_info, &trace->devices);
	return CT_COUNT(struct ct_device_info, &trace->devices);
}

size_t ct_trace_losses(const struct ct_trace *trace, const struct ct_loss_info **losses)
{
	*losses = CT_ARRAY(const struct ct_loss_info, &trace->losses);
	return CT_COUNT(struct ct_loss_info, &trace->losses);
}

size_t ct_trace_transfers(const struct ct_trace *trace, const struct ct_transfer_info **transfers)
{
	*transfers = CT_ARRAY(const struct ct_transfer_info, &trace->transfers);
	return CT_COUNT(struct ct_transfer_info, &trace->transfers);
}

size_t ct_trace_counts(const struct ct_trace *trace, const struct ct_count_info **counts)
{
	*counts = CT_ARRAY(const struct ct_count_info, &trace->counts);
	return CT_COUNT(struct ct_count_info, &trace->counts);
}

size_t ct_trace_summaries(const struct ct_trace *trace, const struct ct_summary_info **summaries)
{
	*summaries = CT_ARRAY(const struct ct_summary_info, &trace->summaries);
	return CT_COUNT(struct ct_summary_info, &trace->summaries);
}

size_t ct_trace_touched(const struct ct_trace *trace, const struct ct_touched_info **touched)
{
	*touched = CT_ARRAY(const struct ct_touched_info, &trace->touched);
	return CT_COUNT(struct ct_touched_info, &trace->touched);
}

size_t ct_trace_warnings(const struct ct_trace *trace, const char *const **warnings)
{
	*warnings = CT_ARRAY(const char *const, &trace->warnings);
	return CT_COUNT(char *, &trace->warnings);
}
