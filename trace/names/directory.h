/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of a trace directory's files; making, sharing and emptying such a directory.
 *
 * The processes of a run agree on who writes which part without talking to each other, only by
 * creating files that must not exist:
 *
 *   rank r of several   r, r + 1000000, r + 2000000, ... : the first that is free
 *   without ranks       0, 1, 2, ...                     : the first that is free
 *
 * An earlier trace is removed before a run: parts of rank r by rank r, and what no rank of this
 * run would remove by rank 0. So no rank ever removes what another one writes.
 */
#ifndef CT_TRACE_NAMES_DIRECTORY_H
#define CT_TRACE_NAMES_DIRECTORY_H

#include "trace/names/rank.h"

#include <stdbool.h>
#include <stdint.h>

#define CT_MANIFEST_OLD "manifest.json" /* of all parts, up to version 2 */
#define CT_DRAFT_END ".new"             /* of what is being written, and renamed when it is whole */
#define CT_FILE_NAME_BYTES 64
#define CT_PART_STRIDE 1000000u /* between the parts of one rank */

enum ct_file_kind {
	CT_FILE_NONE,
	CT_FILE_OTHER,
	CT_FILE_MANIFEST_OLD,
	CT_FILE_MANIFEST,
	CT_FILE_DRAFT, /* of a manifest, or of names */
	CT_FILE_EVENTS,
	CT_FILE_TABLES,
	CT_FILE_DEVICE,
	CT_FILE_NAMES
};

struct ct_file_name {
	enum ct_file_kind kind;
	uint32_t part;   /* of all but OTHER and MANIFEST_OLD */
	uint32_t device; /* DEVICE */
	uint32_t file;   /* DEVICE: of the files of one device, from 0 */
};

/* Says what a file is by its name. Numbers are decimal without leading zeros. What the system
 * puts there, as ".", ".." and NFS for files that are removed while they are open, is NONE. */
struct ct_file_name ct_file_name_parse(const char *name);
/* A draft's is a manifest's. */
void ct_file_name_format(const struct ct_file_name *file, char name[CT_FILE_NAME_BYTES]);

/* The numbers of the parts that a process may write: first, first + step, ... */
struct ct_part_numbers {
	uint32_t first, step;
};
struct ct_part_numbers ct_directory_numbers(const struct ct_rank *rank);

/* Create the directory with its missing parents. Returns a descriptor of it, or
 * -errno; -ENOTEMPTY if it holds anything that is no trace file. */
int ct_directory_open(const char *path);

/* Remove the files of that part; all files of the directory if it is 0. */
int ct_directory_clear_part(int directory_fd, uint32_t part);

/* Remove an earlier trace, as far as it is up to this rank. What other processes of the same
 * rank and start of the job (rank->job) have written stays. */
int ct_directory_clear_rank(int directory_fd, const struct ct_rank *rank);

#endif
