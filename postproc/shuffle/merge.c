/* SPDX-License-Identifier: Apache-2.0 */
/* A heap of runs by their next key; each run and the output have a buffer. */
#include "postproc/shuffle/merge.h"

#include <errno.h>
#include <stdlib.h>

#define BUFFER_BYTES ((size_t)8 << 10) /* at least, where the share allows */

struct ct_merge_cursor {
	uint64_t key[2]; /* masked, of the record at at */
	unsigned char *at, *end;
	unsigned char *buffer;
	struct ct_sorted_run left; /* not yet in the buffer */
};

void ct_runs_close(struct ct_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		ct_shuffle_file_punch(runs->state, runs->run[i].offset, runs->run[i].bytes);
	free(runs->run);
}

int ct_runs_begin(struct ct_runs *runs, uint64_t records)
{
	uint64_t bytes = records * runs->state->options.record_bytes;
	uint64_t offset;
	int err;

	if (runs->count == runs->room) {
		size_t room = runs->room ? 2 * runs->room : 16;
		struct ct_sorted_run *more = realloc(runs->run, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		runs->run = more;
		runs->room = room;
	}
	err = ct_shuffle_file_reserve(runs->state, bytes, &offset);
	if (err < 0)
		return err;
	runs->run[runs->count++] = (struct ct_sorted_run){.offset = offset, .bytes = bytes};
	runs->written = 0;
	return 0;
}

int ct_runs_write(struct ct_runs *runs, const void *records, size_t count)
{
	uint64_t offset = runs->run[runs->count - 1].offset + runs->written;
	size_t bytes = count * runs->state->options.record_bytes;

	runs->written += bytes;
	return ct_shuffle_file_write(runs->state, records, bytes, offset);
}

static bool is_less(const struct ct_merge_cursor *a, const struct ct_merge_cursor *b)
{
	return a->key[0] != b->key[0] ? a->key[0] < b->key[0] : a->key[1] < b->key[1];
}

static void sink(struct ct_merge *merge, size_t hole, struct ct_merge_cursor cursor)
{
	for (size_t child; (child = 2 * hole + 1) < merge->count; hole = child) {
		if (child + 1 < merge->count &&
		    is_less(&merge->cursor[child + 1], &merge->cursor[child]))
			child++;
		if (!is_less(&merge->cursor[child], &cursor))
			break;
		merge->cursor[hole] = merge->cursor[child];
	}
	merge->cursor[hole] = cursor;
}

static void read_key(const struct ct_merge *merge, struct ct_merge_cursor *cursor)
{
	memcpy(cursor->key, cursor->at, sizeof(cursor->key));
	cursor->key[0] &= merge->state->options.key_mask[0];
	cursor->key[1] &= merge->state->options.key_mask[1];
}

/* The cursor's next record; at == end if there is none. */
static int refill(const struct ct_merge *merge, struct ct_merge_cursor *cursor)
{
	size_t bytes = merge->buffer_bytes;
	int err;

	if (bytes > cursor->left.bytes)
		bytes = cursor->left.bytes;
	cursor->at = cursor->buffer;
	cursor->end = cursor->buffer + bytes;
	if (bytes == 0)
		return 0;
	err = ct_shuffle_file_read(merge->state, cursor->buffer, bytes, cursor->left.offset);
	cursor->left.offset += bytes;
	cursor->left.bytes -= bytes;
	read_key(merge, cursor);
	return err;
}

/* The first record of the heap to out, and its run on to the next one. */
static int step(struct ct_merge *merge, unsigned char *out)
{
	size_t record_bytes = merge->state->options.record_bytes;
	struct ct_merge_cursor cursor = merge->cursor[0];
	int err = 0;

	memcpy(out, cursor.at, record_bytes);
	cursor.at += record_bytes;
	if (cursor.at < cursor.end)
		read_key(merge, &cursor);
	else
		err = refill(merge, &cursor);
	if (cursor.at == cursor.end)
		cursor = merge->cursor[--merge->count];
	if (merge->count > 0)
		sink(merge, 0, cursor);
	return err;
}

int ct_merge_next(struct ct_merge *merge, void **records, size_t *count)
{
	size_t record_bytes = merge->state->options.record_bytes, bytes = 0;
	int err = 0;

	while (err == 0 && merge->count > 0 && bytes < merge->buffer_bytes) {
		err = step(merge, merge->out + bytes);
		bytes += record_bytes;
	}
	*records = merge->out;
	*count = bytes / record_bytes;
	return err;
}

/* The first count runs. */
static int begin_merge(struct ct_merge *merge, const struct ct_runs *runs, size_t count,
		       unsigned char *share)
{
	struct ct_shuffle_state *state = runs->state;
	size_t record_bytes = state->options.record_bytes;
	size_t room = state->share_bytes - count * sizeof(struct ct_merge_cursor);
	unsigned char *buffer = share + count * sizeof(struct ct_merge_cursor);
	int err = 0;

	*merge =
	    (struct ct_merge){.state = state, .cursor = (struct ct_merge_cursor *)(void *)share};
	merge->buffer_bytes = room / (count + 1) / record_bytes * record_bytes;
	for (size_t i = 0; err == 0 && i < count; i++, buffer += merge->buffer_bytes) {
		merge->cursor[i] = (struct ct_merge_cursor){.buffer = buffer, .left = runs->run[i]};
		err = refill(merge, &merge->cursor[i]);
	}
	merge->out = buffer;
	merge->count = count;
	for (size_t i = count; i-- > 0;)
		sink(merge, i, merge->cursor[i]);
	return err;
}

int ct_merge_begin(struct ct_merge *merge, const struct ct_runs *runs, unsigned char *share)
{
	return begin_merge(merge, runs, runs->count, share);
}

/* The first count of the runs become another one. */
static int merge_first(struct ct_runs *runs, size_t count, unsigned char *share)
{
	struct ct_merge merge;
	void *records;
	size_t some = 1;
	int err = begin_merge(&merge, runs, count, share);

	while (err == 0 && some > 0) {
		err = ct_merge_next(&merge, &records, &some);
		if (err == 0 && some > 0)
			err = ct_runs_write(runs, records, some);
	}
	return err;
}

static void forget_first(struct ct_runs *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ct_shuffle_file_punch(runs->state, runs->run[i].offset, runs->run[i].bytes);
	runs->count -= count;
	memmove(runs->run, runs->run + count, runs->count * sizeof(*runs->run));
}

int ct_runs_reduce(struct ct_runs *runs, unsigned char *share)
{
	size_t most =
	    runs->state->share_bytes / (BUFFER_BYTES + sizeof(struct ct_merge_cursor)) - 1;
	int err = 0;

	if (most < 2)
		most = 2;
	while (err == 0 && runs->count > most) {
		size_t count = runs->count - most + 1 < most ? runs->count - most + 1 : most;
		uint64_t bytes = 0;

		for (size_t i = 0; i < count; i++)
			bytes += runs->run[i].bytes;
		err = ct_runs_begin(runs, bytes / runs->state->options.record_bytes);
		if (err == 0)
			err = merge_first(runs, count, share);
		if (err == 0)
			forget_first(runs, count);
	}
	return err;
}
