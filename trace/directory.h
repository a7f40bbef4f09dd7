/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a trace directory's files, and making such a directory. */
#ifndef CT_TRACE_DIRECTORY_H
#define CT_TRACE_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#define CT_MANIFEST_NAME "manifest.json"
#define CT_MANIFEST_DRAFT "manifest.json.new"
#define CT_FILE_NAME_BYTES 64

enum ct_file_kind {
	CT_FILE_OTHER,
	CT_FILE_MANIFEST,
	CT_FILE_DRAFT,
	CT_FILE_EVENTS,
	CT_FILE_DEVICE
};

struct ct_file_name {
	enum ct_file_kind kind;
	uint32_t part;   /* EVENTS, DEVICE */
	uint32_t device; /* DEVICE */
};

/* What a file is by its name. Numbers are decimal without leading zeros. */
struct ct_file_name ct_file_name_parse(const char *name);
void ct_file_name_format(const struct ct_file_name *file, char name[CT_FILE_NAME_BYTES]);

/* Create the directory with its missing parents, or empty it of an earlier
 * trace: part 0 removes the files of all parts, others only their own. Returns
 * a descriptor of it; -ENOTEMPTY if it holds anything that is no trace file. */
int ct_directory_prepare(const char *path, uint32_t part);

#endif
