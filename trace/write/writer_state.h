/* SPDX-License-Identifier: Apache-2.0 */
/* The writer's files share its state and its way to write and to fail. */
#ifndef CT_TRACE_WRITE_WRITER_STATE_H
#define CT_TRACE_WRITE_WRITER_STATE_H

#include "base/buffer.h"
#include "base/intern.h"
#include "trace/codec/chunk.h"
#include "trace/names/directory.h"
#include "trace/write/append.h"
#include "trace/write/free_space.h"
#include "trace/write/writer.h"

#include <pthread.h>
#include <stdatomic.h>

/* A file of a device's records. */
struct ct_writer_file {
	struct ct_writer_file *next; /* set once, before it is published */
	uint32_t device, number;
	uint32_t streams;     /* that write to it; under the writer's lock */
	pthread_mutex_t lock; /* of what follows */
	struct ct_append append;
};

/* Locks are taken in the order rows_lock, lock, file lock, the folder's, error_lock. */
struct ct_writer {
	char *directory; /* as it was named */
	struct ct_folder folder;
	struct ct_writer_options options;
	_Atomic uint64_t bytes;
	struct ct_free_space free_space;

	pthread_mutex_t error_lock;
	_Atomic int error; /* the first, for ever */
	char error_text[512];

	pthread_mutex_t lock;         /* of everything below */
	struct ct_writer_file *files; /* of devices */
	struct ct_append events_file;
	_Atomic int events_error; /* the first in events_file, for ever */
	struct ct_coder *coder;
	struct ct_intern strings, units;
	struct ct_buffer new_strings; /* a STRINGS payload in the making */
	uint32_t new_string_count, written_string_count;
	struct ct_buffer new_events;
	uint64_t new_event_count, written_event_count;

	pthread_mutex_t rows_lock;    /* of what follows; before the writer's */
	struct ct_append tables_file; /* opened with the first rows */
	struct ct_coder *rows_coder;
	struct ct_buffer rows_payload;
	uint64_t row_count[CT_TABLES]; /* written, or lost in writing */
};

/* Note err as the writer's error unless it has one. Returns the writer's error. */
int ct_writer_fail(struct ct_writer *writer, int err, const char *verb, const char *name);

/* Name of the part's events file. */
void ct_writer_events_name(const struct ct_writer *writer, char name[CT_FILE_NAME_BYTES]);

int ct_writer_events_flush(struct ct_writer *writer); /* with writer->lock held */
void ct_writer_files_fini(struct ct_writer *writer);
void ct_writer_rows_fini(struct ct_writer *writer);

#endif
