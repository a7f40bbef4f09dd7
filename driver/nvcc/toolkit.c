/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the toolkit in use. */
#include "driver/nvcc/toolkit.h"
#include "driver/base/process.h"
#include "driver/compiler/view.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns what nvcc of a toolkit says about itself, or NULL. That may be a link to this program
 * or a script that runs it, which must not ask again. */
static char *ask(const char *cuda)
{
	static const char asks[] = "CUDATRACE_NVCC_ASKS";
	struct ct_args words = {0};
	char *text = NULL;

	ct_args_pushf(&words, "%s/bin/nvcc", cuda);
	ct_args_push(&words, "--version");
	if (!words.failed && !getenv(asks) && access(words.words[0], X_OK) == 0 &&
	    setenv(asks, "1", 1) == 0) {
		text = ct_process_read(&words);
		unsetenv(asks);
	}
	ct_args_fini(&words);
	return text;
}

/* "release 13.0, V13.0.88" */
static bool compiler_version(const char *cuda, struct ct_nvcc_version *version)
{
	char *text = ask(cuda);
	const char *at = text ? strstr(text, ", V") : NULL;
	bool found =
	    at && sscanf(at, ", V%u.%u.%u", &version->major, &version->minor, &version->build) == 3;

	free(text);
	return found;
}

struct ct_nvcc_version ct_nvcc_version_of(const struct ct_parts *parts)
{
	unsigned header = ct_parts_cuda_version(parts->cuda);
	struct ct_nvcc_version version = {header / 1000, header % 1000 / 10, 0};
	struct ct_nvcc_version asked;

	return compiler_version(parts->cuda, &asked) ? asked : version;
}

void ct_nvcc_print_version(const struct ct_parts *parts)
{
	struct ct_nvcc_version version = ct_nvcc_version_of(parts);

	printf("nvcc: NVIDIA (R) Cuda compiler driver (stood in for by cuda-trace-nvcc " CT_VERSION
	       ")\n"
	       "Cuda compilation tools, release %u.%u, V%u.%u.%u\n"
	       "cuda-trace-nvcc " CT_VERSION ": compiles with %s for the toolkit in %s\n",
	       version.major, version.minor, version.major, version.minor, version.build,
	       parts->clang, parts->cuda);
}

void ct_nvcc_toolkit(const struct ct_nvcc_job *job, char *root)
{
	char why[2 * PATH_MAX];

	if (ct_view_find(&job->parts, job->request->own.target, root, why, sizeof(why)) == 0)
		return;
	ct_nvcc_warn(job->request,
		     "no toolkit with our runtime in it (%s): programs that others "
		     "link are not traced",
		     why);
	snprintf(root, CT_NVCC_ROOT_MAX, "%s", job->parts.cuda);
}

void ct_nvcc_print_settings(const struct ct_nvcc_job *job)
{
	const char *path = getenv("PATH");
	char cuda[CT_NVCC_ROOT_MAX];

	/* CMake looks for LIBRARIES, as it is written here, in the line that links, and for the
	 * architecture that is compiled for. */
	ct_nvcc_toolkit(job, cuda);
	fprintf(
	    stderr,
	    "#$ _SPACE_= \n#$ _CUDART_=cudart\n#$ _HERE_=%s\n#$ _THERE_=%s\n#$ TOP=%s\n"
	    "#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ PATH=%s\n"
	    "#$ INCLUDES=\"-I%s/include\"  \n"
	    "#$ SYSTEM_INCLUDES=\"-isystem\" \"%s/include/cccl\"  \n"
	    "#$ LIBRARIES=  -L%s/lib64/stubs -L%s/lib64\n"
	    "#$ CUDAFE_FLAGS=\n#$ PTXAS_FLAGS=\n#$ CICC_FLAGS=-arch compute_%s\n",
	    job->parts.bin, job->parts.bin, cuda, cuda, path ? path : "", cuda, cuda, cuda, cuda,
	    job->request->archs.count ? job->request->archs.list[0].name : CT_NVCC_ARCH_DEFAULT);
}
