/* SPDX-License-Identifier: Apache-2.0 */
/* Files and traces of a study. */
#include "driver/ctrun/study.h"

#include "base/study.h"
#include "driver/ctrun/output.h"
#include "trace/names/directory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const traces[] = {CT_STUDY_TRACES};
static const char *const files[] = {
    CT_STUDY_USES_SITES, CT_STUDY_FIRST_USES_SITES, CT_STUDY_COMMAND, CT_STUDY_DRIVER,
    CT_STUDY_BUDGET,     CT_STUDY_SAMPLED_AT,       CT_STUDY_PAGE};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void ctrun_study_file(const struct ctrun_study *study, const char *file, const char *ending,
		      char path[PATH_MAX])
{
	if (snprintf(path, PATH_MAX, "%s/%s%s", study->path, file, ending) >= PATH_MAX)
		*path = '\0';
}

bool ctrun_study_has(const struct ctrun_study *study, const char *file)
{
	char path[PATH_MAX];

	ctrun_study_file(study, file, "", path);
	return access(path, F_OK) == 0;
}

/* Removes a directory that holds nothing but a trace, or a file. */
static int remove_path(const char *path)
{
	struct stat status;
	int fd, err;

	if (lstat(path, &status) < 0)
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISDIR(status.st_mode))
		return unlink(path) < 0 ? -errno : 0;
	fd = ct_directory_open(path);
	err = fd < 0 ? fd : ct_directory_clear_part(fd, 0);
	if (fd >= 0)
		close(fd);
	return err == 0 && rmdir(path) < 0 ? -errno : err;
}

int ctrun_study_keep(const struct ctrun_study *study, const char *file)
{
	char partial[PATH_MAX], path[PATH_MAX];
	int err;

	ctrun_study_file(study, file, CT_STUDY_PARTIAL, partial);
	ctrun_study_file(study, file, "", path);
	err = remove_path(path);
	return err == 0 && rename(partial, path) < 0 ? -errno : err;
}

/* With or without the ending of partial ones. */
static bool is_named(const char *entry, const char *file)
{
	size_t bytes = strlen(file);

	return strncmp(entry, file, bytes) == 0 &&
	       (!entry[bytes] || strcmp(entry + bytes, CT_STUDY_PARTIAL) == 0);
}

static bool is_ours(const char *entry)
{
	bool is_ours = false;

	for (size_t i = 0; i < COUNT(traces); i++)
		is_ours |= is_named(entry, traces[i]);
	for (size_t i = 0; i < COUNT(files); i++)
		is_ours |= is_named(entry, files[i]);
	return is_ours;
}

/* The words as the study's file has them. NULL: memory is short. */
static char *command_text(char *const *program, size_t *bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);

	if (!out)
		return NULL;
	for (char *const *word = program; *word; word++) {
		for (const char *c = *word; *c; c++)
			if (*c == '\n')
				fputs("\\n", out);
			else if (*c == '\\')
				fputs("\\\\", out);
			else
				fputc(*c, out);
		fputc('\n', out);
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static int write_command(const struct ctrun_study *study, const char *text, size_t bytes)
{
	char partial[PATH_MAX];
	FILE *out;
	bool is_written;

	ctrun_study_file(study, CT_STUDY_COMMAND, CT_STUDY_PARTIAL, partial);
	out = fopen(partial, "we");
	if (!out)
		return -errno;
	is_written = fwrite(text, 1, bytes, out) == bytes;
	if (fclose(out) != 0 || !is_written)
		return -EIO;
	return ctrun_study_keep(study, CT_STUDY_COMMAND);
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* A word of the command that is a program, which was changed after that time; NULL: none was. */
static const char *changed_program(char *const *program, const struct timespec *since)
{
	struct stat status;

	for (char *const *word = program; *word; word++)
		if (stat(*word, &status) == 0 && S_ISREG(status.st_mode) &&
		    status.st_mode & S_IXUSR && is_later(&status.st_mtim, since))
			return *word;
	return NULL;
}

/* Is what the directory holds of this program? */
static int check_command(const struct ctrun_study *study, const char *name, char *const *program,
			 const char *text, size_t bytes, char *why, size_t why_bytes)
{
	char path[PATH_MAX], *kept = malloc(bytes + 1);
	const char *changed;
	struct stat status = {.st_size = 0};
	FILE *file;
	int err = 0;

	ctrun_study_file(study, CT_STUDY_COMMAND, "", path);
	file = fopen(path, "re");
	if (!kept || !file || fstat(fileno(file), &status) < 0) {
		err = kept ? -errno : -ENOMEM;
		snprintf(why, why_bytes, "%s: %s", path, strerror(-err));
	} else if ((size_t)status.st_size != bytes || fread(kept, 1, bytes, file) != bytes ||
		   memcmp(kept, text, bytes) != 0) {
		err = -EEXIST;
		snprintf(why, why_bytes,
			 "%s is the study of another command (%s has it); choose another directory "
			 "with -o, or begin anew with --redo",
			 name, path);
	} else if ((changed = changed_program(program, &status.st_mtim))) {
		err = -EEXIST;
		snprintf(why, why_bytes,
			 "%s was changed after the study in %s had begun; choose another directory "
			 "with -o to compare, or begin anew with --redo",
			 changed, name);
	}
	if (file)
		fclose(file);
	free(kept);
	return err;
}

static int remove_traces(const struct ctrun_study *study)
{
	char path[PATH_MAX];
	int err = 0;

	for (size_t i = 0; i < COUNT(traces) && err == 0; i++) {
		ctrun_study_file(study, traces[i], "", path);
		err = remove_path(path);
	}
	return err;
}

static int begin(const struct ctrun_study *study, const char *text, size_t bytes, char *why,
		 size_t why_bytes)
{
	int err = remove_traces(study);

	if (err == 0)
		err = write_command(study, text, bytes);
	if (err < 0)
		snprintf(why, why_bytes, "%s: %s", study->path, strerror(-err));
	return err;
}

int ctrun_study_open(struct ctrun_study *study, const char *name, char *const *program, bool redo,
		     char *why, size_t why_bytes)
{
	size_t bytes;
	char *text;
	int err = ctrun_output_name(study->path, name, why, why_bytes);

	if (err < 0)
		return err;
	err = ctrun_output_make(study->path);
	if (err < 0) {
		snprintf(why, why_bytes, "%s: %s; choose another directory with -o", name,
			 strerror(-err));
		return err;
	}
	err = ctrun_output_check(study->path, name, is_ours, why, why_bytes);
	if (err == 0)
		err = ctrun_output_lock(study->path, name, false, why, why_bytes);
	if (err < 0)
		return err;
	text = command_text(program, &bytes);
	if (!text)
		return -ENOMEM;
	if (redo || !ctrun_study_has(study, CT_STUDY_COMMAND))
		err = begin(study, text, bytes, why, why_bytes);
	else
		err = check_command(study, name, program, text, bytes, why, why_bytes);
	free(text);
	return err;
}
