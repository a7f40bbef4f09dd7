/* SPDX-License-Identifier: Apache-2.0 */
/* The file that a module's code is in, and its debug information. */
#include "postproc/symbols/module.h"
#include "base/clock.h"
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ID_BYTES_MAX 64u

/* Digits as they are paired. Returns how many bytes; 0: they are none. */
static size_t read_id(const char *digits, unsigned char id[ID_BYTES_MAX])
{
	size_t length = strlen(digits);

	if (length % 2 || length / 2 > ID_BYTES_MAX)
		return 0;
	for (size_t i = 0; i < length / 2; i++)
		if (sscanf(digits + 2 * i, "%2hhx", &id[i]) != 1)
			return 0;
	return length / 2;
}

/* A file that can be looked into; -1 else. A fifo would be waited for. */
static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat info;

	if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool has_id(int fd, const unsigned char *id, size_t bytes)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const void *found;
	bool is_same = elf && dwelf_elf_gnu_build_id(elf, &found) == (ssize_t)bytes &&
		       memcmp(found, id, bytes) == 0;

	elf_end(elf);
	return is_same;
}

/* Without a build id nothing else says that it is what was loaded then. Another file that is moved
 * there may be older, but not what the system knows of it. */
static bool is_changed(int fd, uint64_t seen_ns)
{
	struct stat info;

	return seen_ns && (fstat(fd, &info) != 0 || ct_clock_of(&info.st_mtim) > seen_ns ||
			   ct_clock_of(&info.st_ctim) > seen_ns);
}

/* Addresses in it are those of the file. Takes fd. */
static bool report_file(struct ct_code_module *module, const char *path, int fd)
{
	dwfl_report_begin(module->session);
	module->module = dwfl_report_elf(module->session, path, path, fd, 0, true);
	if (!module->module)
		close(fd);
	return dwfl_report_end(module->session, NULL, NULL) == 0 && module->module;
}

/* id: of `bytes` bytes; 0: none is known. */
static bool try_path(struct ct_code_module *module, const struct ct_code_file *file,
		     const unsigned char *id, size_t bytes)
{
	const char *path = file->path;
	int fd = open_file(path);

	if (fd < 0)
		return false;
	module->is_missing = false;
	if (bytes ? !has_id(fd, id, bytes) : is_changed(fd, file->seen_ns)) {
		module->is_other = true;
		close(fd);
		return false;
	}
	return report_file(module, path, fd);
}

/* Tries the file that bears the build id in place of the file: itself, from elfutils' places. */
static bool try_id(struct ct_code_module *module, const char *name, const unsigned char *id,
		   size_t bytes)
{
	GElf_Addr bias;

	dwfl_report_begin(module->session);
	module->module = dwfl_report_module(module->session, *name ? name : "?", 0, 1u << 30);
	if (module->module && dwfl_module_report_build_id(module->module, id, bytes, 0) != 0)
		module->module = NULL;
	if (dwfl_report_end(module->session, NULL, NULL) != 0 || !module->module ||
	    !dwfl_module_getelf(module->module, &bias))
		module->module = NULL;
	return module->module;
}

/* Its separate debug file, which has its symbols and lines. */
static bool try_debug_file(struct ct_code_module *module, const char *digits,
			   const unsigned char *id, size_t bytes)
{
	char *directories = strdup(module->debug_path), *rest = directories, *directory;
	bool is_found = false;

	while (directories && !is_found && (directory = strsep(&rest, ":"))) {
		char *path = NULL;
		int fd;

		if (*directory == '+' || *directory == '-')
			directory++;
		if (*directory != '/' || asprintf(&path, "%s/.build-id/%.2s/%s.debug", directory,
						  digits, digits + 2) < 0)
			continue;
		fd = open_file(path);
		if (fd >= 0 && has_id(fd, id, bytes))
			is_found = report_file(module, path, fd);
		else if (fd >= 0)
			close(fd);
		free(path);
	}
	free(directories);
	return is_found;
}

int ct_module_open(struct ct_code_module *module, const struct ct_code_file *file,
		   const char *debug_path)
{
	unsigned char id[ID_BYTES_MAX];
	size_t bytes = read_id(file->build_id, id);

	*module = (struct ct_code_module){.is_missing = true};
	module->debug_path = strdup(debug_path);
	module->callbacks = (Dwfl_Callbacks){
	    .find_elf = dwfl_build_id_find_elf,
	    .find_debuginfo = dwfl_standard_find_debuginfo,
	    .section_address = dwfl_offline_section_address,
	    .debuginfo_path = &module->debug_path,
	};
	elf_version(EV_CURRENT);
	if (module->debug_path)
		module->session = dwfl_begin(&module->callbacks);
	if (!module->session) {
		ct_module_close(module);
		return -ENOMEM;
	}
	if ((*file->path && try_path(module, file, id, bytes)) ||
	    (bytes && try_id(module, file->path, id, bytes)) ||
	    (bytes && try_debug_file(module, file->build_id, id, bytes))) {
		if (!dwfl_module_getelf(module->module, &module->bias))
			module->module = NULL;
	}
	if (module->module)
		module->dwarf = dwfl_module_getdwarf(module->module, &module->dwarf_bias);
	return 0;
}

void ct_module_close(struct ct_code_module *module)
{
	dwfl_end(module->session);
	free(module->debug_path);
	*module = (struct ct_code_module){0};
}
