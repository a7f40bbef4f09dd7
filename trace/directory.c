/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a trace directory's files, and making such a directory. */
#include "directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Scan a number of at most 9 digits; returns what follows, or NULL. */
static const char *scan_number(const char *text, uint32_t *number)
{
	size_t digits = strspn(text, "0123456789");

	if (digits < 1 || digits > 9 || (digits > 1 && text[0] == '0'))
		return NULL;
	*number = (uint32_t)strtoul(text, NULL, 10);
	return text + digits;
}

struct ct_file_name ct_file_name_parse(const char *name)
{
	struct ct_file_name file = {CT_FILE_OTHER, 0, 0};
	const char *rest;

	if (strcmp(name, CT_MANIFEST_NAME) == 0) {
		file.kind = CT_FILE_MANIFEST;
	} else if (strcmp(name, CT_MANIFEST_DRAFT) == 0) {
		file.kind = CT_FILE_DRAFT;
	} else if (strncmp(name, "events-", 7) == 0) {
		rest = scan_number(name + 7, &file.part);
		if (rest && strcmp(rest, ".ct") == 0)
			file.kind = CT_FILE_EVENTS;
	} else if (strncmp(name, "device-", 7) == 0) {
		rest = scan_number(name + 7, &file.part);
		if (rest && *rest == '-')
			rest = scan_number(rest + 1, &file.device);
		if (rest && strcmp(rest, ".ct") == 0 && strchr(name + 7, '-'))
			file.kind = CT_FILE_DEVICE;
	}
	return file;
}

void ct_file_name_format(const struct ct_file_name *file, char name[CT_FILE_NAME_BYTES])
{
	switch (file->kind) {
	case CT_FILE_EVENTS:
		snprintf(name, CT_FILE_NAME_BYTES, "events-%u.ct", file->part);
		break;
	case CT_FILE_DEVICE:
		snprintf(name, CT_FILE_NAME_BYTES, "device-%u-%u.ct", file->part, file->device);
		break;
	default:
		snprintf(name, CT_FILE_NAME_BYTES, "%s",
			 file->kind == CT_FILE_DRAFT ? CT_MANIFEST_DRAFT : CT_MANIFEST_NAME);
	}
}

static int create_with_parents(const char *path)
{
	char *copy = strdup(path);
	int err = 0;

	if (!copy)
		return -ENOMEM;
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0777) < 0 && errno != EEXIST && errno != EISDIR)
			err = -errno;
		*slash = '/';
	}
	/* Parents may exist without being ours to create: only the end counts. */
	if (mkdir(copy, 0777) == 0 || errno == EEXIST || errno == EISDIR)
		err = 0;
	else if (err == 0)
		err = -errno;
	free(copy);
	return err;
}

static bool is_regular(int directory_fd, const char *name)
{
	struct stat status;

	return fstatat(directory_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(status.st_mode);
}

static bool is_dot(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Check that all entries are trace files, or remove those of the part. */
static int visit_entries(DIR *directory, uint32_t part, bool remove_files)
{
	int fd = dirfd(directory);
	struct dirent *entry;

	rewinddir(directory);
	for (errno = 0; (entry = readdir(directory)); errno = 0) {
		struct ct_file_name file = ct_file_name_parse(entry->d_name);

		if (is_dot(entry->d_name))
			continue;
		if (file.kind == CT_FILE_OTHER || !is_regular(fd, entry->d_name))
			return -ENOTEMPTY;
		if (remove_files && (part == 0 || file.part == part) &&
		    unlinkat(fd, entry->d_name, 0) < 0 && errno != ENOENT)
			return -errno;
	}
	return -errno;
}

static int empty_directory(int directory_fd, uint32_t part)
{
	int copy = fcntl(directory_fd, F_DUPFD_CLOEXEC, 0);
	DIR *directory = copy < 0 ? NULL : fdopendir(copy);
	int err;

	if (!directory) {
		err = -errno;
		if (copy >= 0)
			close(copy);
		return err;
	}
	/* Nothing is removed unless everything may be. */
	err = visit_entries(directory, part, false);
	if (err == 0)
		err = visit_entries(directory, part, true);
	closedir(directory);
	return err;
}

int ct_directory_prepare(const char *path, uint32_t part)
{
	int err = create_with_parents(path);
	int fd;

	if (err < 0)
		return err;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = empty_directory(fd, part);
	if (err < 0) {
		close(fd);
		return err;
	}
	return fd;
}
