/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where pageable memory of the host comes from, for who has to pin it: blocks of the program's
 * allocator and of mmap from CT_PRELOAD_LEAST bytes on, as libcudatrace-uses.so reports them
 * (cudatrace/preload.h); variables; stacks. A lock of its own: it may allocate, the watch may not.
 */
#ifndef CT_HOST_RT_WATCH_HOST_ALLOCATED_H
#define CT_HOST_RT_WATCH_HOST_ALLOCATED_H

#include <cudatrace/format.h>
#include <stdbool.h>
#include <stdint.h>

#define CT_ALLOCATED_NAME_BYTES 512u

/* A copy uses pageable memory there: the event of its block but for the name's id, and the name.
 * False: there is nothing to tell, or it was asked for before. */
bool ct_allocated_find(uint64_t address, struct ct_event_host_block *event,
		       char name[CT_ALLOCATED_NAME_BYTES]);

/* The variable of the program or of a library that holds the address: 0, or -ENOENT. name: room for
 * `bytes`, as in the file's table of symbols; "" if that has none there, then begin and end are the
 * address and the one behind it. */
int ct_variable_find(uint64_t address, uint64_t *begin, uint64_t *end, char *name, uint32_t bytes);

#endif
