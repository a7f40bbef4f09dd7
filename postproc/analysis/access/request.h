/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One execution of an access by a warp: what it moves, what it asks for, and how its lanes'
 * addresses are to one another. docs/access.md has the definitions (seed 004, 4.2.5: memory
 * efficiency is minimum by actual transactions; a transaction is a sector of 32 bytes here).
 */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_REQUEST_H
#define CT_POSTPROC_ANALYSIS_ACCESS_REQUEST_H

#include "trace/read/reader.h"

#define CT_SECTOR_BYTES 32u

/* The first that holds. */
enum ct_access_pattern {
	CT_ACCESS_RANGE,      /* lanes access ranges, as of copies */
	CT_ACCESS_SINGLE,     /* one lane is active */
	CT_ACCESS_BROADCAST,  /* all lanes access one address */
	CT_ACCESS_UNIT,       /* neighbouring lanes access neighbouring elements, up or down */
	CT_ACCESS_MISALIGNED, /* likewise, and a sector more for not beginning at one */
	CT_ACCESS_STRIDED,    /* three lanes or more at a constant distance */
	CT_ACCESS_ROWS,       /* all 32, in rows of 2 to 16 that are units or broadcasts */
	CT_ACCESS_GATHER,     /* any other */
	CT_ACCESS_PATTERNS,
};

/* Bytes from begin up to end. */
struct ct_access_extent {
	uint64_t begin, end;
};

struct ct_access_request {
	uint64_t lanes;   /* that are active */
	uint64_t asked;   /* bytes, of all lanes */
	uint64_t used;    /* of these, distinct ones */
	uint64_t sectors; /* that hold a used byte */
	uint64_t ideal;   /* sectors that so many bytes need at least */
	enum ct_access_pattern pattern;
	/* MISALIGNED: bytes behind a sector's begin; STRIDED: bytes from lane to lane; ROWS: lanes
	 * of a row; 0 of others. */
	int64_t figure;
	uint32_t extents;
	struct ct_access_extent extent[CT_WARP_LANES]; /* ascending, apart from one another */
	uint32_t sorted; /* lanes in order, if they had to be put there; else 0 */
	uint64_t address[CT_WARP_LANES];
};

/* address: by lane, of the lanes given (not 0), of which each accesses bytes, or range[lane] if
 * range is not NULL. */
void ct_access_request_make(struct ct_access_request *request,
			    const uint64_t address[CT_WARP_LANES], uint32_t lanes, uint64_t bytes,
			    const uint64_t *range);

/* The same of lanes of which lane i accesses bytes at first + (i - first lane) * stride: as most
 * requests do, whose addresses need no looking at. */
void ct_access_request_make_linear(struct ct_access_request *request, uint64_t first,
				   int64_t stride, uint32_t lanes, uint64_t bytes);

/* A request whose addresses were looked at, kept for the next one of its site: mostly that has the
 * same addresses, some sectors on, and so is the same but for where it is. Zero-initialise. */
struct ct_access_kept {
	struct ct_access_request request;
	uint32_t site, lanes; /* lanes 0: there is none */
	uint64_t bytes;
	uint64_t address[CT_WARP_LANES];
};

/* The same as ct_access_request_make of lanes that access as many bytes each, of a site, or
 * whatever the number says. What it returns is kept's, until the next call; a pattern and figure
 * that the caller gives it stay. */
struct ct_access_request *ct_access_request_keep(struct ct_access_kept *kept, uint32_t site,
						 const uint64_t address[CT_WARP_LANES],
						 uint32_t lanes, uint64_t bytes);

#endif
