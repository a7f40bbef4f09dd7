/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks by MPI: a part of its own, so that ctpost needs no MPI when alone.
 *
 * Errors of MPI itself end all ranks (MPI_ERRORS_ARE_FATAL): after one, nothing
 * is known about what the others got.
 */
#include "postproc/base/ranks.h"

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define PART_BYTES ((size_t)16 << 20) /* to one rank at a time; MPI counts in int */

int ct_ranks_mpi_open(struct ct_ranks **out, char *why, size_t why_bytes);

static uint64_t greatest(struct ct_ranks *ranks, uint64_t value)
{
	uint64_t result;

	(void)ranks;
	MPI_Allreduce(&value, &result, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
	return result;
}

static int agree(struct ct_ranks *ranks, int err)
{
	return -(int)greatest(ranks, err < 0 ? (uint64_t)-err : 0);
}

static int part_of(size_t bytes, size_t done)
{
	size_t left = bytes > done ? bytes - done : 0;

	return (int)(left < PART_BYTES ? left : PART_BYTES);
}

/* One part to and from each other rank at a time. */
static void transfer(const struct ct_ranks *ranks, const void *const *data, const size_t *bytes,
		     unsigned char *const *incoming, const uint64_t *expected)
{
	MPI_Request request[2 * ranks->size];
	int requests;
	size_t done = 0;

	do {
		requests = 0;
		for (uint32_t i = 0; i < ranks->size; i++) {
			int in = part_of(expected[i], done), out = part_of(bytes[i], done);

			if (i == ranks->rank)
				continue;
			if (in > 0)
				MPI_Irecv(incoming[i] + done, in, MPI_BYTE, (int)i, 0,
					  MPI_COMM_WORLD, &request[requests++]);
			if (out > 0)
				MPI_Isend((const unsigned char *)data[i] + done, out, MPI_BYTE,
					  (int)i, 0, MPI_COMM_WORLD, &request[requests++]);
		}
		MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
		done += PART_BYTES;
	} while (requests > 0);
}

static int trade(struct ct_ranks *ranks, const void *const *data, const size_t *bytes,
		 int (*take)(void *user, uint32_t from, const void *data, size_t bytes), void *user)
{
	uint64_t leaving[ranks->size], expected[ranks->size], sum = 0;
	unsigned char *incoming[ranks->size], *buffer;
	int err;

	for (uint32_t i = 0; i < ranks->size; i++)
		leaving[i] = bytes[i];
	MPI_Alltoall(leaving, 1, MPI_UINT64_T, expected, 1, MPI_UINT64_T, MPI_COMM_WORLD);
	expected[ranks->rank] = 0;
	for (uint32_t i = 0; i < ranks->size; i++)
		sum += expected[i];
	buffer = malloc(sum + 1);
	err = agree(ranks, buffer ? 0 : -ENOMEM);
	if (err < 0)
		goto free_buffer;
	sum = 0;
	for (uint32_t i = 0; i < ranks->size; i++) {
		incoming[i] = buffer + sum;
		sum += expected[i];
	}
	transfer(ranks, data, bytes, incoming, expected);
	for (uint32_t i = 0; err == 0 && i < ranks->size; i++)
		err = i == ranks->rank ? take(user, i, data[i], bytes[i])
				       : take(user, i, incoming[i], expected[i]);
	err = agree(ranks, err);

free_buffer:
	free(buffer);
	return err;
}

static void close_mpi(struct ct_ranks *ranks)
{
	free(ranks);
	MPI_Finalize();
}

int ct_ranks_mpi_open(struct ct_ranks **out, char *why, size_t why_bytes)
{
	struct ct_ranks *ranks;
	int rank, size, level;

	*out = NULL;
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
	    level < MPI_THREAD_FUNNELED) {
		snprintf(why, why_bytes, "MPI does not start with threads beside it");
		return -ENOTSUP;
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	ranks = malloc(sizeof(*ranks));
	if (!ranks) {
		snprintf(why, why_bytes, "out of memory");
		MPI_Abort(MPI_COMM_WORLD, 1);
		return -ENOMEM;
	}
	*ranks = (struct ct_ranks){.rank = (uint32_t)rank,
				   .size = (uint32_t)size,
				   .trade = trade,
				   .greatest = greatest,
				   .close = close_mpi};
	*out = ranks;
	return 0;
}
