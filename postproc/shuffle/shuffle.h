/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of one size on their way from those who make them to those who need
 * them together: put into partitions by many threads, taken out partition by
 * partition, sorted, in bounded memory. What does not fit goes to an unlinked
 * temporary file; with several ranks, partitions go to their owners.
 *
 *   put, put, put … (any thread)  ->  finish (once)  ->  each (any thread)
 *
 * A record begins with its key: two 64-bit words, the first the more
 * significant. Records with equal keys come in no particular order.
 */
#ifndef CT_POSTPROC_SHUFFLE_SHUFFLE_H
#define CT_POSTPROC_SHUFFLE_SHUFFLE_H

#include "postproc/base/ranks.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ct_shuffle_put needs to see this. Records collect in a stage per writer and partition, and go
 * on to the partition when that is full; where another thread is at the partition, they wait for
 * more of their partition and go on together. */
struct ct_shuffle_writer {
	unsigned char *stage;
	uint32_t *used; /* bytes, by partition */
	unsigned char *waiting;
	size_t waiting_bytes; /* 0: none are */
	uint32_t waiting_for; /* partition */
};

struct ct_shuffle {
	size_t record_bytes, stage_bytes;
	struct ct_shuffle_writer *writer;
	struct ct_shuffle_state *state;
};

struct ct_shuffle_options {
	size_t record_bytes; /* a multiple of 8, from 16 to 160 */
	uint32_t partitions; /* at most 65536 */
	uint32_t writers;    /* threads that put */
	uint32_t readers;    /* threads that call ct_shuffle_each at the same time */
	/* For all of it, buffers of writers and readers included. At least 2 MiB +
	 * partitions * (writers + 2) * (record_bytes + 8) * 4. */
	size_t memory_bytes;
	uint64_t key_mask[2];  /* bits of the key that count; 0 bits are not sorted by */
	const char *directory; /* for the temporary file */
	struct ct_ranks *ranks;
};

/* How many bits a field of a key takes whose greatest value this is. */
static inline uint8_t ct_key_bits(uint64_t greatest)
{
	return (uint8_t)(greatest ? 64 - __builtin_clzll(greatest) : 0);
}

/* -EINVAL (of memory: too little), -ENOMEM; the file is made when it is needed. */
int ct_shuffle_open(struct ct_shuffle **out, const struct ct_shuffle_options *options);
void ct_shuffle_close(struct ct_shuffle *shuffle); /* NULL is allowed */

/* Pass on a full stage. */
int ct_shuffle_flush(struct ct_shuffle *shuffle, uint32_t writer, uint32_t partition);

/* Where the writer's next record of the partition is, to be filled in, and then put. */
static inline void *ct_shuffle_place(const struct ct_shuffle *shuffle, uint32_t writer,
				     uint32_t partition)
{
	const struct ct_shuffle_writer *own = &shuffle->writer[writer];

	return own->stage + partition * shuffle->stage_bytes + own->used[partition];
}

/* The record in its place is put; record_bytes: the shuffle's, known to the compiler. */
static inline int ct_shuffle_put_placed(struct ct_shuffle *shuffle, uint32_t writer,
					uint32_t partition, size_t record_bytes)
{
	uint32_t *used = &shuffle->writer[writer].used[partition];

	*used += (uint32_t)record_bytes;
	return *used < shuffle->stage_bytes ? 0 : ct_shuffle_flush(shuffle, writer, partition);
}

/* As ct_shuffle_put; record_bytes likewise. */
static inline int ct_shuffle_put_sized(struct ct_shuffle *shuffle, uint32_t writer,
				       uint32_t partition, const void *record, size_t record_bytes)
{
	memcpy(ct_shuffle_place(shuffle, writer, partition), record, record_bytes);
	return ct_shuffle_put_placed(shuffle, writer, partition, record_bytes);
}

/* Add one record. writer: 0 … writers-1, one thread at a time each. 0, -ENOMEM,
 * or the error of the temporary file (-ENOSPC). */
static inline int ct_shuffle_put(struct ct_shuffle *shuffle, uint32_t writer, uint32_t partition,
				 const void *record)
{
	return ct_shuffle_put_sized(shuffle, writer, partition, record, shuffle->record_bytes);
}

/* After the last put, from the main thread; collective. The error is the same on all ranks. */
int ct_shuffle_finish(struct ct_shuffle *shuffle);

/* Partition p belongs to rank p % size. */
bool ct_shuffle_is_mine(const struct ct_shuffle *shuffle, uint32_t partition);

/* Records of a finished partition of this rank. Bytes: as they were put. */
uint64_t ct_shuffle_bytes(const struct ct_shuffle *shuffle, uint32_t partition);

/* Hand out all records of a partition in ascending order of key & key_mask, in
 * batches; the records are valid during the call, and take may change them.
 * May be called again, and from several threads for different partitions.
 * Returns 0, take's nonzero value, -ENOMEM or an I/O error. */
int ct_shuffle_each(struct ct_shuffle *shuffle, uint32_t partition,
		    int (*take)(void *user, void *records, size_t count), void *user);

/* Some of a partition's records, known by the callback. */
struct ct_shuffle_choice {
	bool (*takes)(const void *user, const void *record);
	const void *user;
};

/* The same of those that are chosen, by several threads for the same partition, too. */
int ct_shuffle_each_of(struct ct_shuffle *shuffle, uint32_t partition,
		       const struct ct_shuffle_choice *choice,
		       int (*take)(void *user, void *records, size_t count), void *user);

/* The same, asked for batch by batch, so that one can read two shuffles side by side. */
struct ct_shuffle_cursor;

/* *out: NULL if there are no records. The reader's share is the cursor's until it is closed. */
int ct_shuffle_open_cursor(struct ct_shuffle_cursor **out, struct ct_shuffle *shuffle,
			   uint32_t partition);
/* Valid until the next call; *count 0: there are no more. cursor: NULL is allowed. */
int ct_shuffle_next(struct ct_shuffle_cursor *cursor, void **records, size_t *count);
void ct_shuffle_close_cursor(struct ct_shuffle_cursor *cursor); /* NULL is allowed */

/* Records from all over a finished partition. How many, at most `most`; 0 if some of it are in
 * the file. */
size_t ct_shuffle_sample(const struct ct_shuffle *shuffle, uint32_t partition, void *records,
			 size_t most);

/* Give up what a partition holds; it is empty afterwards. */
void ct_shuffle_drop(struct ct_shuffle *shuffle, uint32_t partition);

/* Bytes that went to the temporary file so far. */
uint64_t ct_shuffle_spilled(const struct ct_shuffle *shuffle);

#endif
