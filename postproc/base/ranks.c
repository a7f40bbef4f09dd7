/* SPDX-License-Identifier: Apache-2.0 */
/* One rank when alone; under a launcher with several, what libcudatrace-mpi.so gives. */
#include "postproc/base/ranks.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PART "libcudatrace-mpi.so"

/* Both variables must be there: a batch system sets sizes for every command of
 * a job, ranks only for the processes that it starts as ranks. */
static const struct {
	const char *size, *rank;
} launcher[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"PMI_SIZE", "PMI_RANK"},
    {"SLURM_NTASKS", "PMIX_RANK"},
};

static bool read_number(const char *name, unsigned long *value)
{
	const char *text = getenv(name);
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	*value = strtoul(text, &end, 10);
	return *end == '\0';
}

unsigned long ct_ranks_launched(void)
{
	unsigned long size, rank;

	for (size_t i = 0; i < sizeof(launcher) / sizeof(launcher[0]); i++)
		if (read_number(launcher[i].rank, &rank) && read_number(launcher[i].size, &size) &&
		    rank < size)
			return size;
	return 1;
}

static int trade_alone(struct ct_ranks *ranks, const void *const *data, const size_t *bytes,
		       int (*take)(void *user, uint32_t from, const void *data, size_t bytes),
		       void *user)
{
	(void)ranks;
	return take(user, 0, data[0], bytes[0]);
}

static uint64_t greatest_alone(struct ct_ranks *ranks, uint64_t value)
{
	(void)ranks;
	return value;
}

static void close_alone(struct ct_ranks *ranks)
{
	(void)ranks;
}

struct ct_ranks *ct_ranks_alone(void)
{
	static struct ct_ranks alone = {
	    .size = 1, .trade = trade_alone, .greatest = greatest_alone, .close = close_alone};

	return &alone;
}

/* The part in PREFIX/CT_LIBDIR, PREFIX being a directory above this executable
 * (bin/ of an installation, or deeper in a build tree). 0 or -ENOENT. */
static int find_part(char *path)
{
	char root[PATH_MAX];
	ssize_t bytes = readlink("/proc/self/exe", root, sizeof(root) - 1);

	if (bytes < 0)
		return -ENOENT;
	root[bytes] = '\0';
	for (int up = 0; up < 4; up++) {
		char *slash = strrchr(root, '/');

		if (!slash)
			return -ENOENT;
		*slash = '\0';
		if (up > 0 &&
		    snprintf(path, PATH_MAX, "%s/%s/%s", root, CT_LIBDIR, PART) < PATH_MAX &&
		    access(path, R_OK) == 0)
			return 0;
	}
	return -ENOENT;
}

static int open_part(struct ct_ranks **out, unsigned long size, char *why, size_t why_bytes)
{
	char path[PATH_MAX];
	ct_ranks_mpi_open_function *open_mpi;
	void *part;

	if (find_part(path) < 0) {
		snprintf(why, why_bytes,
			 "started as one of %lu ranks, but " PART " is missing: install "
			 "libopenmpi-dev and build again, or run without mpirun",
			 size);
		return -ENOENT;
	}
	/* Global: components of Open MPI look for its symbols there. */
	part = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	if (!part) {
		snprintf(why, why_bytes, "cannot load MPI: %s", dlerror());
		return -ENOENT;
	}
	open_mpi = (ct_ranks_mpi_open_function *)dlsym(part, "ct_ranks_mpi_open");
	if (!open_mpi) {
		snprintf(why, why_bytes, "%s is of another version: no ct_ranks_mpi_open", path);
		dlclose(part);
		return -EINVAL;
	}
	/* Never unloaded: MPI's own threads and exit handlers stay. */
	return open_mpi(out, why, why_bytes);
}

int ct_ranks_open(struct ct_ranks **out, char *why, size_t why_bytes)
{
	unsigned long size = ct_ranks_launched();
	int err;

	*out = ct_ranks_alone();
	if (size <= 1)
		return 0;
	*out = NULL;
	err = open_part(out, size, why, why_bytes);
	if (err < 0)
		return err;
	if ((*out)->size != size) {
		snprintf(why, why_bytes,
			 "the launcher started %lu ranks, but MPI sees %u: use the mpirun of the "
			 "MPI that " PART " was built with",
			 size, (*out)->size);
		ct_ranks_close(*out);
		*out = NULL;
		return -EINVAL;
	}
	return 0;
}

void ct_ranks_close(struct ct_ranks *ranks)
{
	if (ranks)
		ranks->close(ranks);
}

int ct_ranks_agree(struct ct_ranks *ranks, int err)
{
	return -(int)ranks->greatest(ranks, err < 0 ? (uint64_t)-err : 0);
}
