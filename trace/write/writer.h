/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write one part (process) of a trace directory.
 *
 * Threads: every function may be called from any thread; calls on one writer
 * are serialised inside. A stream belongs to one thread at a time; streams run
 * in parallel, also those of one device. Each chunk is written with one write at the end of
 * its file, so that a trace cut anywhere is readable to its last whole chunk.
 * After the first I/O error every later call returns that error, and
 * ct_writer_error tells what failed in one line. Records are refused then;
 * events are still taken and written as long as their own file can be, for
 * without them the records that were written have no meaning.
 */
#ifndef CT_TRACE_WRITE_WRITER_H
#define CT_TRACE_WRITE_WRITER_H

#include <cudatrace/format.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_writer;

struct ct_writer_options {
	uint32_t part;        /* number of the part; with part_step the first one to try */
	uint32_t part_step;   /* 0: what is there of the part is removed; else nothing is, and
				 part, part + part_step, ...: the first that is free */
	int level;            /* zstd level 1..19; 0: no zstd */
	uint32_t fixed_codec; /* of records: enum ct_codec + 1; 0: delta, then zstd, or faster */
	uint64_t limit_bytes; /* past this size records are refused; 0: none */
	/* Records are refused when the file system has no more free than the larger of so many
	 * bytes and so much of its size; 0: whatever it has. */
	uint64_t keep_free_bytes;
	unsigned keep_free_percent;
};

/* Create DIR (and missing parents) or empty it of an earlier trace's files; a
 * directory that holds anything else is refused with -ENOTEMPTY. Part 0
 * removes the files of all parts, so it opens first; others remove their own.
 * With part_step the directory was emptied before (directory.h). On failure *out
 * is NULL and why holds one line. */
int ct_writer_open(struct ct_writer **out, const char *directory,
		   const struct ct_writer_options *options, char *why, size_t why_bytes);

/* Id of a string in this part, written before any event that uses it. NULL and
 * "" are 0. -EMSGSIZE past 16 MiB. */
int ct_writer_string(struct ct_writer *writer, const char *string, uint32_t *id);

/* Copy a unit blob (aligned to 8 bytes) into the trace, once per distinct blob.
 * -CT_EFORMAT if it is not sound. */
int ct_writer_unit(struct ct_writer *writer, const void *blob, size_t bytes);

/* Device code, in a CODE chunk of its own: the caller reports each once. -EMSGSIZE past 16 MiB. */
int ct_writer_code(struct ct_writer *writer, const struct ct_code_header *code, const void *bytes,
		   size_t count);

/* Append an event; header.bytes must be set. Buffered until ct_writer_flush or enough of them. */
int ct_writer_event(struct ct_writer *writer, const struct ct_event_header *event);

/* Write rows of a table: an array of its structs, in chunks of their own, at once. Strings that
 * they name, and rows of other tables, come first. *first (NULL is allowed): the number of the
 * first of them in the table, from 1; rows that could not be written have their numbers, too.
 * -CT_ELIMIT past the limit. */
int ct_writer_rows(struct ct_writer *writer, enum ct_table_number table, const void *rows,
		   size_t count, uint64_t *first);

/* The way of one thread to the records of a device. Closed before the writer. */
struct ct_writer_stream;

#define CT_WRITER_STREAM_BYTES (256u << 10) /* of records in a trace chunk, about */

int ct_writer_stream_open(struct ct_writer_stream **out, struct ct_writer *writer, uint32_t device);

/* Take one ring chunk of records (begins with a segment header) with its ticket.
 * Tickets of one stream must ascend, and no other stream of the device may have
 * the same. Collected into trace chunks of contiguous tickets, up to
 * CT_WRITER_STREAM_BYTES; one that is not the next begins a new trace chunk. On
 * an error this ticket is lost. -CT_ELIMIT past the limit, -CT_ESPACE when the file system has
 * only what is to be kept free: records are not taken any more, events still are, and it is no
 * error of the writer. */
int ct_writer_stream_records(struct ct_writer_stream *stream, uint64_t ticket, const void *records,
			     size_t bytes);

/* Everything taken so far is in the file after this, or lost. */
int ct_writer_stream_flush(struct ct_writer_stream *stream);

/* From now on, unless the codec is fixed: 0 the smallest; 1 DELTA, if that has been faster on
 * earlier chunks; 2 whichever has been the fastest, NONE among them. */
void ct_writer_stream_hurry(struct ct_writer_stream *stream, uint32_t hurry);

size_t ct_writer_stream_bytes(const struct ct_writer_stream *stream); /* taken, not written yet */
uint64_t
ct_writer_stream_lost(const struct ct_writer_stream *stream); /* tickets taken, then not written */

/* Flushes; returns as that does. NULL is allowed. */
int ct_writer_stream_close(struct ct_writer_stream *stream);

/* All events so far are in their file after this. */
int ct_writer_flush(struct ct_writer *writer);

/* Replace the manifest of the part atomically. json: complete text. Tried even after an
 * error, so that the manifest can report it. */
int ct_writer_manifest(struct ct_writer *writer, const char *json);

uint64_t ct_writer_bytes(const struct ct_writer *writer);
uint32_t ct_writer_part(const struct ct_writer *writer);
const char *ct_writer_error(const struct ct_writer *writer); /* "" if none; lives with the writer */

/* Flushes. Returns the first error of the writer's life. NULL is allowed. */
int ct_writer_close(struct ct_writer *writer);

#endif
