/* SPDX-License-Identifier: Apache-2.0 */
/* Found by where this executable stands. */
#include "driver/ctrun/library.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* directory: below the one so many above this executable; "": that one itself. */
static int find(int above, const char *directory, const char *name, char path[PATH_MAX])
{
	char root[PATH_MAX];
	ssize_t bytes = readlink("/proc/self/exe", root, sizeof(root) - 1);

	if (bytes < 0)
		return -errno;
	root[bytes] = '\0';
	for (int up = 0; up < above; up++)
		if (strrchr(root, '/'))
			*strrchr(root, '/') = '\0';
	if (snprintf(path, PATH_MAX, "%s%s/%s", root, directory, name) >= PATH_MAX)
		return -ENAMETOOLONG;
	return access(path, R_OK) == 0 ? 0 : -errno;
}

int ctrun_library(const char *name, char path[PATH_MAX])
{
	return find(2, "/" CT_LIBDIR, name, path);
}

int ctrun_program(const char *name, char path[PATH_MAX])
{
	return find(1, "", name, path);
}

int ctrun_library_preload(const char *name, char *why, size_t why_bytes)
{
	const char *others = getenv("LD_PRELOAD");
	char path[PATH_MAX], *all = NULL;
	int err = ctrun_library(name, path);

	if (err == 0 &&
	    asprintf(&all, "%s%s%s", path, others && *others ? ":" : "", others ? others : "") < 0)
		err = -ENOMEM;
	if (err == 0 && setenv("LD_PRELOAD", all, 1) != 0)
		err = -errno;
	free(all);
	if (err < 0)
		snprintf(why, why_bytes, "%s: %s; is the installation complete?", name,
			 strerror(-err));
	return err;
}

char *ctrun_preload_save(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload ? strdup(preload) : NULL;
}

void ctrun_preload_restore(char *saved)
{
	if (saved)
		setenv("LD_PRELOAD", saved, 1);
	else
		unsetenv("LD_PRELOAD");
	free(saved);
}
