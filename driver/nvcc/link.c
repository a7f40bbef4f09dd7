/* SPDX-License-Identifier: Apache-2.0 */
/* Links and libraries, with the words in nvcc's order. */
#include "driver/nvcc/toolkit.h"

#include <string.h>

/* The inputs in their order: sources as the objects that they became. */
static void add_inputs(const struct ct_nvcc_job *job, struct ct_args *args,
		       const struct ct_args *objects)
{
	size_t next = 0;

	for (size_t i = 0; i < job->request->count; i++) {
		const struct ct_nvcc_input *input = &job->request->inputs[i];

		if (input->kind <= CT_NVCC_IS_C)
			ct_args_push(args, objects->words[next++]);
		else if (input->kind == CT_NVCC_IS_OBJECT)
			ct_args_push(args, input->path);
	}
}

/* The libraries that nvcc links without being asked. */
static void add_toolkit(const struct ct_nvcc_job *job, struct ct_args *args)
{
	static const char *const libraries[] = {"-lcudadevrt", "-lcudart_static", "-lrt",
						"-lpthread", "-ldl"};
	char root[CT_NVCC_ROOT_MAX];

	ct_nvcc_toolkit(job, root);
	ct_args_pushf(args, "-L%s/lib64/stubs", root);
	ct_args_pushf(args, "-L%s/lib64", root);
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
		ct_args_push(args, libraries[i]);
}

int ct_nvcc_link(struct ct_nvcc_job *job, const struct ct_args *objects, const char *output)
{
	const struct ct_nvcc_request *request = job->request;
	bool joins = false;
	struct ct_args args = {0};

	for (size_t i = 0; i < request->link.count; i++)
		joins |= strcmp(request->link.words[i], "-r") == 0;
	/* As a library: parts of a program may be linked by others, and then there is one still. */
	ct_nvcc_clang(job, &args, true);
	if (!request->own.runtime_named)
		ct_args_push(&args, "--ct-runtime=shared");
	if (!joins)
		ct_args_push(&args, "-Wl,--start-group");
	add_inputs(job, &args, objects);
	ct_args_push_words(&args, request->link.words, request->link.count);
	ct_args_push_words(&args, request->libraries.words, request->libraries.count);
	ct_args_push_words(&args, job->host_link.words, job->host_link.count);
	if (!joins)
		add_toolkit(job, &args);
	if (!joins)
		ct_args_push(&args, "-Wl,--end-group");
	if (request->rdc && !request->no_device_link)
		ct_args_push(&args, "-fgpu-rdc");
	ct_args_push(&args, "-o");
	ct_args_push(&args, output);
	return ct_nvcc_run_and_explain(job, &args);
}

int ct_nvcc_archive(struct ct_nvcc_job *job, const struct ct_args *objects, const char *output)
{
	const struct ct_nvcc_request *request = job->request;
	struct ct_args args = {0};

	ct_args_push(&args, request->archiver ? request->archiver : "ar");
	if (!request->archive.count)
		ct_args_push(&args, "cr");
	ct_args_push_words(&args, request->archive.words, request->archive.count);
	ct_args_push(&args, output);
	add_inputs(job, &args, objects);
	return ct_nvcc_run(job, &args);
}
