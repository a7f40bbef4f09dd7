/* SPDX-License-Identifier: Apache-2.0 */
/* A growing array of bytes. */
#include "trace/base/buffer.h"

#include <stdlib.h>
#include <string.h>

static int grow(struct ct_buffer *buffer, size_t size)
{
	size_t room = buffer->room ? buffer->room : 1024;
	char *bytes;

	while (room - buffer->size < size)
		room *= 2;
	bytes = realloc(buffer->bytes, room);
	if (!bytes)
		return -1;
	buffer->bytes = bytes;
	buffer->room = room;
	return 0;
}

void *ct_buffer_append(struct ct_buffer *buffer, const void *bytes, size_t size)
{
	void *place;

	if ((!buffer->bytes || buffer->room - buffer->size < size) && grow(buffer, size) < 0)
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
