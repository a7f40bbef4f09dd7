/* SPDX-License-Identifier: Apache-2.0 */
/* Find our parts relative to this executable, and the tools of others. */
#include "driver/compiler/parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static bool has_cuda(const char *root)
{
	char path[PATH_MAX];

	return root && *root &&
	       snprintf(path, sizeof(path), "%s/include/cuda_runtime.h", root) < PATH_MAX &&
	       access(path, R_OK) == 0;
}

/* The directory above bin/ of this executable. */
static int find_root(char *root)
{
	ssize_t bytes = readlink("/proc/self/exe", root, PATH_MAX - 1);

	if (bytes < 0)
		return -errno;
	root[bytes] = '\0';
	for (int up = 0; up < 2; up++) {
		char *slash = strrchr(root, '/');

		if (!slash)
			return -ENOENT;
		*slash = '\0';
	}
	return 0;
}

static int join(char *out, const char *root, const char *directory, const char *name)
{
	int bytes = snprintf(out, PATH_MAX, "%s/%s/%s", root, directory, name);

	return bytes < PATH_MAX ? 0 : -ENAMETOOLONG;
}

static int find_own_parts(struct ct_parts *parts)
{
	const struct {
		char *out;
		const char *directory, *name;
	} table[] = {
	    {parts->clang_plugin, CT_LIBDIR, "ct-clang-plugin.so"},
	    {parts->llvm_pass, CT_LIBDIR, "ct-llvm-pass.so"},
	    {parts->retarget, CT_LIBDIR, "ct-retarget"},
	    {parts->device_rt, CT_LIBDIR, "device-rt.bc"},
	    {parts->ptxas, CT_LIBDIR, "ct-ptxas"},
	    {parts->cpu_device_rt, CT_LIBDIR, "cpu-device-rt.bc"},
	    {parts->runtime_gpu, CT_LIBDIR, "libcudatrace-gpu.a"},
	    {parts->runtime_cpu, CT_LIBDIR, "libcudatrace-cpu.a"},
	    {parts->library_gpu, CT_LIBDIR, "libcudatrace-gpu.so"},
	    {parts->library_cpu, CT_LIBDIR, "libcudatrace-cpu.so"},
	    {parts->cudart, CT_LIBDIR, "libcudatrace-cudart.a"},
	    {parts->real_names, CT_LIBDIR, "calls-real.txt"},
	    {parts->toolkit, CT_LIBDIR, "toolkit"},
	    {parts->nvcc_headers, CT_LIBDIR, "nvcc"},
	    {parts->host_header, CT_INCLUDEDIR, "cudatrace/host.h"},
	};
	char root[PATH_MAX];
	int err = find_root(root);

	snprintf(parts->bin, sizeof(parts->bin), "%.*s/" CT_BINDIR,
		 (int)(sizeof(parts->bin) - sizeof("/" CT_BINDIR)), root);
	for (size_t i = 0; err == 0 && i < sizeof(table) / sizeof(table[0]); i++)
		err = join(table[i].out, root, table[i].directory, table[i].name);
	return err;
}

static void find_clang(struct ct_parts *parts, bool cxx)
{
	const char *named = environment("CUDATRACE_CLANG");
	const char *built_with = cxx ? CT_CLANGXX : CT_CLANG;
	const char *name = strrchr(built_with, '/');

	parts->clang_needs_cxx_mode = named && cxx;
	if (!named)
		/* Where it was at build time, else by name in PATH. */
		named = access(built_with, X_OK) == 0 || !name ? built_with : name + 1;
	snprintf(parts->clang, sizeof(parts->clang), "%s", named);
}

/* Looks through a toolkit with our runtime in it (view.h) to the one that it shows: the last line
 * of its mark. */
static void look_through(char *cuda)
{
	char mark[PATH_MAX + 32], line[PATH_MAX] = "";
	FILE *file;

	snprintf(mark, sizeof(mark), "%s/.cuda-trace-toolkit", cuda);
	file = fopen(mark, "r");
	for (int i = 0; file && i < 3; i++)
		if (!fgets(line, sizeof(line), file))
			*line = '\0';
	if (file)
		fclose(file);
	line[strcspn(line, "\n")] = '\0';
	if (has_cuda(line))
		snprintf(cuda, PATH_MAX, "%s", line);
}

/* CUDA_HOME is an order: of one that names no toolkit it is said so. */
static void find_cuda(struct ct_parts *parts, const char *cuda_path)
{
	const char *candidates[] = {environment("CUDA_PATH"), CT_CUDA_PATH, "/usr/local/cuda"};

	if (!cuda_path)
		cuda_path = environment("CUDA_HOME");
	for (size_t i = 0; !cuda_path && i < sizeof(candidates) / sizeof(candidates[0]); i++)
		if (has_cuda(candidates[i]))
			cuda_path = candidates[i];
	snprintf(parts->cuda, sizeof(parts->cuda), "%s", cuda_path ? cuda_path : "");
	look_through(parts->cuda);
}

int ct_parts_find(struct ct_parts *parts, bool cxx, const char *cuda_path, char *why,
		  size_t why_bytes)
{
	int err = find_own_parts(parts);

	if (err < 0) {
		snprintf(why, why_bytes, "cannot locate this program's installation: %s",
			 strerror(-err));
		return err;
	}
	find_clang(parts, cxx);
	find_cuda(parts, cuda_path);
	return 0;
}

int ct_parts_need(const char *path, char *why, size_t why_bytes)
{
	if (access(path, R_OK) == 0)
		return 0;
	snprintf(why, why_bytes, "%s is missing: build or install cuda-trace again", path);
	return -ENOENT;
}

unsigned ct_parts_cuda_version(const char *cuda)
{
	char path[PATH_MAX + 32], line[256];
	unsigned version = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/include/cuda.h", cuda);
	file = fopen(path, "r");
	while (file && !version && fgets(line, sizeof(line), file))
		sscanf(line, "#define CUDA_VERSION %u", &version);
	if (file)
		fclose(file);
	return version;
}

int ct_parts_need_cuda(const struct ct_parts *parts, char *why, size_t why_bytes)
{
	unsigned version;

	if (!has_cuda(parts->cuda)) {
		snprintf(why, why_bytes,
			 "no CUDA toolkit%s%s (include/cuda_runtime.h is missing): set CUDA_HOME, "
			 "give --cuda-path=DIR, or run setup.sh deps",
			 *parts->cuda ? " in " : "", parts->cuda);
		return -ENOENT;
	}
	version = ct_parts_cuda_version(parts->cuda);
	if (!version || version >= CT_CUDA_OLDEST)
		return 0;
	snprintf(why, why_bytes,
		 "the CUDA toolkit in %s is %u.%u, older than %u.%u: set CUDA_HOME to a newer one",
		 parts->cuda, version / 1000, version % 1000 / 10, CT_CUDA_OLDEST / 1000,
		 CT_CUDA_OLDEST % 1000 / 10);
	return -ENOENT;
}
