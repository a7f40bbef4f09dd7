/* SPDX-License-Identifier: Apache-2.0 */
/* A growing array of bytes. */
#include "base/buffer.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 1024u

void *ct_buffer_append(struct ct_buffer *buffer, const void *bytes, size_t size)
{
	size_t needed = buffer->size + size;
	void *place;

	if (!buffer->bytes && needed < ROOM_FIRST)
		needed = ROOM_FIRST;
	if (ct_array_reserve(&buffer->bytes, &buffer->room, needed, 1) < 0)
		return NULL;
	place = buffer->bytes + buffer->size;
	if (bytes && size)
		memcpy(place, bytes, size);
	buffer->size += size;
	return place;
}

void ct_buffer_fini(struct ct_buffer *buffer)
{
	free(buffer->bytes);
	memset(buffer, 0, sizeof(*buffer));
}
