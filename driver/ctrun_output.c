/* SPDX-License-Identifier: Apache-2.0 */
/* Check the trace directory, find the traces of a run, tell their totals. */
#include "ctrun_output.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Make path and its missing parents. Returns 1 if path was made, 0 if it was
 * there, -errno. */
static int make_directories(char *path)
{
	for (char *at = path + 1; *at; at++) {
		int err;

		if (*at != '/')
			continue;
		*at = '\0';
		err = mkdir(path, 0777) < 0 ? errno : 0;
		*at = '/';
		if (err && err != EEXIST)
			return -err;
	}
	if (mkdir(path, 0777) == 0)
		return 1;
	return errno == EEXIST ? 0 : -errno;
}

static bool is_trace_file(const char *name)
{
	static const char *const patterns[] = {".", "..", "manifest.json*", "events-*.ct",
					       "device-*.ct"};

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (fnmatch(patterns[i], name, 0) == 0)
			return true;
	return false;
}

/* A directory that can be written and holds nothing but an earlier trace. */
static int check_directory(const char *path, const char *name, char *why, size_t why_bytes)
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
		if (is_trace_file(entry->d_name))
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

int ctrun_output_prepare(struct ctrun_output *output, const char *name, char *why, size_t why_bytes)
{
	char here[PATH_MAX];
	int made;

	*output = (struct ctrun_output){.start_ns = now_ns()};
	if (!name)
		name = getenv("CUDATRACE_OUTPUT");
	if (!name || !*name) {
		if (access(".", W_OK) == 0)
			return 0;
		snprintf(why, why_bytes, "working directory: %s; choose another one with -o DIR",
			 strerror(errno));
		return -EACCES;
	}
	if (name[0] != '/' && !getcwd(here, sizeof(here)))
		return -errno;
	if (snprintf(output->path, PATH_MAX, "%s%s%s", name[0] == '/' ? "" : here,
		     name[0] == '/' ? "" : "/", name) >= PATH_MAX) {
		snprintf(why, why_bytes, "%s: %s", name, strerror(ENAMETOOLONG));
		return -ENAMETOOLONG;
	}
	made = make_directories(output->path);
	if (made < 0) {
		snprintf(why, why_bytes, "%s: %s; choose another directory with -o", name,
			 strerror(-made));
		return made;
	}
	output->created = made;
	if (setenv("CUDATRACE_OUTPUT", output->path, 1) < 0)
		return -errno;
	return check_directory(output->path, name, why, why_bytes);
}

/* 1842 as "1 842". */
static const char *spaced(uint64_t number, char text[32])
{
	char digits[32];
	int count = snprintf(digits, sizeof(digits), "%" PRIu64, number);
	char *out = text;

	for (int i = 0; i < count; i++) {
		if (i && (count - i) % 3 == 0)
			*out++ = ' ';
		*out++ = digits[i];
	}
	*out = '\0';
	return text;
}

static const char *size_text(uint64_t bytes, char text[32])
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
	double size = (double)bytes;
	size_t unit = 0;

	for (; size >= 999.95 && unit < 4; unit++)
		size /= 1000;
	snprintf(text, 32, unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
	return text;
}

static uint64_t total(const json_t *manifest, const char *name)
{
	json_int_t value =
	    json_integer_value(json_object_get(json_object_get(manifest, "totals"), name));

	return value > 0 ? (uint64_t)value : 0;
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void report_one(const json_t *manifest, const char *directory)
{
	uint64_t all = total(manifest, "launches"), traced = total(manifest, "traced_launches");
	uint64_t kernels = total(manifest, "kernels"), lost = total(manifest, "lost_chunks");
	const char *error = json_string_value(json_object_get(manifest, "error"));
	char a[32], b[32], c[32], d[32];

	fprintf(stderr, "[ctrun] traced %s", spaced(traced, a));
	if (traced != all)
		fprintf(stderr, " of %s", spaced(all, b));
	fprintf(stderr, " launch%s (%s kernel%s), %s", all == 1 ? "" : "es", spaced(kernels, c),
		plural(kernels), size_text(total(manifest, "trace_bytes"), d));
	if (lost)
		fprintf(stderr, ", %s chunk%s lost", spaced(lost, a), plural(lost));
	fprintf(stderr, ": %s\n", directory);
	if (error && *error)
		fprintf(stderr, "[ctrun] tracing stopped early: %s\n", error);
	else if (!json_is_true(json_object_get(manifest, "complete")))
		fprintf(stderr, "[ctrun] the program ended without closing its trace; "
				"ctpost reads what is there\n");
}

/* Report the trace in directory if this run made it. Returns 1 or 0. */
static unsigned report_directory(const struct ctrun_output *output, const char *directory)
{
	char path[PATH_MAX + 16];
	json_t *manifest;
	json_int_t start;
	unsigned found = 0;

	snprintf(path, sizeof(path), "%s/manifest.json", directory);
	manifest = json_load_file(path, 0, NULL);
	start = json_integer_value(json_object_get(manifest, "start_ns"));
	if (start > 0 && (uint64_t)start >= output->start_ns) {
		report_one(manifest, directory);
		found = 1;
	}
	json_decref(manifest);
	return found;
}

unsigned ctrun_output_report(const struct ctrun_output *output)
{
	struct dirent **entries;
	unsigned found = 0;
	int count;

	if (*output->path) {
		found = report_directory(output, output->path);
		if (!found && output->created)
			rmdir(output->path);
		return found;
	}
	count = scandir(".", &entries, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		if (fnmatch("*.ctrace", entries[i]->d_name, 0) == 0)
			found += report_directory(output, entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return found;
}
