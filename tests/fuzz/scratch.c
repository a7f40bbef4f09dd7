/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of this process for files under test. */
#include "scratch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[200];

static void remove_scratch(void)
{
	static const char *const names[] = {"chunks.ct", "events-0.ct", "device-0-0.ct"};
	char path[300];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		unlink(path);
	}
	rmdir(directory);
}

const char *scratch_directory(void)
{
	const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : getenv("TMPDIR");

	if (directory[0])
		return directory;
	snprintf(directory, sizeof(directory), "%s/ct-fuzz-XXXXXX", base && *base ? base : "/tmp");
	if (!mkdtemp(directory))
		abort();
	atexit(remove_scratch);
	return directory;
}

void scratch_write(const char *name, const void *content, size_t bytes)
{
	char path[300];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", scratch_directory(), name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, content, bytes) != (ssize_t)bytes)
		abort();
	close(fd);
}
