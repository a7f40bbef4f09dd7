/* SPDX-License-Identifier: Apache-2.0 */
/* A toolkit in which our runtime stands for CUDA's. */
#include "driver/compiler/view.h"
#include "base/hash.h"
#include "driver/base/cache.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct view {
	const struct ct_parts *parts;
	const char *directory;
	const char *library; /* our runtime */
	bool is_cpu;
	bool in_cache; /* nothing else makes a folder of this name */
};

/* The mark says that we made a folder, and, from when it is whole, of what: the target, our runtime
 * and the toolkit, a line each. */
static int write_mark(const struct view *view, bool whole)
{
	char mark[PATH_MAX], made[PATH_MAX + 16];
	FILE *file;

	if (snprintf(mark, sizeof(mark), "%s/.cuda-trace-toolkit", view->directory) >=
	    (int)sizeof(mark))
		return -ENAMETOOLONG;
	snprintf(made, sizeof(made), "%s.%ld", mark, (long)getpid());
	file = fopen(made, "w");
	if (!file)
		return -errno;
	fprintf(file, "%s\n", view->is_cpu ? "cpu" : "gpu");
	if (whole)
		fprintf(file, "%s\n%s\n", view->library, view->parts->cuda);
	return fclose(file) == 0 && rename(made, mark) == 0 ? 0 : -errno;
}

/* Files in it are replaced, which must not reach a toolkit through links: it is a folder that is
 * not there, or that has the file that says that we made it. */
static int begin(const struct view *view)
{
	char mark[PATH_MAX];

	if (snprintf(mark, sizeof(mark), "%s/.cuda-trace-toolkit", view->directory) >=
	    (int)sizeof(mark))
		return -ENAMETOOLONG;
	if (mkdir(view->directory, 0777) != 0)
		return errno != EEXIST                             ? -errno
		       : access(mark, F_OK) == 0 || view->in_cache ? 0
								   : -EEXIST;
	return write_mark(view, false);
}

bool ct_view_target(const char *libraries, enum ct_target *target)
{
	char path[PATH_MAX], name[8] = "";
	FILE *file = NULL;

	if (snprintf(path, sizeof(path), "%s/../.cuda-trace-toolkit", libraries) <
	    (int)sizeof(path))
		file = fopen(path, "r");
	if (file && fscanf(file, "%7s", name) == 1)
		*target = strcmp(name, "cpu") == 0 ? CT_TARGET_CPU : CT_TARGET_GPU;
	if (file)
		fclose(file);
	return *name;
}

/* A folder, never a link to one. */
static int make_folder(const struct view *view, const char *name)
{
	char path[PATH_MAX];
	struct stat status;

	if (snprintf(path, sizeof(path), "%s/%s", view->directory, name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	if (mkdir(path, 0777) == 0)
		return 0;
	if (errno == EEXIST && lstat(path, &status) == 0)
		return S_ISDIR(status.st_mode) ? 0 : -ENOTDIR;
	return -errno;
}

static int make_link(const struct view *view, const char *folder, const char *name, const char *to)
{
	char path[PATH_MAX], made[PATH_MAX + 16];

	if (snprintf(path, sizeof(path), "%s/%s/%s", view->directory, folder, name) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	/* Renamed into its place: who uses it while it is made again misses nothing. */
	snprintf(made, sizeof(made), "%s.%ld", path, (long)getpid());
	unlink(made);
	return symlink(to, made) == 0 && rename(made, path) == 0 ? 0 : -errno;
}

/* These stand in place of the toolkit's. */
static const struct {
	const char *name;
	bool of_cpu_alone;
} libraries[] = {{"libcudart.so", false},
		 {"libcudart_static.a", false},
		 {"libcudadevrt.a", true},
		 {"libcuda.so", true}};

static bool is_ours(const struct view *view, const char *folder, const char *name)
{
	if (strcmp(folder, "bin") == 0)
		return strcmp(name, "nvcc") == 0;
	for (size_t i = 0; i < COUNT(libraries); i++)
		if (strcmp(libraries[i].name, name) == 0)
			return view->is_cpu || !libraries[i].of_cpu_alone;
	return false;
}

/* Each file of a folder of the toolkit, as a link. */
static int link_folder(const struct view *view, const char *folder)
{
	char from[PATH_MAX + 64], to[PATH_MAX + 400];
	struct dirent *entry;
	DIR *files;
	int err = make_folder(view, folder);

	snprintf(from, sizeof(from), "%s/%s", view->parts->cuda, folder);
	files = opendir(from);
	if (!files)
		return err;
	while (err == 0 && (entry = readdir(files))) {
		if (entry->d_name[0] == '.' || is_ours(view, folder, entry->d_name))
			continue;
		snprintf(to, sizeof(to), "%s/%s", from, entry->d_name);
		err = make_link(view, folder, entry->d_name, to);
	}
	closedir(files);
	return err;
}

static int write_file(const struct view *view, const char *name, const char *text)
{
	char path[PATH_MAX], made[PATH_MAX + 16];
	FILE *file;

	if (snprintf(path, sizeof(path), "%s/lib64/%s", view->directory, name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	snprintf(made, sizeof(made), "%s.%ld", path, (long)getpid());
	file = fopen(made, "w");
	if (!file)
		return -errno;
	fputs(text, file);
	return fclose(file) == 0 && rename(made, path) == 0 ? 0 : -errno;
}

static int write_libraries(const struct view *view)
{
	char text[PATH_MAX + 16];
	int err = 0;

	snprintf(text, sizeof(text), "INPUT(\"%s\")\n", view->library);
	for (size_t i = 0; i < COUNT(libraries) && err == 0; i++)
		if (is_ours(view, "lib64", libraries[i].name))
			err = write_file(view, libraries[i].name, text);
	return err;
}

static int make(const struct view *view)
{
	static const char *const whole[] = {"include", "nvvm"};
	char to[PATH_MAX + 32];
	int err = begin(view);

	if (err < 0)
		return err;
	for (size_t i = 0; i < COUNT(whole); i++) {
		snprintf(to, sizeof(to), "%s/%s", view->parts->cuda, whole[i]);
		err = make_link(view, ".", whole[i], to);
		if (err < 0)
			return err;
	}
	err = link_folder(view, "bin");
	if (err == 0) {
		snprintf(to, sizeof(to), "%s/cuda-trace-nvcc", view->parts->bin);
		err = make_link(view, "bin", "nvcc", to);
	}
	if (err == 0)
		err = link_folder(view, "lib64");
	if (err == 0)
		err = make_link(view, ".", "lib", "lib64");
	if (err == 0)
		err = write_libraries(view);
	return err ? err : write_mark(view, true);
}

static int make_checked(const struct view *view, char *why, size_t why_bytes)
{
	int err = ct_parts_need_cuda(view->parts, why, why_bytes);

	if (err == 0)
		err = ct_parts_need(view->library, why, why_bytes);
	if (err < 0)
		return err;
	err = make(view);
	if (err == -EEXIST)
		snprintf(why, why_bytes, "%s is there already, and was not made by --ct-toolkit",
			 view->directory);
	else if (err < 0)
		snprintf(why, why_bytes, "cannot make a toolkit in %s: %s", view->directory,
			 strerror(-err));
	return err;
}

static const char *library_of(const struct ct_parts *parts, enum ct_target target)
{
	return target == CT_TARGET_CPU ? parts->library_cpu : parts->library_gpu;
}

int ct_view_make(const struct ct_parts *parts, enum ct_target target, const char *directory,
		 char *why, size_t why_bytes)
{
	const struct view view = {.parts = parts,
				  .directory = directory,
				  .library = library_of(parts, target),
				  .is_cpu = target == CT_TARGET_CPU};

	return make_checked(&view, why, why_bytes);
}

static bool is_same_file(const char *a, const char *b)
{
	char whole_a[PATH_MAX], whole_b[PATH_MAX];

	return realpath(a, whole_a) && realpath(b, whole_b) && strcmp(whole_a, whole_b) == 0;
}

static bool read_line(FILE *file, char *line)
{
	if (!fgets(line, PATH_MAX, file))
		return false;
	line[strcspn(line, "\n")] = '\0';
	return true;
}

/* Whole, and of these parts: an installation may have been moved since, or CUDA_HOME name another
 * toolkit. Names are compared as they are written in it, not where they lead to. */
static bool is_current(const struct ct_parts *parts, const char *library, const char *directory)
{
	char mark[PATH_MAX], line[PATH_MAX];
	bool current;
	FILE *file;

	if (snprintf(mark, sizeof(mark), "%s/.cuda-trace-toolkit", directory) >= (int)sizeof(mark))
		return false;
	file = fopen(mark, "r");
	if (!file)
		return false;
	current = read_line(file, line) && read_line(file, line) && strcmp(line, library) == 0 &&
		  read_line(file, line) && is_same_file(line, parts->cuda);
	fclose(file);
	return current;
}

/* One per installation, toolkit and target, in the user's cache. */
static bool name_cached(const struct ct_parts *parts, const char *library, char *directory)
{
	uint64_t hash = ct_hash_join_string(ct_hash_join_string(0, library), parts->cuda);
	char name[32];

	snprintf(name, sizeof(name), "toolkit-%016" PRIx64, hash);
	return ct_cache_path(directory, name) == 0;
}

int ct_view_find(const struct ct_parts *parts, enum ct_target target, char *directory, char *why,
		 size_t why_bytes)
{
	const struct view view = {.parts = parts,
				  .directory = directory,
				  .library = library_of(parts, target),
				  .is_cpu = target == CT_TARGET_CPU,
				  .in_cache = true};

	if (snprintf(directory, PATH_MAX, "%s-%s", parts->toolkit, ct_target_name(target)) <
		PATH_MAX &&
	    is_current(parts, view.library, directory))
		return 0;
	if (!name_cached(parts, view.library, directory)) {
		snprintf(why, why_bytes, "neither XDG_CACHE_HOME nor HOME names a folder");
		return -ENOENT;
	}
	if (is_current(parts, view.library, directory))
		return 0;
	ct_cache_make_folders(directory);
	return make_checked(&view, why, why_bytes);
}
