/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a process, what was copied where, and launches, joined with the steps that did it
 * (ALLOC, FREE, TRANSFER, CONTENT, LAUNCH).
 *
 * ALLOC and FREE name no thread: an object's step is the last one to allocate so many bytes that
 * had ended when its event was written, and the first one to free that began behind it. Of threads
 * that do the same at the same moment one may be taken for another.
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_MEMORY_H
#define CT_POSTPROC_ANALYSIS_FFM_MEMORY_H

#include "postproc/analysis/ffm/program.h"

struct ct_ffm_object {
	uint64_t begin, end;             /* addresses; end is exclusive */
	uint64_t allocated_at, freed_at; /* places among the process' events; UINT64_MAX: never */
	const char *site;          /* descriptor (cudatrace/host.h), or name of a variable; "" */
	uint32_t kind;             /* enum ct_object_kind */
	uint32_t device;           /* of memory of a device */
	uint32_t allocated, freed; /* steps; CT_FFM_NONE: not known, or never */
	bool is_ordered;           /* one of both is ordered among the work of a stream */
};

/* Pageable memory of the host that copies use. */
struct ct_ffm_host_block {
	uint64_t begin, end;
	uint64_t index;   /* its place among the process' events */
	const char *name; /* of the function that allocates it */
	char *variable;   /* owned: as in the source; NULL: it is none, or has no name */
	uint32_t stack;   /* row of STACK: who allocates it */
	uint32_t kind;    /* enum ct_host_block_kind */
};

/* A copy or memset that was no node of a graph. */
struct ct_ffm_copy {
	uint64_t target, target_end; /* addresses of its first byte and behind its last one */
	uint64_t source, source_end; /* 0 of memsets */
	uint64_t bytes;
	uint64_t same_bytes; /* these and the next: if contents were looked at */
	uint64_t hash[2];
	uint64_t index;                        /* its place among the process' events */
	uint32_t step;                         /* CT_FFM_NONE: not known */
	uint32_t target_object, source_object; /* CT_FFM_NONE: pageable memory, or not known */
	uint32_t way;                          /* enum ct_copy_kind */
	uint32_t device;                       /* that it was made for */
	uint32_t host_block; /* of the host's side, if that is pageable; CT_FFM_NONE: not known */
	bool is_known;       /* its contents were looked at */
};

struct ct_ffm_launch {
	uint64_t index;     /* its place among the process' events */
	const char *site;   /* descriptor, or "" */
	const char *kernel; /* as it is displayed */
	uint32_t step;      /* CT_FFM_NONE: of a graph, or not known */
};

struct ct_ffm_memory {
	struct ct_ffm_object *object; /* in the order of their births */
	size_t objects;
	struct ct_ffm_copy *copy; /* in the order of their events */
	size_t copies;
	struct ct_ffm_launch *launch; /* likewise */
	size_t launches;
	struct ct_ffm_host_block *host_block; /* likewise; where uses are recorded */
	size_t host_blocks;
};

/* The address of a copy's host side, if that is no memory of CUDA's; 0: there is none. */
uint64_t ct_ffm_pageable_side(const struct ct_ffm_copy *copy);

/* Opens the memory of a part. The trace and the program, which is of the same part, must outlive
 * it. 0 or a negative error; fini is allowed in either case. */
int ct_ffm_memory_init(struct ct_ffm_memory *memory, const struct ct_ffm_program *program,
		       struct ct_trace *trace, uint32_t part);
void ct_ffm_memory_fini(struct ct_ffm_memory *memory);

/* How many launches have an index below this one. */
size_t ct_ffm_launches_until(const struct ct_ffm_memory *memory, uint64_t index);

#endif
