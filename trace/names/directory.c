/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a trace directory's files; making, sharing and emptying such a directory. */
#include "trace/names/directory.h"

#include <cudatrace/format.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MANIFEST_HEAD_BYTES 65536

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
	struct ct_file_name file = {.kind = CT_FILE_OTHER};
	const char *rest;

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strncmp(name, ".nfs", 4) == 0) {
		file.kind = CT_FILE_NONE;
	} else if (strcmp(name, CT_MANIFEST_OLD) == 0) {
		file.kind = CT_FILE_MANIFEST_OLD;
	} else if (strcmp(name, CT_MANIFEST_OLD CT_DRAFT_END) == 0) {
		file.kind = CT_FILE_DRAFT;
	} else if (strncmp(name, "manifest-", 9) == 0) {
		rest = scan_number(name + 9, &file.part);
		if (rest && strcmp(rest, ".json") == 0)
			file.kind = CT_FILE_MANIFEST;
		else if (rest && strcmp(rest, ".json" CT_DRAFT_END) == 0)
			file.kind = CT_FILE_DRAFT;
	} else if (strncmp(name, "events-", 7) == 0) {
		rest = scan_number(name + 7, &file.part);
		if (rest && strcmp(rest, ".ct") == 0)
			file.kind = CT_FILE_EVENTS;
	} else if (strncmp(name, "tables-", 7) == 0) {
		rest = scan_number(name + 7, &file.part);
		if (rest && strcmp(rest, ".ct") == 0)
			file.kind = CT_FILE_TABLES;
	} else if (strncmp(name, "names-", 6) == 0) {
		rest = scan_number(name + 6, &file.part);
		if (rest && strcmp(rest, ".ct") == 0)
			file.kind = CT_FILE_NAMES;
		else if (rest && strcmp(rest, ".ct" CT_DRAFT_END) == 0)
			file.kind = CT_FILE_DRAFT;
	} else if (strncmp(name, "device-", 7) == 0) {
		rest = scan_number(name + 7, &file.part);
		rest = rest && *rest == '-' ? scan_number(rest + 1, &file.device) : NULL;
		if (rest && *rest == '-') {
			rest = scan_number(rest + 1, &file.file);
			rest = file.file ? rest : NULL;
		}
		if (rest && strcmp(rest, ".ct") == 0)
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
	case CT_FILE_TABLES:
		snprintf(name, CT_FILE_NAME_BYTES, "tables-%u.ct", file->part);
		break;
	case CT_FILE_NAMES:
		snprintf(name, CT_FILE_NAME_BYTES, "names-%u.ct", file->part);
		break;
	case CT_FILE_DEVICE:
		snprintf(name, CT_FILE_NAME_BYTES,
			 file->file ? "device-%u-%u-%u.ct" : "device-%u-%u.ct", file->part,
			 file->device, file->file);
		break;
	case CT_FILE_MANIFEST_OLD:
		snprintf(name, CT_FILE_NAME_BYTES, "%s", CT_MANIFEST_OLD);
		break;
	default:
		snprintf(name, CT_FILE_NAME_BYTES, "manifest-%u.json%s", file->part,
			 file->kind == CT_FILE_DRAFT ? CT_DRAFT_END : "");
	}
}

static bool is_one_of_several(const struct ct_rank *rank)
{
	return rank->rank != CT_NO_RANK && rank->ranks != 1;
}

struct ct_part_numbers ct_directory_numbers(const struct ct_rank *rank)
{
	if (is_one_of_several(rank))
		return (struct ct_part_numbers){rank->rank, CT_PART_STRIDE};
	return (struct ct_part_numbers){0, 1};
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

	/* A file that another process has just removed was one of ours by its name. */
	if (fstatat(directory_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT;
	return S_ISREG(status.st_mode);
}

/* Whose files are to go. */
struct clearing {
	int fd;
	bool all;
	uint32_t part;              /* if rank is NULL and not all */
	const struct ct_rank *rank; /* or NULL */
};

/* Whether the manifest of the part says that this run wrote it. */
static bool is_of_run(int directory_fd, uint32_t part, const char *run)
{
	struct ct_file_name file = {.kind = CT_FILE_MANIFEST, .part = part};
	char name[CT_FILE_NAME_BYTES], wanted[CT_JOB_BYTES + 16];
	char *text = *run ? calloc(1, MANIFEST_HEAD_BYTES + 1) : NULL;
	bool found = false;
	int fd;

	if (!text)
		return false;
	ct_file_name_format(&file, name);
	snprintf(wanted, sizeof(wanted), "\n  \"run\": \"%s\"", run);
	fd = openat(directory_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0) {
		found = read(fd, text, MANIFEST_HEAD_BYTES) > 0 && strstr(text, wanted);
		close(fd);
	}
	free(text);
	return found;
}

static bool is_to_go(const struct clearing *clearing, const struct ct_file_name *file)
{
	const struct ct_rank *rank = clearing->rank;
	uint32_t owner = file->part % CT_PART_STRIDE;

	if (clearing->all)
		return true;
	if (!rank)
		return file->kind != CT_FILE_MANIFEST_OLD && file->part == clearing->part;
	if (file->kind == CT_FILE_MANIFEST_OLD)
		return rank->rank == 0;
	if (owner != rank->rank && (rank->rank != 0 || !rank->ranks || owner < rank->ranks))
		return false;
	/* Manifests go last: they tell whose the other files are. */
	return !is_of_run(clearing->fd, file->part, rank->job);
}

static int visit(DIR *directory, const struct clearing *clearing, bool manifests)
{
	struct dirent *entry;

	rewinddir(directory);
	for (errno = 0; (entry = readdir(directory)); errno = 0) {
		struct ct_file_name file = ct_file_name_parse(entry->d_name);

		if (file.kind <= CT_FILE_OTHER || (file.kind == CT_FILE_MANIFEST) != manifests)
			continue;
		if (is_to_go(clearing, &file) && unlinkat(clearing->fd, entry->d_name, 0) < 0 &&
		    errno != ENOENT)
			return -errno;
	}
	return -errno;
}

static int check_entries(DIR *directory)
{
	struct dirent *entry;

	for (errno = 0; (entry = readdir(directory)); errno = 0) {
		enum ct_file_kind kind = ct_file_name_parse(entry->d_name).kind;

		if (kind == CT_FILE_OTHER ||
		    (kind != CT_FILE_NONE && !is_regular(dirfd(directory), entry->d_name)))
			return -ENOTEMPTY;
	}
	return -errno;
}

static DIR *list(int directory_fd)
{
	int copy = fcntl(directory_fd, F_DUPFD_CLOEXEC, 0);
	DIR *directory = copy < 0 ? NULL : fdopendir(copy);
	int err = errno;

	if (directory)
		rewinddir(directory);
	else if (copy >= 0)
		close(copy);
	errno = err;
	return directory;
}

static int clear(const struct clearing *clearing)
{
	DIR *directory = list(clearing->fd);
	int err;

	if (!directory)
		return -errno;
	err = visit(directory, clearing, false);
	if (err == 0)
		err = visit(directory, clearing, true);
	closedir(directory);
	return err;
}

int ct_directory_open(const char *path)
{
	int err = create_with_parents(path);
	DIR *directory;
	int fd;

	if (err < 0)
		return err;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	directory = list(fd);
	err = directory ? check_entries(directory) : -errno;
	if (directory)
		closedir(directory);
	if (err < 0) {
		close(fd);
		return err;
	}
	return fd;
}

int ct_directory_clear_part(int directory_fd, uint32_t part)
{
	return clear(&(struct clearing){.fd = directory_fd, .all = part == 0, .part = part});
}

int ct_directory_clear_rank(int directory_fd, const struct ct_rank *rank)
{
	bool several = is_one_of_several(rank);

	return clear(
	    &(struct clearing){.fd = directory_fd, .all = !several, .rank = several ? rank : NULL});
}
