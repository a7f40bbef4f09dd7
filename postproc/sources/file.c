/* SPDX-License-Identifier: Apache-2.0 */
/* Which files may be quoted. */
#include "postproc/sources/file.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_as_source(const char *path)
{
	static const char *const endings[] = {
	    "cu",  "cuh", "c",   "cc",  "cp",  "cpp", "cxx", "c++", "h",  "hh",  "hp", "hpp",
	    "hxx", "h++", "inc", "inl", "ipp", "tcc", "tpp", "txx", "cl", "ptx", "f",  "for",
	    "f77", "f90", "f95", "f03", "f08", "cuf", "py",  "jl",  "rs", "m",   "mm",
	};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof(endings) / sizeof(*endings); i++)
		if (strcasecmp(dot + 1, endings[i]) == 0)
			return true;
	/* Headers of the C++ library have no ending. */
	return !dot && strstr(path, "/include/") != NULL;
}

/* Resolved, so that "." and ".." are none of its parts. */
static bool is_hidden(const char *resolved)
{
	return strstr(resolved, "/.") != NULL;
}

FILE *ct_source_file_open(const char *path, enum ct_quoting quoting)
{
	char *resolved = quoting == CT_QUOTE_NOTHING ? NULL : realpath(path, NULL);
	struct stat status;
	FILE *file = NULL;
	int fd = -1;

	if (resolved &&
	    (quoting == CT_QUOTE_ALL || (ends_as_source(resolved) && !is_hidden(resolved))))
		fd = open(resolved, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		file = fdopen(fd, "r");
	if (fd >= 0 && !file)
		close(fd);
	free(resolved);
	return file;
}
