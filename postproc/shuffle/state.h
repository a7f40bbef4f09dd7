/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of the shuffle share.
 *
 * One arena holds everything of size:
 *
 *   | blocks of partitions -> high |      | scratch              |
 *
 * Scratch is the writers' stages while records are put, the buffers of the
 * exchange while ranks finish, and the readers' shares after that; these may
 * also have what is left above the blocks.
 *
 * A partition holds a list of blocks, all full but the last. The fullest
 * partitions' lists go to the temporary file when blocks run out, each as one
 * extent that begins with where the partition's extent before it lies.
 */
#ifndef CT_POSTPROC_SHUFFLE_STATE_H
#define CT_POSTPROC_SHUFFLE_STATE_H

#include "postproc/shuffle/shuffle.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/uio.h>

#define CT_NO_BLOCK UINT32_MAX

struct ct_extent {
	uint64_t offset; /* of its header, a struct ct_extent: the one before */
	uint64_t bytes;  /* of records; 0: there is none */
};

/* Alone in its lines of the cache, for threads take turns at it. */
struct ct_partition {
	_Alignas(128) pthread_mutex_t lock; /* as long as records are put */
	uint32_t first, last;               /* blocks */
	uint32_t blocks;
	uint32_t last_count; /* records in the last block */
	uint64_t bytes;
	struct ct_extent spilled; /* the newest */
};

struct ct_shuffle_state {
	struct ct_shuffle_options options;
	unsigned char *arena;
	size_t arena_bytes, pool_bytes;
	struct ct_partition *partition;

	size_t block_bytes;
	uint32_t block_records, block_records_log2;
	uint32_t blocks, blocks_used; /* ever used: the first ones */
	uint32_t blocks_free;         /* on the list */
	uint32_t free_block;          /* the list's first */
	uint32_t *next;               /* by block */
	pthread_mutex_t pool_lock;

	int file; /* -1: not made */
	_Atomic uint64_t file_end;
	uint64_t file_limit;        /* bytes of all such files of the process */
	_Atomic uint64_t file_held; /* of this one */
	_Atomic uint64_t spilled_bytes;
	_Atomic int error;           /* the first one; the records are then incomplete */
	_Atomic uint32_t spill_next; /* partition to begin with */
	_Atomic uint32_t spill_size; /* log2 of the blocks that make a partition worth it */

	bool finished;
	bool is_tight;          /* others may need what is dropped */
	unsigned char *scratch; /* of readers */
	size_t share_bytes;
	pthread_mutex_t reader_lock;
	pthread_cond_t reader_free;
	uint32_t readers_free;
	uint32_t *reader; /* free shares */
};

/* pool.c */
int ct_shuffle_append(struct ct_shuffle *shuffle, uint32_t partition, const void *records,
		      size_t bytes);
/* The same if no other thread is at the partition. 1: one is, nothing was added. */
int ct_shuffle_try_append(struct ct_shuffle *shuffle, uint32_t partition, const void *records,
			  size_t bytes);
/* Give back the blocks of a list. */
void ct_shuffle_free_blocks(struct ct_shuffle_state *state, uint32_t first);
static inline unsigned char *ct_shuffle_block(const struct ct_shuffle_state *state, uint32_t block)
{
	return state->arena + block * state->block_bytes;
}

/* file.c: 0 or a negative error */
/* Room for bytes at the end of the file, which is made if need be. -CT_ETEMP: the files of this
 * process would be larger than CTPOST_TEMP_LIMIT (the environment's; no limit without), or leave
 * less than a twentieth of their file system free. */
int ct_shuffle_file_reserve(struct ct_shuffle_state *state, uint64_t bytes, uint64_t *offset);
int ct_shuffle_file_write(struct ct_shuffle_state *state, const void *data, size_t bytes,
			  uint64_t offset);
/* Changes iov. */
int ct_shuffle_file_writev(struct ct_shuffle_state *state, struct iovec *iov, size_t count,
			   uint64_t offset);
int ct_shuffle_file_read(const struct ct_shuffle_state *state, void *data, size_t bytes,
			 uint64_t offset);
/* The last bytes of what remains of an extent; *extent becomes what is before them. */
int ct_shuffle_file_read_back(const struct ct_shuffle_state *state, struct ct_extent *extent,
			      void *data, size_t bytes);
/* Give disk space back, where the file system can. */
void ct_shuffle_file_punch(struct ct_shuffle_state *state, uint64_t offset, uint64_t bytes);
void ct_shuffle_file_close(struct ct_shuffle_state *state);

/* exchange.c: send records to the owners of their partitions. */
int ct_shuffle_exchange(struct ct_shuffle *shuffle);

#endif
