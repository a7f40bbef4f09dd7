/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --device-link: an object that registers the linked device code of others, whose host code any
 * linker then links:
 *
 *   x.o, libx.a -- objcopy: device code alone --> 0-x.o, 1-libx.a --+
 *                                                                   +- clang -r --offload-link -->
 * out
 *
 * clang gives the table of kernels and its bounds a name of their own, since it expects the host
 * code in the same link; they get back the name under which objects have their entries. Its empty
 * part of the table stays: it gives the bounds a value in a program without kernels.
 *
 * On the CPU target the host's linker links device code too: nothing is left to do.
 */
#include "driver/nvcc/job.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BOUND "llvm_offload_entries"

static int copy_device_code(const struct ct_nvcc_job *job, const char *from, const char *to)
{
	struct ct_args args = {0};

	ct_args_push(&args, "objcopy");
	ct_args_push(&args, "--only-section=.llvm.offloading");
	ct_args_push(&args, "--only-section=.note.GNU-stack");
	ct_args_push(&args, from);
	ct_args_push(&args, to);
	return ct_nvcc_run(job, &args);
}

/* Finds the suffix that clang put behind the name of the table, from the object's names; "" if
 * there is none. */
static void find_suffix(const char *path, char *suffix, size_t suffix_bytes)
{
	static const char name[] = "__start_" BOUND "_";
	FILE *file = fopen(path, "rb");
	struct stat status;
	char *text = NULL;
	const char *at = NULL;
	size_t bytes;

	*suffix = '\0';
	if (file && fstat(fileno(file), &status) == 0)
		text = malloc((size_t)status.st_size + 1);
	bytes = text ? fread(text, 1, (size_t)status.st_size, file) : 0;
	if (text) {
		text[bytes] = '\0';
		at = memmem(text, bytes, name, sizeof(name) - 1);
	}
	if (at)
		for (at += sizeof(name) - 1; isxdigit((unsigned char)*at) && suffix_bytes > 1;
		     at++) {
			*suffix++ = *at;
			suffix_bytes--;
		}
	*suffix = '\0';
	free(text);
	if (file)
		fclose(file);
}

static int rename_bounds(const struct ct_nvcc_job *job, const char *output)
{
	struct ct_args args = {0};
	char suffix[64];

	if (job->request->dry_run)
		return 0;
	find_suffix(output, suffix, sizeof(suffix));
	if (!*suffix)
		return 0;
	ct_args_push(&args, "objcopy");
	ct_args_pushf(&args, "--rename-section=" BOUND "_%s=" BOUND, suffix);
	ct_args_pushf(&args, "--redefine-sym=__start_" BOUND "_%s=__start_" BOUND, suffix);
	ct_args_pushf(&args, "--redefine-sym=__stop_" BOUND "_%s=__stop_" BOUND, suffix);
	ct_args_push(&args, output);
	return ct_nvcc_run(job, &args);
}

static bool is_archive(const char *path)
{
	size_t bytes = strlen(path);

	return bytes > 2 && strcmp(path + bytes - 2, ".a") == 0;
}

/* Adds all that libraries have: which of it the host's linker takes is not known yet. */
static int add_device_code(struct ct_nvcc_job *job, struct ct_args *args,
			   const struct ct_args *objects)
{
	const struct ct_nvcc_request *request = job->request;
	size_t next = 0;
	int status = 0;

	for (size_t i = 0; i < request->count && status == 0; i++) {
		const struct ct_nvcc_input *input = &request->inputs[i];
		const char *from = input->path;
		char to[PATH_MAX];

		if (input->kind == CT_NVCC_IS_DEVICE || strstr(from, ".so"))
			continue;
		if (input->kind <= CT_NVCC_IS_C)
			from = objects->words[next++];
		ct_nvcc_temporary(job, input, is_archive(from) ? ".device.a" : ".device.o", to);
		status = copy_device_code(job, from, to);
		if (is_archive(from))
			ct_args_push(args, "-Wl,--whole-archive");
		ct_args_push(args, to);
		if (is_archive(from))
			ct_args_push(args, "-Wl,--no-whole-archive");
	}
	return status;
}

static int link_nothing(struct ct_nvcc_job *job, const char *output)
{
	struct ct_args args = {0};

	ct_nvcc_clang(job, &args, true);
	ct_args_push(&args, "-x");
	ct_args_push(&args, "c");
	ct_args_push(&args, "-c");
	ct_args_push(&args, "/dev/null");
	ct_args_push(&args, "-o");
	ct_args_push(&args, output);
	return ct_nvcc_run(job, &args);
}

int ct_nvcc_link_device(struct ct_nvcc_job *job, const struct ct_args *objects, const char *output)
{
	struct ct_args args = {0};
	int status;

	if (job->request->own.target == CT_TARGET_CPU)
		return link_nothing(job, output);
	ct_nvcc_clang(job, &args, true);
	ct_args_push(&args, "-r");
	ct_args_push(&args, "-nostdlib");
	ct_args_push(&args, "--offload-link");
	ct_args_pushf(&args, "--cuda-path=%s", job->parts.cuda);
	ct_args_push(&args, "-Xoffload-linker");
	ct_args_pushf(&args, "-L%s/lib64", job->parts.cuda);
	ct_args_push(&args, "-Xoffload-linker");
	ct_args_push(&args, "-lcudadevrt");
	status = add_device_code(job, &args, objects);
	ct_args_push(&args, "-o");
	ct_args_push(&args, output);
	if (status) {
		ct_args_fini(&args);
		return status;
	}
	status = ct_nvcc_run(job, &args);
	return status ? status : rename_bounds(job, output);
}
