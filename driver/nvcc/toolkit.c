/* SPDX-License-Identifier: Apache-2.0 */
/* What the toolkit in use is. */
#include "driver/nvcc/toolkit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* CUDA_VERSION of cuda.h, 0 if it does not say one. */
static unsigned header_version(const char *cuda)
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

/* "release 13.0, V13.0.88" of the toolkit's own compiler. */
static bool compiler_version(const char *cuda, struct ct_nvcc_version *version)
{
	struct ct_args words = {0};
	char line[256], *quoted;
	bool found = false;
	FILE *pipe = NULL;

	ct_args_pushf(&words, "%s/bin/nvcc", cuda);
	ct_args_push(&words, "--version");
	quoted = words.failed ? NULL : ct_args_quote(&words);
	if (quoted && access(words.words[0], X_OK) == 0)
		pipe = popen(quoted, "r");
	while (pipe && fgets(line, sizeof(line), pipe)) {
		const char *at = strstr(line, ", V");

		found |= at && sscanf(at, ", V%u.%u.%u", &version->major, &version->minor,
				      &version->build) == 3;
	}
	if (pipe)
		pclose(pipe);
	free(quoted);
	ct_args_fini(&words);
	return found;
}

struct ct_nvcc_version ct_nvcc_version_of(const struct ct_parts *parts)
{
	unsigned header = header_version(parts->cuda);
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
	snprintf(root, CT_NVCC_ROOT_MAX, "%s-%s", job->parts.toolkit,
		 ct_target_name(job->request->own.target));
	if (access(root, R_OK) != 0)
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
