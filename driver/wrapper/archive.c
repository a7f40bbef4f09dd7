/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The symbol index of static libraries, GNU format:
 *
 *   "!<arch>\n"
 *   header of 60 bytes: name[16] = "/", ..., size[10] at 48 (decimal), "`\n"
 *   u32 count, count * u32 offset (big-endian), count names, NUL-terminated
 */
#include "driver/wrapper/archive.h"

#include <ar.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDEX_BYTES_MAX (256u << 20)

/* The index member, malloc'ed and NUL-terminated, or NULL. */
static char *read_index(const char *path, size_t *bytes)
{
	char magic[SARMAG], *index = NULL;
	struct ar_hdr header;
	FILE *file = fopen(path, "rb");

	if (!file)
		return NULL;
	if (fread(magic, sizeof(magic), 1, file) == 1 && memcmp(magic, ARMAG, SARMAG) == 0 &&
	    fread(&header, sizeof(header), 1, file) == 1 && memcmp(header.ar_name, "/ ", 2) == 0) {
		char size[sizeof(header.ar_size) + 1] = {0};

		memcpy(size, header.ar_size, sizeof(header.ar_size));
		*bytes = strtoul(size, NULL, 10);
		if (*bytes >= sizeof(uint32_t) && *bytes <= INDEX_BYTES_MAX)
			index = calloc(*bytes + 1, 1);
		if (index && fread(index, *bytes, 1, file) != 1) {
			free(index);
			index = NULL;
		}
	}
	fclose(file);
	return index;
}

void ct_archive_symbols(const char *path, const char *prefix,
			void (*visit)(void *user, const char *symbol), void *user)
{
	size_t bytes = 0, count;
	char *index = read_index(path, &bytes);
	const unsigned char *first = (const unsigned char *)index;

	if (!index)
		return;
	count = (size_t)first[0] << 24 | first[1] << 16 | first[2] << 8 | first[3];
	if (count < bytes / sizeof(uint32_t))
		for (const char *name = index + sizeof(uint32_t) * (count + 1);
		     name < index + bytes; name += strlen(name) + 1)
			if (strncmp(name, prefix, strlen(prefix)) == 0)
				visit(user, name);
	free(index);
}
