/* SPDX-License-Identifier: Apache-2.0 */
/* A growing array of bytes. Zero-initialised, it is empty. */
#ifndef CT_BASE_BUFFER_H
#define CT_BASE_BUFFER_H

#include <stddef.h>

struct ct_buffer {
	char *bytes;
	size_t size, room;
};

/* Append size bytes; bytes may be NULL to leave them undefined. Returns the
 * place they were put, NULL if memory is short. */
void *ct_buffer_append(struct ct_buffer *buffer, const void *bytes, size_t size);
void ct_buffer_fini(struct ct_buffer *buffer);

#endif
