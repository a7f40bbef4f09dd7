/* SPDX-License-Identifier: Apache-2.0 */
/* A file or directory that appears under its name when it is complete. */
#include "postproc/tables/output.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_BYTES 64

struct ct_output {
	char path[PATH_MAX];
	char temporary[PATH_MAX];
	int is_directory;
	int directory; /* open descriptor, or -1 */
	char name[CT_OUTPUT_FILES_MAX][NAME_BYTES];
	volatile sig_atomic_t names;
};

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
#define SIGNALS (sizeof(signals) / sizeof(*signals))

static struct ct_output *volatile current; /* what a signal removes */
static struct sigaction before[SIGNALS];

/* Calls only what a signal handler may call. */
static void remove_written(struct ct_output *output)
{
	if (!output->is_directory) {
		unlink(output->temporary);
		return;
	}
	for (int i = 0; i < output->names; i++)
		unlinkat(output->directory, output->name[i], 0);
	rmdir(output->temporary);
}

static void on_signal(int number)
{
	if (current)
		remove_written(current);
	signal(number, SIG_DFL);
	raise(number);
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < SIGNALS; i++) {
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

static void on_exit_remove(void)
{
	if (current)
		remove_written(current);
}

static void set_current(struct ct_output *output)
{
	static int registered;

	if (output && !registered)
		registered = atexit(on_exit_remove) == 0;
	current = output;
	if (output)
		catch_signals();
	for (size_t i = 0; i < SIGNALS && !output; i++)
		sigaction(signals[i], &before[i], NULL);
}

static int create(struct ct_output *output)
{
	int fd;

	if (output->is_directory) {
		if (mkdir(output->temporary, 0777) < 0)
			return -errno;
		output->directory = open(output->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		return output->directory < 0 ? -errno : 0;
	}
	fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return fd < 0 ? -errno : close(fd) < 0 ? -errno : 0;
}

static int is_empty(const char *path)
{
	const struct dirent *entry;
	DIR *directory = opendir(path);
	int entries = 0;

	while (directory && (entry = readdir(directory)))
		entries += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	if (directory)
		closedir(directory);
	return directory && !entries;
}

static int check_target(const char *path, int is_directory, char *why, size_t why_bytes)
{
	struct stat status;

	if (!*path) {
		snprintf(why, why_bytes, "the name of the output is empty");
		return -EINVAL;
	}
	if (stat(path, &status) < 0)
		return 0;
	if (is_directory && !S_ISDIR(status.st_mode)) {
		snprintf(why, why_bytes, "%s: not a directory", path);
		return -ENOTDIR;
	}
	if (is_directory && !is_empty(path)) {
		snprintf(why, why_bytes, "%s: not empty", path);
		return -EEXIST;
	}
	if (!is_directory && !S_ISREG(status.st_mode)) {
		snprintf(why, why_bytes, "%s: not a regular file", path);
		return -EINVAL;
	}
	return 0;
}

int ct_output_open(struct ct_output **out, const char *path, int is_directory, char *why,
		   size_t why_bytes)
{
	struct ct_output *output = calloc(1, sizeof(*output));
	size_t length = strlen(path);
	int err = output ? check_target(path, is_directory, why, why_bytes) : -ENOMEM;

	*out = NULL;
	if (!output)
		snprintf(why, why_bytes, "%s: out of memory", path);
	if (err < 0)
		goto fail;
	output->is_directory = is_directory;
	output->directory = -1;
	while (length > 1 && path[length - 1] == '/')
		length--;
	snprintf(output->path, sizeof(output->path), "%.*s", (int)length, path);
	if ((size_t)snprintf(output->temporary, sizeof(output->temporary), "%.*s.partial-%ld",
			     (int)length, path, (long)getpid()) >= sizeof(output->temporary)) {
		err = -ENAMETOOLONG;
		snprintf(why, why_bytes, "%.100s…: the name is too long", path);
		goto fail;
	}
	set_current(output); /* first, so that no signal comes between */
	err = create(output);
	if (err < 0) {
		snprintf(why, why_bytes, "%s: %s", path, strerror(-err));
		remove_written(output);
		set_current(NULL);
		goto fail;
	}
	*out = output;
	return 0;

fail:
	free(output);
	return err;
}

const char *ct_output_path(const struct ct_output *output)
{
	return output->temporary;
}

FILE *ct_output_file(struct ct_output *output, const char *name)
{
	FILE *file;
	int fd;

	if (!output->is_directory)
		return fopen(output->temporary, "w");
	if (output->names == CT_OUTPUT_FILES_MAX || strlen(name) >= NAME_BYTES) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	strcpy(output->name[output->names], name);
	output->names++; /* before it exists, so that no signal misses it */
	fd = openat(output->directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return NULL;
	file = fdopen(fd, "w");
	if (!file)
		close(fd);
	return file;
}

static void close_output(struct ct_output *output)
{
	set_current(NULL);
	if (output->directory >= 0)
		close(output->directory);
	free(output);
}

int ct_output_commit(struct ct_output *output)
{
	int err = rename(output->temporary, output->path) < 0 ? -errno : 0;

	if (err < 0)
		remove_written(output);
	close_output(output);
	return err;
}

void ct_output_discard(struct ct_output *output)
{
	if (!output)
		return;
	remove_written(output);
	close_output(output);
}
