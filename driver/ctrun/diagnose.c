/* SPDX-License-Identifier: Apache-2.0 */
/* Why a run has left no trace: rights, a directory that is gone, a full disk, no runtime of ours.
 */
#include "driver/ctrun/diagnose.h"

#include "driver/base/gpus.h"
#include "driver/base/process.h"
#include "trace/names/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static bool has_other_rights(const char *path, const struct stat *status)
{
	return status->st_mode & (S_ISUID | S_ISGID) ||
	       getxattr(path, "security.capability", NULL, 0) > 0;
}

/* A program's file has one of these: our runtime, or the library that is it; CUDA's own runtime. */
static const char *const ours[] = {"CUDATRACE_OUTPUT", "libcudatrace-", NULL};
static const char *const of_gpus[] = {"libcuda.so.1", "libcudart.so.1", "libcudatrace-gpu", NULL};

static bool has_one(const char *path, const struct stat *status, const char *const *marks)
{
	size_t bytes = (size_t)status->st_size;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *image =
	    fd < 0 || !bytes ? MAP_FAILED : mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	bool has = false;

	for (size_t i = 0; image != MAP_FAILED && marks[i]; i++)
		has |= memmem(image, bytes, marks[i], strlen(marks[i])) != NULL;
	if (image != MAP_FAILED)
		munmap(image, bytes);
	if (fd >= 0)
		close(fd);
	return has;
}

/* Tries to write there; 0 or an error number. */
static int try_directory(const char *path)
{
	const struct ct_file_name file = {.kind = CT_FILE_DRAFT, .part = CT_PART_STRIDE - 1};
	char name[CT_FILE_NAME_BYTES], draft[PATH_MAX + CT_FILE_NAME_BYTES];
	int fd, err = 0;

	ct_file_name_format(&file, name);
	snprintf(draft, sizeof(draft), "%s/%s", path, name);
	fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	if (write(fd, draft, 1) != 1 || fsync(fd) < 0)
		err = errno ? errno : EIO;
	close(fd);
	unlink(draft);
	return err;
}

bool ctrun_has_runtime(const char *program)
{
	char path[PATH_MAX];
	struct stat status;

	return ct_process_find(program, path) == 0 && stat(path, &status) == 0 &&
	       S_ISREG(status.st_mode) && has_one(path, &status, ours);
}

void ctrun_diagnose(const struct ctrun_output *output, const char *program, char *why,
		    size_t why_bytes)
{
	const char *place = *output->path ? output->path : ".";
	char path[PATH_MAX];
	struct stat status;
	int err;

	if (ct_process_find(program, path) < 0 || stat(path, &status) < 0)
		memset(&status, 0, sizeof(status));
	if (S_ISREG(status.st_mode) && has_other_rights(path, &status)) {
		snprintf(why, why_bytes,
			 "%s runs with the rights of others (set-user-ID, set-group-ID or "
			 "capabilities): such programs are not traced",
			 program);
		return;
	}
	if (access(place, F_OK) < 0) {
		snprintf(why, why_bytes, "%s was removed while %s ran", place, program);
		return;
	}
	err = try_directory(place);
	if (err)
		snprintf(why, why_bytes, "%s cannot be written: %s", place, strerror(err));
	else if (S_ISREG(status.st_mode) && has_one(path, &status, ours) &&
		 has_one(path, &status, of_gpus) && !ct_gpus_driver_version())
		snprintf(why, why_bytes,
			 "%s was built for the GPU, and there is no driver here: rebuild with "
			 "--ct-target=cpu to run its kernels on CPU threads",
			 program);
	else if (S_ISREG(status.st_mode) && has_one(path, &status, ours))
		snprintf(why, why_bytes,
			 "%s made no call of CUDA that is recorded, or changed its root directory "
			 "or its rights or could not write its trace for another reason, which "
			 "cuda-trace says above",
			 program);
	else
		snprintf(why, why_bytes,
			 "%s was not built with cuda-trace-clang, or launched no kernel, or "
			 "cuda-trace says "
			 "above why it is not traced (--inject: "
			 "calls and kernels of any CUDA program); what it started on another host "
			 "or in another root directory has its trace there",
			 program);
}
