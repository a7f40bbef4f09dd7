/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which bytes of an object nothing reads after they were written last: of sums by offset what they
 * are, if they are one range or of each so many bytes the same ones.
 */
#ifndef CT_POSTPROC_FACTS_UNREAD_H
#define CT_POSTPROC_FACTS_UNREAD_H

#include <stdint.h>

/* Parts that an object is divided in, and bytes that are told apart by their offset. */
#define CT_UNREAD_PARTS 64u
#define CT_UNREAD_RESIDUES 960u /* 2^6 3 5: sizes of most structures divide it */

/* The second word of a fact CT_VALUE_FACT_UNREAD. */
enum {
	CT_UNREAD_ALL,            /* bytes, and the sum of their offsets */
	CT_UNREAD_BLOCKS,         /* whole rows of CT_UNREAD_RESIDUES bytes, wherever they begin */
	CT_UNREAD_PART = 64,      /* + part of the object: bytes */
	CT_UNREAD_RESIDUE = 1024, /* + offset % CT_UNREAD_RESIDUES: bytes besides these */
};

/* All bytes from the offset first to end or, with a period, of each so many bytes. end 0: others.
 */
struct ct_unread_range {
	uint64_t bytes;
	uint64_t first, end;
	uint32_t period; /* 0: none */
};

/* Zero-initialise. */
struct ct_unread {
	uint64_t bytes, offsets, blocks;
	uint64_t residue[CT_UNREAD_RESIDUES], part[CT_UNREAD_PARTS];
};

/* Bytes of an object of so many, by their offsets. */
void ct_unread_take(struct ct_unread *unread, uint64_t first, uint64_t end, uint64_t object_bytes);
void ct_unread_add(struct ct_unread *unread, uint64_t which, uint64_t a, uint64_t b);
struct ct_unread_range ct_unread_find(const struct ct_unread *unread, uint64_t object_bytes);

#endif
