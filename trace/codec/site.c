/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of site descriptors. */
#include "trace/codec/site.h"

#include <cudatrace/host.h>
#include <string.h>

const char *ct_site_field(const char *descriptor, unsigned i, char *buffer, size_t bytes)
{
	size_t length;

	if (bytes == 0)
		return "";
	for (; i > 0 && descriptor; i--) {
		descriptor = strchr(descriptor, CT_FIELD_SEPARATOR);
		if (descriptor)
			descriptor++;
	}
	length = descriptor ? strcspn(descriptor, (const char[]){CT_FIELD_SEPARATOR, '\0'}) : 0;
	if (length >= bytes)
		length = bytes - 1;
	if (length)
		memcpy(buffer, descriptor, length);
	buffer[length] = '\0';
	return buffer;
}
