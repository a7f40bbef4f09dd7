/* SPDX-License-Identifier: Apache-2.0 */
/* Write one part of a trace directory: open, manifest, close. */
#include "trace/write/writer.h"

#include "base/error.h"
#include "trace/names/directory.h"
#include "trace/write/writer_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PARTS_MAX 900000000u

static struct ct_writer *allocate(const char *directory, const struct ct_writer_options *options)
{
	struct ct_writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return NULL;
	writer->directory = strdup(directory);
	if (!writer->directory) {
		free(writer);
		return NULL;
	}
	writer->options = *options;
	writer->free_space.keep_bytes = options->keep_free_bytes;
	writer->free_space.keep_percent = options->keep_free_percent;
	pthread_mutex_init(&writer->error_lock, NULL);
	pthread_mutex_init(&writer->lock, NULL);
	pthread_mutex_init(&writer->rows_lock, NULL);
	return writer;
}

static void release(struct ct_writer *writer)
{
	ct_writer_files_fini(writer);
	ct_writer_rows_fini(writer);
	ct_append_close(&writer->events_file);
	ct_coder_close(writer->coder);
	ct_intern_fini(&writer->strings);
	ct_intern_fini(&writer->units);
	ct_buffer_fini(&writer->new_strings);
	ct_buffer_fini(&writer->new_events);
	ct_folder_close(&writer->folder);
	pthread_mutex_destroy(&writer->lock);
	pthread_mutex_destroy(&writer->rows_lock);
	pthread_mutex_destroy(&writer->error_lock);
	free(writer->directory);
	free(writer);
}

/* Make the events file of a part that nothing else writes. name: which was tried last. */
static int claim_part(struct ct_writer *writer, char name[CT_FILE_NAME_BYTES])
{
	struct ct_writer_options *options = &writer->options;
	int err = 0;

	if (!options->part_step) {
		err = ct_folder_begin(&writer->folder);
		if (err >= 0)
			err = ct_directory_clear_part(err, options->part);
		ct_folder_end(&writer->folder);
	}
	for (; err == 0; options->part += options->part_step) {
		ct_writer_events_name(writer, name);
		err = ct_append_open(&writer->events_file, &writer->folder, name);
		if (err != -EEXIST || !options->part_step || options->part > PARTS_MAX)
			return err;
		err = 0;
	}
	return err;
}

/* Open the directory and what every part has. Errors are in why. */
static int open_files(struct ct_writer *writer, char *why, size_t why_bytes)
{
	char name[CT_FILE_NAME_BYTES] = "events";
	int err = ct_folder_open(&writer->folder, writer->directory);

	if (err < 0) {
		snprintf(why, why_bytes,
			 err == -ENOTEMPTY ? "cannot create %s: the directory holds other files; "
					     "name another or empty it"
					   : "cannot create %s: %s",
			 writer->directory, ct_strerror(err));
		return err;
	}
	err = claim_part(writer, name);
	if (err == 0)
		err = ct_coder_open(&writer->coder, writer->options.level);
	if (err < 0)
		snprintf(why, why_bytes, "cannot create %s/%s: %s", writer->directory, name,
			 ct_strerror(err));
	return err;
}

int ct_writer_open(struct ct_writer **out, const char *directory,
		   const struct ct_writer_options *options, char *why, size_t why_bytes)
{
	struct ct_writer *writer = allocate(directory, options);
	int err;

	*out = NULL;
	if (!writer) {
		snprintf(why, why_bytes, "cannot create %s: %s", directory, ct_strerror(-ENOMEM));
		return -ENOMEM;
	}
	err = open_files(writer, why, why_bytes);
	if (err < 0) {
		release(writer);
		return err;
	}
	*out = writer;
	return 0;
}

static int write_text(int fd, const char *text, size_t bytes)
{
	while (bytes) {
		ssize_t n = write(fd, text, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		bytes -= (size_t)n;
	}
	return 0;
}

static int write_draft(int directory, const char *draft, const char *json)
{
	struct ct_descriptor file = CT_DESCRIPTOR_NONE;
	int err =
	    ct_descriptor_open(&file, directory, draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);

	if (err < 0)
		return err;
	err = write_text(file.number, json, strlen(json));
	if (close(file.number) < 0 && err == 0)
		err = -errno;
	return err;
}

static int replace_manifest(struct ct_writer *writer, const char *name, const char *json)
{
	struct ct_file_name file = {.kind = CT_FILE_DRAFT, .part = writer->options.part};
	char draft[CT_FILE_NAME_BYTES];
	int directory = ct_folder_begin(&writer->folder), err = directory;

	ct_file_name_format(&file, draft);
	if (err >= 0)
		err = write_draft(directory, draft, json);
	if (err == 0 && renameat(directory, draft, directory, name) < 0)
		err = -errno;
	if (err < 0 && directory >= 0)
		unlinkat(directory, draft, 0);
	ct_folder_end(&writer->folder);
	return err;
}

/* Tried even after an error: the manifest is where the loss is written down. */
int ct_writer_manifest(struct ct_writer *writer, const char *json)
{
	struct ct_file_name file = {.kind = CT_FILE_MANIFEST, .part = writer->options.part};
	char name[CT_FILE_NAME_BYTES];
	int err;

	ct_file_name_format(&file, name);
	pthread_mutex_lock(&writer->lock);
	err = replace_manifest(writer, name, json);
	pthread_mutex_unlock(&writer->lock);
	if (err < 0)
		return ct_writer_fail(writer, err, "write", name);
	return writer->error;
}

uint64_t ct_writer_bytes(const struct ct_writer *writer)
{
	return writer->bytes;
}

uint32_t ct_writer_part(const struct ct_writer *writer)
{
	return writer->options.part;
}

const char *ct_writer_error(const struct ct_writer *writer)
{
	return writer->error_text;
}

int ct_writer_close(struct ct_writer *writer)
{
	int err;

	if (!writer)
		return 0;
	ct_writer_flush(writer);
	err = writer->error;
	release(writer);
	return err;
}
