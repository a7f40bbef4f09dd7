/* SPDX-License-Identifier: Apache-2.0 */
/* Device code by itself: --ptx, --cubin, --fatbin. */
#include "driver/nvcc/job.h"

#include <string.h>

static const char *extension_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : "";
}

static int make_ptx(struct ct_nvcc_job *job, const struct ct_nvcc_input *input, const char *arch,
		    const char *output)
{
	struct ct_args args = {0};

	ct_nvcc_clang(job, &args, true);
	ct_nvcc_add_source(job, &args, input, arch);
	ct_args_push(&args, "--cuda-device-only");
	ct_args_push(&args, "-S");
	ct_args_push(&args, "-o");
	ct_args_push(&args, output);
	return ct_nvcc_run(job, &args);
}

static int assemble(struct ct_nvcc_job *job, const char *ptx, const char *arch, const char *output)
{
	const struct ct_nvcc_request *request = job->request;
	struct ct_args args = {0};

	ct_args_push(&args, job->parts.ptxas); /* ptxas, but for clones that share what they call */
	ct_args_pushf(&args, "--ct-bin=%s/bin", job->parts.cuda);
	ct_args_push(&args, "-m64");
	ct_args_pushf(&args, "-arch=sm_%s", arch);
	if (request->rdc)
		ct_args_push(&args, "--compile-only");
	if (request->device_debug && !request->device_optimized)
		ct_args_push(&args, "-g");
	ct_args_push_words(&args, request->ptxas.words, request->ptxas.count);
	ct_args_push(&args, ptx);
	ct_args_push(&args, "-o");
	ct_args_push(&args, output);
	return ct_nvcc_run(job, &args);
}

static int make_cubin(struct ct_nvcc_job *job, const struct ct_nvcc_input *input, const char *arch,
		      const char *output)
{
	char ptx[PATH_MAX], extension[32];
	int status;

	if (input->kind == CT_NVCC_IS_DEVICE)
		return assemble(job, input->path, arch, output);
	snprintf(extension, sizeof(extension), ".sm_%s.ptx", arch);
	ct_nvcc_temporary(job, input, extension, ptx);
	status = make_ptx(job, input, arch, ptx);
	return status ? status : assemble(job, ptx, arch, output);
}

/* One architecture's part of a fatbin. */
static int add_image(struct ct_nvcc_job *job, struct ct_args *fatbinary,
		     const struct ct_nvcc_input *input, const struct ct_nvcc_arch *arch)
{
	char ptx[PATH_MAX], cubin[PATH_MAX], extension[32];
	int status = 0;

	if (strcmp(extension_of(input->path), "cubin") == 0) {
		ct_args_pushf(fatbinary, "--image3=kind=elf,sm=%s,file=%s", arch->name,
			      input->path);
		return 0;
	}
	snprintf(extension, sizeof(extension), ".sm_%s.ptx", arch->name);
	ct_nvcc_temporary(job, input, extension, ptx);
	if (input->kind == CT_NVCC_IS_DEVICE)
		snprintf(ptx, sizeof(ptx), "%s", input->path);
	else
		status = make_ptx(job, input, arch->name, ptx);
	if (status == 0 && arch->has_binary) {
		snprintf(extension, sizeof(extension), ".sm_%s.cubin", arch->name);
		ct_nvcc_temporary(job, input, extension, cubin);
		status = assemble(job, ptx, arch->name, cubin);
		ct_args_pushf(fatbinary, "--image3=kind=elf,sm=%s,file=%s", arch->name, cubin);
	}
	if (arch->has_ptx)
		ct_args_pushf(fatbinary, "--image3=kind=ptx,sm=%s,file=%s", arch->name, ptx);
	return status;
}

static int make_fatbin(struct ct_nvcc_job *job, const struct ct_nvcc_input *input,
		       const struct ct_nvcc_archs *archs, const char *output)
{
	struct ct_args args = {0};
	int status = 0;

	ct_nvcc_tool(job, &args, "fatbinary");
	ct_args_push(&args, "-64");
	ct_args_pushf(&args, "--create=%s", output);
	ct_args_push_words(&args, job->request->fatbinary.words, job->request->fatbinary.count);
	for (size_t i = 0; i < archs->count && status == 0; i++)
		if (archs->list[i].has_binary || archs->list[i].has_ptx)
			status = add_image(job, &args, input, &archs->list[i]);
	if (status == 0)
		return ct_nvcc_run(job, &args);
	ct_args_fini(&args);
	return status;
}

int ct_nvcc_images(struct ct_nvcc_job *job, const struct ct_nvcc_input *input)
{
	static const struct ct_nvcc_archs usual = {
	    .list = {{CT_NVCC_ARCH_DEFAULT, true, true, true}}, .count = 1};
	const struct ct_nvcc_request *request = job->request;
	const struct ct_nvcc_archs *archs = request->archs.count ? &request->archs : &usual;
	const char *arch = NULL;
	size_t made = 0;
	char output[PATH_MAX];

	for (size_t i = 0; i < archs->count; i++)
		if (archs->list[i].has_binary || archs->list[i].has_ptx) {
			arch = archs->list[i].name;
			made++;
		}
	ct_nvcc_output(job, input,
		       request->phase == CT_NVCC_MAKES_PTX     ? ".ptx"
		       : request->phase == CT_NVCC_MAKES_CUBIN ? ".cubin"
							       : ".fatbin",
		       output);
	if (request->phase == CT_NVCC_MAKES_FATBIN)
		return make_fatbin(job, input, archs, output);
	if (made > 1)
		return ct_nvcc_error(
		    request, "%s makes code for one architecture, and here are %zu",
		    request->phase == CT_NVCC_MAKES_PTX ? "--ptx" : "--cubin", made);
	if (request->phase == CT_NVCC_MAKES_PTX)
		return make_ptx(job, input, arch, output);
	return make_cubin(job, input, arch, output);
}
