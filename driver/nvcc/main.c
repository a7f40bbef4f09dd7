/* SPDX-License-Identifier: Apache-2.0 */
/* cuda-trace-nvcc: nvcc's command line, compiled by cuda-trace-clang. */
#include "driver/base/process.h"
#include "driver/nvcc/job.h"
#include "driver/nvcc/toolkit.h"

#include <string.h>
#include <unistd.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The output of a link without -o. */
static const char *link_output(const struct ct_nvcc_request *request)
{
	if (request->output)
		return request->output;
	if (request->phase == CT_NVCC_ARCHIVES)
		return "a.a";
	return request->phase == CT_NVCC_LINKS_DEVICE ? "a_dlink.o" : "a.out";
}

/* All sources to objects, whose paths are put into objects. */
static int compile_all(struct ct_nvcc_job *job, struct ct_args *objects)
{
	const struct ct_nvcc_request *request = job->request;
	int status = 0;

	for (size_t i = 0; i < request->count && status == 0; i++) {
		char object[PATH_MAX];

		if (request->inputs[i].kind > CT_NVCC_IS_C)
			continue;
		ct_nvcc_temporary(job, &request->inputs[i], ".o", object);
		ct_args_push(objects, object);
		status = ct_nvcc_compile(job, &request->inputs[i], object);
	}
	return status;
}

static int execute(struct ct_nvcc_job *job, const char *program)
{
	const struct ct_nvcc_request *request = job->request;
	struct ct_args args = {0};

	ct_args_pushf(&args, "%s%s", strchr(program, '/') ? "" : "./", program);
	ct_args_push_words(&args, request->run.words, request->run.count);
	return ct_nvcc_run(job, &args);
}

/* Objects, and what is made of all of them. */
static int compile_and_join(struct ct_nvcc_job *job)
{
	const struct ct_nvcc_request *request = job->request;
	const char *output = link_output(request);
	struct ct_args objects = {0};
	int status;

	if (request->phase == CT_NVCC_RUNS && !request->sources && request->count == 1 &&
	    strcmp(request->inputs[0].path + strlen(request->inputs[0].path) - 2, ".o") != 0)
		return execute(job, request->inputs[0].path);
	status = compile_all(job, &objects);
	if (status == 0 && request->phase == CT_NVCC_ARCHIVES)
		status = ct_nvcc_archive(job, &objects, output);
	else if (status == 0 && request->phase == CT_NVCC_LINKS_DEVICE)
		status = ct_nvcc_link_device(job, &objects, output);
	else if (status == 0)
		status = ct_nvcc_link(job, &objects, output);
	if (status == 0 && request->phase == CT_NVCC_RUNS)
		status = execute(job, output);
	ct_args_fini(&objects);
	return status;
}

/* To an object beside what is kept, and from there to its place. */
static int compile_and_keep(struct ct_nvcc_job *job, const struct ct_nvcc_input *input,
			    const char *output)
{
	char kept[PATH_MAX];
	struct ct_args args = {0};
	int status;

	ct_nvcc_temporary(job, input, ".o", kept);
	status = ct_nvcc_compile(job, input, kept);
	if (status)
		return status;
	ct_args_push(&args, "cp");
	ct_args_push(&args, kept);
	ct_args_push(&args, output);
	return ct_nvcc_run(job, &args);
}

/* Each input by itself. As nvcc does, stop at the first that fails. */
static int compile_each(struct ct_nvcc_job *job)
{
	const struct ct_nvcc_request *request = job->request;
	int status = 0;

	if (request->output && request->sources > 1)
		return ct_nvcc_error(request,
				     "A single input file is required for a non-link phase "
				     "when an outputfile is specified");
	for (size_t i = 0; i < request->count && status == 0; i++) {
		const struct ct_nvcc_input *input = &request->inputs[i];
		char output[PATH_MAX];

		if (input->kind == CT_NVCC_IS_OBJECT ||
		    (input->kind == CT_NVCC_IS_DEVICE && request->phase <= CT_NVCC_PREPROCESSES))
			continue;
		ct_nvcc_output(job, input, ".o", output);
		if (request->phase > CT_NVCC_PREPROCESSES)
			status = ct_nvcc_images(job, input);
		else if (request->phase == CT_NVCC_COMPILES)
			status = request->keep_directory ? compile_and_keep(job, input, output)
							 : ct_nvcc_compile(job, input, output);
		else
			status = ct_nvcc_compile(job, input, request->output);
	}
	return status;
}

static bool joins(enum ct_nvcc_phase phase)
{
	return phase == CT_NVCC_LINKS || phase >= CT_NVCC_LINKS_DEVICE;
}

/* --clean-targets */
static int remove_outputs(struct ct_nvcc_job *job)
{
	static const char *const extensions[] = {[CT_NVCC_COMPILES] = ".o",
						 [CT_NVCC_MAKES_PTX] = ".ptx",
						 [CT_NVCC_MAKES_CUBIN] = ".cubin",
						 [CT_NVCC_MAKES_FATBIN] = ".fatbin"};
	const struct ct_nvcc_request *request = job->request;

	if (joins(request->phase))
		unlink(link_output(request));
	for (size_t i = 0; i < request->count && !joins(request->phase); i++) {
		char output[PATH_MAX];

		if (request->phase == CT_NVCC_PREPROCESSES ||
		    request->inputs[i].kind == CT_NVCC_IS_OBJECT)
			continue;
		ct_nvcc_output(job, &request->inputs[i], extensions[request->phase], output);
		unlink(output);
	}
	return 0;
}

static int perform(struct ct_nvcc_job *job)
{
	const struct ct_nvcc_request *request = job->request;
	char why[PATH_MAX + 200];

	if (request->dry_run || request->verbose)
		ct_nvcc_print_settings(job);
	if (request->unknown_input)
		return ct_nvcc_error(request, "Don't know what to do with '%s'",
				     request->unknown_input);
	if (!request->count)
		return ct_nvcc_error(request,
				     "No input files specified; use option --help for more "
				     "information");
	if (request->clean)
		return remove_outputs(job);
	if (!request->dry_run && ct_scratch_init(&job->scratch, why, sizeof(why)) < 0)
		return ct_nvcc_error(request, "%s", why);
	if (ct_nvcc_ask_host_compiler(job) < 0)
		return 1;
	return joins(request->phase) ? compile_and_join(job) : compile_each(job);
}

/* cuda-trace-clang's answers about itself are the same here. */
static int ask_wrapper(const struct ct_nvcc_job *job)
{
	struct ct_args args = {0};
	int err;

	ct_nvcc_clang(job, &args, true);
	err = ct_process_exec(&args);
	ct_nvcc_error(job->request, "cannot run %s: %s", args.words[0], strerror(-err));
	ct_args_fini(&args);
	return 126;
}

static int dispatch(struct ct_nvcc_job *job)
{
	const struct ct_nvcc_request *request = job->request;
	int status;

	if (request->help) {
		ct_nvcc_print_help(stdout, request->program);
		return 0;
	}
	if (request->own.generate) {
		if (strcmp(request->own.generate, "man") == 0)
			ct_nvcc_print_man(stdout);
		else
			ct_own_print_completion(stdout, request->own.generate, request->program,
						NULL);
		return 0;
	}
	if (request->version) {
		ct_nvcc_print_version(&job->parts);
		return 0;
	}
	if (request->list_codes || request->list_archs) {
		ct_nvcc_archs_print_known(stdout, request->archs.toolkit, request->list_codes,
					  request->list_archs);
		return 0;
	}
	if (request->own.help || request->own.version || request->own.toolkit ||
	    request->own.doctor)
		return ask_wrapper(job);
	status = perform(job);
	ct_scratch_fini(&job->scratch);
	ct_args_fini(&job->host_compile);
	ct_args_fini(&job->host_link);
	return status < 0 ? 1 : status;
}

int main(int argc, char **argv)
{
	struct ct_nvcc_request request = {.program = argc ? base_name(argv[0]) : "cuda-trace-nvcc"};
	struct ct_nvcc_job job = {.request = &request};
	char why[PATH_MAX + 200];
	int status = 1;

	ct_process_init();
	if (ct_parts_find(&job.parts, true, NULL, why, sizeof(why)) < 0) {
		ct_nvcc_error(&request, "%s", why);
	} else {
		request.archs.toolkit = ct_parts_cuda_version(job.parts.cuda);
		if (ct_nvcc_request_read(&request, argc, argv) == 0)
			status = dispatch(&job);
	}
	ct_nvcc_request_fini(&request);
	return ct_process_end(status);
}
