/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that cuda-trace-nvcc runs, and files that they write. */
#include "driver/nvcc/job.h"
#include "driver/base/process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int run(const struct ct_nvcc_job *job, struct ct_args *args, struct ct_capture *capture)
{
	const struct ct_nvcc_request *request = job->request;
	int status = 0;

	if (request->dry_run || request->verbose) {
		char *line = args->failed ? NULL : ct_args_quote(args);

		fprintf(stderr, "#$ %s\n", line ? line : "");
		free(line);
	}
	if (!request->dry_run)
		status = ct_process_run(args, capture);
	if (status < 0 && !ct_process_signal())
		ct_nvcc_error(request, "cannot run %s: %s", args->failed ? "clang" : args->words[0],
			      strerror(-status));
	ct_args_fini(args);
	return status;
}

int ct_nvcc_run(const struct ct_nvcc_job *job, struct ct_args *args)
{
	return run(job, args, NULL);
}

int ct_nvcc_run_and_explain(const struct ct_nvcc_job *job, struct ct_args *args)
{
	static const struct {
		const char *text, *advice;
	} known[] = {
	    {"'cudaThread",
	     "cudaThread… functions were removed in CUDA 13; --ct-old-api gives them "
	     "back"},
	    {"'omp.h' file not found", "OpenMP needs clang's own runtime: install libomp-dev of "
				       "clang's version (libomp-22-dev)"},
	    {"'climits' file not found",
	     "the C++ library of the host is missing: install g++, whose "
	     "library clang uses"},
	    {"-lomp", "OpenMP needs clang's own runtime: install libomp-dev of clang's version "
		      "(libomp-22-dev)"},
	};
	struct ct_capture capture = {0};
	int status;

	if (isatty(STDERR_FILENO))
		ct_args_push(args, "-fcolor-diagnostics"); /* what we capture is no terminal */
	status = run(job, args, &capture);
	for (size_t i = 0; status > 0 && capture.text && i < sizeof(known) / sizeof(known[0]); i++)
		if (strstr(capture.text, known[i].text)) {
			fprintf(stderr, "%s: %s\n", job->request->program, known[i].advice);
			break;
		}
	free(capture.text);
	return status;
}

void ct_nvcc_clang(const struct ct_nvcc_job *job, struct ct_args *args, bool cxx)
{
	const struct ct_nvcc_request *request = job->request;

	ct_args_pushf(args, "%s/cuda-trace-clang%s", job->parts.bin, cxx ? "++" : "");
	ct_args_push_words(args, request->own_words.words, request->own_words.count);
}

void ct_nvcc_tool(const struct ct_nvcc_job *job, struct ct_args *args, const char *name)
{
	ct_args_pushf(args, "%s/bin/%s", job->parts.cuda, name);
}

/* The name of path without folders and extension. */
static int stem(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/'), *dot;

	*name = slash ? slash + 1 : path;
	dot = strrchr(*name, '.');
	return dot ? (int)(dot - *name) : (int)strlen(*name);
}

void ct_nvcc_output(const struct ct_nvcc_job *job, const struct ct_nvcc_input *input,
		    const char *extension, char *path)
{
	const struct ct_nvcc_request *request = job->request;
	const char *directory = request->output_directory, *name;
	int bytes = stem(input->path, &name);

	if (request->output)
		snprintf(path, PATH_MAX, "%s", request->output);
	else
		snprintf(path, PATH_MAX, "%s%s%.*s%s", directory ? directory : "",
			 directory ? "/" : "", bytes, name, extension);
}

void ct_nvcc_temporary(const struct ct_nvcc_job *job, const struct ct_nvcc_input *input,
		       const char *extension, char *path)
{
	const struct ct_nvcc_request *request = job->request;
	const char *name;
	int bytes = stem(input->path, &name);

	if (request->keep_directory || request->keep)
		snprintf(path, PATH_MAX, "%s/%.*s%s",
			 request->keep_directory ? request->keep_directory : ".", bytes, name,
			 extension);
	else /* the number, since names may be there twice */
		snprintf(path, PATH_MAX, "%s/%zu-%.*s%s",
			 *job->scratch.path ? job->scratch.path : "TMPDIR",
			 (size_t)(input - request->inputs), bytes, name, extension);
}
