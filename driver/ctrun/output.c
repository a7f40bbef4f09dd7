/* SPDX-License-Identifier: Apache-2.0 */
/* The trace directory before the program runs: made, checked, emptied of an earlier trace. */
#include "driver/ctrun/output.h"

#include "base/clock.h"
#include "trace/names/directory.h"

#include <cudatrace/format.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *environment(const char *name)
{
	return getenv(name);
}

int ctrun_output_make(const char *path)
{
	char parent[PATH_MAX];

	for (size_t at = 1; path[at] && at < PATH_MAX; at++) {
		if (path[at] != '/')
			continue;
		memcpy(parent, path, at);
		parent[at] = '\0';
		if (mkdir(parent, 0777) < 0 && errno != EEXIST)
			return -errno;
	}
	if (mkdir(path, 0777) == 0)
		return 1;
	return errno == EEXIST ? 0 : -errno;
}

static bool is_of_trace(const char *entry)
{
	return ct_file_name_parse(entry).kind != CT_FILE_OTHER;
}

int ctrun_output_check(const char *path, const char *name, bool (*is_ours)(const char *entry),
		       char *why, size_t why_bytes)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	int err = 0;

	if (!directory || access(path, W_OK) < 0) {
		err = -errno;
		snprintf(why, why_bytes, "%s: %s; choose another directory with -o", name,
			 strerror(-err));
	}
	while (directory && !err && (entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
		    is_ours(entry->d_name))
			continue;
		snprintf(why, why_bytes,
			 "%s holds other files (%s); choose another directory with -o", name,
			 entry->d_name);
		err = -ENOTEMPTY;
	}
	if (directory)
		closedir(directory);
	return err;
}

int ctrun_output_name(char path[PATH_MAX], const char *name, char *why, size_t why_bytes)
{
	char here[PATH_MAX];
	size_t bytes;

	if (name[0] != '/' && !getcwd(here, sizeof(here)))
		return -errno;
	if (snprintf(path, PATH_MAX, "%s%s%s", name[0] == '/' ? "" : here,
		     name[0] == '/' ? "" : "/", name) >= PATH_MAX) {
		snprintf(why, why_bytes, "%s: %s", name, strerror(ENAMETOOLONG));
		return -ENAMETOOLONG;
	}
	for (bytes = strlen(path); bytes > 1 && path[bytes - 1] == '/'; bytes--)
		path[bytes - 1] = '\0';
	return 0;
}

/* Whether a ctrun around this one has begun a run in the same directory. */
static bool join_run(struct ctrun_output *output)
{
	const char *text = getenv("CUDATRACE_RUN");
	size_t bytes = text ? strcspn(text, ":") : 0;

	if (!text || text[bytes] != ':' || bytes >= sizeof(output->run) ||
	    strcmp(text + bytes + 1, output->path) != 0)
		return false;
	memcpy(output->run, text, bytes);
	output->run[bytes] = '\0';
	return true;
}

/* The launcher says what the ranks of a job share; else this process is the run. */
static void name_run(struct ctrun_output *output)
{
	char host[64] = "";

	if (output->rank.rank != CT_NO_RANK && output->rank.ranks != 1) {
		snprintf(output->run, sizeof(output->run), "%s", output->rank.job);
		return;
	}
	gethostname(host, sizeof(host) - 1);
	host[strcspn(host, ":\"\\")] = '\0';
	snprintf(output->run, sizeof(output->run), "%s.%ld.%llu", host, (long)getpid(),
		 (unsigned long long)output->start_ns);
}

int ctrun_output_lock(const char *path, const char *name, bool is_shared, char *why,
		      size_t why_bytes)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (flock(fd, (is_shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 || errno != EWOULDBLOCK)
		return 0;
	close(fd);
	snprintf(why, why_bytes,
		 "%s: another ctrun is tracing into it; choose another directory with -o", name);
	return -EBUSY;
}

static int begin_run(struct ctrun_output *output, const char *name, bool keep, char *why,
		     size_t why_bytes)
{
	char text[CT_JOB_BYTES + 1 + PATH_MAX];
	int fd, err;

	name_run(output);
	snprintf(text, sizeof(text), "%s:%s", output->run, output->path);
	if (setenv("CUDATRACE_RUN", text, 1) < 0)
		return -errno;
	if (keep)
		return 0;
	fd = ct_directory_open(output->path);
	err = fd < 0 ? fd : ct_directory_clear_rank(fd, &output->rank);
	if (fd >= 0)
		close(fd);
	if (err < 0)
		snprintf(why, why_bytes, "%s: cannot remove the trace that is there: %s", name,
			 strerror(-err));
	return err;
}

int ctrun_output_prepare(struct ctrun_output *output, const char *name, bool keep, char *why,
			 size_t why_bytes)
{
	int made, err;

	*output = (struct ctrun_output){.start_ns = ct_clock_real_ns(),
					.rank = ct_rank_find(environment)};
	if (!name)
		name = getenv("CUDATRACE_OUTPUT");
	if (!name || !*name) {
		if (access(".", W_OK) == 0)
			return 0;
		snprintf(why, why_bytes, "working directory: %s; choose another one with -o DIR",
			 strerror(errno));
		return -EACCES;
	}
	err = ctrun_output_name(output->path, name, why, why_bytes);
	if (err < 0)
		return err;
	made = ctrun_output_make(output->path);
	if (made < 0) {
		snprintf(why, why_bytes, "%s: %s; choose another directory with -o", name,
			 strerror(-made));
		return made;
	}
	output->created = made;
	if (setenv("CUDATRACE_OUTPUT", output->path, 1) < 0)
		return -errno;
	err = ctrun_output_check(output->path, name, is_of_trace, why, why_bytes);
	if (err < 0)
		return err;
	output->joined = join_run(output);
	if (!output->joined)
		err = ctrun_output_lock(output->path, name,
					output->rank.rank != CT_NO_RANK && output->rank.ranks != 1,
					why, why_bytes);
	return output->joined || err < 0 ? err : begin_run(output, name, keep, why, why_bytes);
}
