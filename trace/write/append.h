/* SPDX-License-Identifier: Apache-2.0 */
/* Append whole chunks to a file, or nothing. */
#ifndef CT_TRACE_WRITE_APPEND_H
#define CT_TRACE_WRITE_APPEND_H

#include "base/descriptor.h"
#include "trace/names/directory.h"
#include "trace/write/folder.h"

#include <cudatrace/format.h>
#include <stdint.h>

/* All 0: not open. */
struct ct_append {
	struct ct_folder *folder;
	struct ct_descriptor descriptor;
	char name[CT_FILE_NAME_BYTES];
	uint64_t bytes;
};

/* Create name in the folder, which stays; it must not exist. */
int ct_append_open(struct ct_append *file, struct ct_folder *folder, const char *name);

/* Header and payload with one write where the system permits. On failure the
 * file is cut back to its last whole chunk. A file whose descriptor the program has closed is
 * opened again; nothing is ever written to, or cut off, another one: -ESTALE, -ENOENT. */
int ct_append_chunk(struct ct_append *file, const struct ct_chunk_header *header,
		    const void *payload);

void ct_append_close(struct ct_append *file);

#endif
