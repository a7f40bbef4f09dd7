/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes that analyse one trace together (mpirun -n N ctpost …).
 *
 * Alone there is one rank and no library is loaded. Under mpirun the part that
 * speaks MPI is loaded from the installation (libcudatrace-mpi.so); without it
 * opening fails with a line that says so. All calls are collective: every rank
 * makes the same ones in the same order, from its main thread.
 */
#ifndef CT_POSTPROC_BASE_RANKS_H
#define CT_POSTPROC_BASE_RANKS_H

#include <stddef.h>
#include <stdint.h>

struct ct_ranks {
	uint32_t rank;
	uint32_t size;
	/* bytes[i] bytes at data[i] go to rank i; take is called for what came from
	 * each rank, in the order of ranks, own data included. 0 or a negative error
	 * (take's too), the same one on all ranks. */
	int (*trade)(struct ct_ranks *ranks, const void *const *data, const size_t *bytes,
		     int (*take)(void *user, uint32_t from, const void *data, size_t bytes),
		     void *user);
	/* The greatest of all ranks' values. */
	uint64_t (*greatest)(struct ct_ranks *ranks, uint64_t value);
	void (*close)(struct ct_ranks *ranks);
};

/* Processes that a launcher has started together; 1: none has. */
unsigned long ct_ranks_launched(void);

/* One rank, whatever a launcher says. Closing it does nothing. */
struct ct_ranks *ct_ranks_alone(void);

/* Never fails when alone. why: one line on failure. */
int ct_ranks_open(struct ct_ranks **out, char *why, size_t why_bytes);
void ct_ranks_close(struct ct_ranks *ranks); /* NULL is allowed */

/* The first error that any rank has, the same on all: err (0 or negative) is this rank's. */
int ct_ranks_agree(struct ct_ranks *ranks, int err);

/* libcudatrace-mpi.so exports this under the name "ct_ranks_mpi_open". */
typedef int ct_ranks_mpi_open_function(struct ct_ranks **out, char *why, size_t why_bytes);

#endif
