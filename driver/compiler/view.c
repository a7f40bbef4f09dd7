/* SPDX-License-Identifier: Apache-2.0 */
/* A toolkit in which our runtime stands for CUDA's. */
#include "driver/compiler/view.h"

#include <dirent.h>
#include <errno.h>
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
};

/* Files in it are replaced, which must not reach a toolkit through links: it is a folder that is
 * not there, or that has the file that says that we made it. */
static int begin(const struct view *view)
{
	char mark[PATH_MAX];
	FILE *file;

	if (snprintf(mark, sizeof(mark), "%s/.cuda-trace-toolkit", view->directory) >=
	    (int)sizeof(mark))
		return -ENAMETOOLONG;
	if (mkdir(view->directory, 0777) != 0)
		return errno != EEXIST ? -errno : access(mark, F_OK) == 0 ? 0 : -EEXIST;
	file = fopen(mark, "w");
	if (file)
		fprintf(file, "%s\n", view->is_cpu ? "cpu" : "gpu");
	return file && fclose(file) == 0 ? 0 : -errno;
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
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s/%s", view->directory, folder, name) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	unlink(path);
	return symlink(to, path) == 0 ? 0 : -errno;
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
		if (entry->d_name[0] == '.')
			continue;
		snprintf(to, sizeof(to), "%s/%s", from, entry->d_name);
		err = make_link(view, folder, entry->d_name, to);
	}
	closedir(files);
	return err;
}

static int write_file(const struct view *view, const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *file;

	if (snprintf(path, sizeof(path), "%s/lib64/%s", view->directory, name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	unlink(path); /* it may be a link into the toolkit */
	file = fopen(path, "w");
	if (!file)
		return -errno;
	fputs(text, file);
	return fclose(file) == 0 ? 0 : -errno;
}

static int write_libraries(const struct view *view)
{
	static const struct {
		const char *name;
		bool of_cpu_alone;
	} names[] = {{"libcudart.so", false},
		     {"libcudart_static.a", false},
		     {"libcudadevrt.a", true},
		     {"libcuda.so", true}};
	char text[PATH_MAX + 16];
	int err = 0;

	snprintf(text, sizeof(text), "INPUT(\"%s\")\n", view->library);
	for (size_t i = 0; i < COUNT(names) && err == 0; i++)
		if (view->is_cpu || !names[i].of_cpu_alone)
			err = write_file(view, names[i].name, text);
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
	return err ? err : write_libraries(view);
}

int ct_view_make(const struct ct_parts *parts, enum ct_target target, const char *directory,
		 char *why, size_t why_bytes)
{
	const struct view view = {.parts = parts,
				  .directory = directory,
				  .library = target == CT_TARGET_CPU ? parts->library_cpu
								     : parts->library_gpu,
				  .is_cpu = target == CT_TARGET_CPU};
	int err = ct_parts_need_cuda(parts, why, why_bytes);

	if (err == 0)
		err = ct_parts_need(view.library, why, why_bytes);
	if (err < 0)
		return err;
	err = make(&view);
	if (err == -EEXIST)
		snprintf(why, why_bytes, "%s is there already, and was not made by --ct-toolkit",
			 directory);
	else if (err < 0)
		snprintf(why, why_bytes, "cannot make a toolkit in %s: %s", directory,
			 strerror(-err));
	return err;
}
