/* SPDX-License-Identifier: Apache-2.0 */
/* A private directory under TMPDIR, removed with everything in it. */
#include "driver/compiler/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ct_scratch_init(struct ct_scratch *scratch, char *why, size_t why_bytes)
{
	const char *parent = getenv("TMPDIR");
	int bytes;

	if (!parent || !*parent)
		parent = "/tmp";
	bytes = snprintf(scratch->path, sizeof(scratch->path), "%s/cuda-trace-XXXXXX", parent);
	errno = bytes < (int)sizeof(scratch->path) ? 0 : ENAMETOOLONG;
	if (errno || !mkdtemp(scratch->path)) {
		int err = -errno;

		snprintf(why, why_bytes, "cannot make a temporary directory in %s: %s", parent,
			 strerror(-err));
		scratch->path[0] = '\0';
		return err;
	}
	return 0;
}

int ct_scratch_write(const struct ct_scratch *scratch, const char *name, const void *data,
		     size_t bytes, char *path)
{
	FILE *file;
	int err = 0;

	if (snprintf(path, PATH_MAX, "%s/%s", scratch->path, name) >= PATH_MAX)
		return -ENAMETOOLONG;
	file = fopen(path, "wb");
	if (!file)
		return -errno;
	if (fwrite(data, 1, bytes, file) != bytes)
		err = -EIO;
	if (fclose(file) != 0 && !err)
		err = -errno;
	return err;
}

int ct_scratch_copy(const char *from, const char *to)
{
	FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
	int err = out ? 0 : -errno;
	char buffer[65536];
	size_t bytes;

	while (!err && (bytes = fread(buffer, 1, sizeof(buffer), in)))
		if (fwrite(buffer, 1, bytes, out) != bytes)
			err = -EIO;
	if (in && ferror(in))
		err = -EIO;
	if (in)
		fclose(in);
	if (out && fclose(out) != 0 && !err)
		err = -errno;
	return err;
}

void ct_scratch_fini(struct ct_scratch *scratch)
{
	DIR *directory = scratch->path[0] ? opendir(scratch->path) : NULL;
	struct dirent *entry;

	if (!directory)
		return;
	while ((entry = readdir(directory)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(dirfd(directory), entry->d_name, 0);
	closedir(directory);
	rmdir(scratch->path);
	scratch->path[0] = '\0';
}
