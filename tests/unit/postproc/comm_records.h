/* SPDX-License-Identifier: Apache-2.0 */
/* Records through a shuffle, and proof that each came out once, in order, at its owner. */
#ifndef CT_TESTS_COMM_RECORDS_H
#define CT_TESTS_COMM_RECORDS_H

#include "postproc/shuffle/shuffle.h"

enum comm_keys {
	COMM_KEYS_RANDOM,    /* all 128 bits */
	COMM_KEYS_ADDRESSES, /* some bits of each word, as in use */
	COMM_KEYS_FEW,       /* 7 different ones */
	COMM_KEYS_ASCENDING,
	COMM_KEYS_WIDE, /* differ in all 128 bits, but few in the first 64 */
	COMM_KEYS_ONE,
};

struct comm_case {
	size_t record_bytes;
	uint32_t partitions;
	uint32_t used_partitions; /* of these, spread over all; 0: all */
	uint32_t writers, readers;
	size_t memory_bytes;
	uint64_t records; /* of each writer of each rank */
	enum comm_keys keys;
	uint64_t key_mask[2]; /* 0, 0: all bits */
	const char *directory;
};

/* 0, or the error that the shuffle had. -EBADMSG if records are not as they
 * must be, with why in one line. spilled may be NULL. */
int comm_case_run(const struct comm_case *of, struct ct_ranks *ranks, uint64_t *spilled, char *why,
		  size_t why_bytes);

#endif
