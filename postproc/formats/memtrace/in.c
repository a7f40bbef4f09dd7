/* SPDX-License-Identifier: Apache-2.0 */
/* Read files of the thesis' trace format, section by section. */
#include "postproc/formats/memtrace/in.h"
#include <cudatrace/error.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct ct_memtrace_in {
	const char *path;
	FILE *file;
	char *name;
	size_t name_room;
	uint64_t records; /* read of this section */
	uint64_t done, total;
	char *why;
	size_t why_bytes;
};

static int fail(struct ct_memtrace_in *in, int err, const char *text)
{
	snprintf(in->why, in->why_bytes, "%s: %s", in->path, text);
	return err;
}

int ct_memtrace_in_open(struct ct_memtrace_in **out, const char *path, char *why, size_t why_bytes)
{
	struct ct_memtrace_in *in = calloc(1, sizeof(*in));
	struct stat status;
	int err;

	*out = NULL;
	if (!in)
		return -ENOMEM;
	in->path = path;
	in->why = why;
	in->why_bytes = why_bytes;
	in->file = fopen(path, "rb");
	if (!in->file) {
		err = -errno;
		fail(in, err, strerror(errno));
		goto close;
	}
	if (fstat(fileno(in->file), &status) == 0)
		in->total = (uint64_t)status.st_size;
	if (fgetc(in->file) != CT_MEMTRACE_BYTES || fgetc(in->file) != '\n') {
		err = fail(in, -CT_EFORMAT,
			   "not a memtrace file: it does not begin with the record size 24 and a "
			   "line feed");
		goto close;
	}
	in->done = 2;
	*out = in;
	return 0;

close:
	ct_memtrace_in_close(in);
	return err;
}

void ct_memtrace_in_close(struct ct_memtrace_in *in)
{
	if (!in)
		return;
	if (in->file)
		fclose(in->file);
	free(in->name);
	free(in);
}

int ct_memtrace_in_section(struct ct_memtrace_in *in, const char **name)
{
	ssize_t length = getline(&in->name, &in->name_room, in->file);

	if (length < 0)
		return ferror(in->file) ? fail(in, -EIO, "cannot be read") : 0;
	in->done += (uint64_t)length;
	in->records = 0;
	if (in->name[length - 1] != '\n')
		return fail(in, -CT_ETORN, "ends inside a kernel's name");
	in->name[length - 1] = '\0';
	if (strlen(in->name) != (size_t)length - 1)
		return fail(in, -CT_EFORMAT, "a kernel's name holds a NUL; the file is damaged");
	*name = in->name;
	return 1;
}

int ct_memtrace_in_record(struct ct_memtrace_in *in, struct ct_memtrace_record *record)
{
	uint8_t bytes[CT_MEMTRACE_BYTES];
	size_t got = fread(bytes, 1, sizeof(bytes), in->file);

	if (got != sizeof(bytes)) {
		snprintf(in->why, in->why_bytes, "%s: ends inside kernel %s after %llu records",
			 in->path, in->name, (unsigned long long)in->records);
		return -CT_ETORN;
	}
	in->done += sizeof(bytes);
	in->records++;
	return ct_memtrace_unpack(bytes, record);
}

void ct_memtrace_in_position(const struct ct_memtrace_in *in, uint64_t *done, uint64_t *total)
{
	*done = in->done;
	*total = in->total;
}
