/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much memory a process may take: what the system has left, or its control groups if that is
 * less. What they hold of files can be dropped and counts as left.
 */
#ifndef CT_BASE_ROOM_H
#define CT_BASE_ROOM_H

#include <stdint.h>

/* Bytes; UINT64_MAX: not known. */
uint64_t ct_room(void);

/* The same by other directories than /proc and /sys/fs/cgroup (version 2, or version 1 with
 * `memory` below it). */
uint64_t ct_room_by(const char *proc, const char *groups);

/* Bytes of address space that the process may still map (RLIMIT_AS); UINT64_MAX without a limit. */
uint64_t ct_room_addresses(void);

#endif
