/* SPDX-License-Identifier: Apache-2.0 */
/* Append whole chunks to a file, or nothing. */
#ifndef CT_TRACE_APPEND_H
#define CT_TRACE_APPEND_H

#include <cudatrace/format.h>
#include <stdint.h>

struct ct_append {
	int fd; /* -1: not open */
	uint64_t bytes;
};

/* Create name in directory; it must not exist. */
int ct_append_open(struct ct_append *file, int directory_fd, const char *name);

/* Header and payload with one write where the system permits. On failure the
 * file is cut back to its last whole chunk. */
int ct_append_chunk(struct ct_append *file, const struct ct_chunk_header *header,
		    const void *payload);

void ct_append_close(struct ct_append *file);

#endif
