/* SPDX-License-Identifier: Apache-2.0 */
/* One run of cuda-trace-nvcc has this at hand, and the commands that it runs. */
#ifndef CT_DRIVER_NVCC_JOB_H
#define CT_DRIVER_NVCC_JOB_H

#include "driver/compiler/parts.h"
#include "driver/compiler/scratch.h"
#include "driver/nvcc/request.h"

struct ct_nvcc_job {
	const struct ct_nvcc_request *request;
	struct ct_parts parts;
	struct ct_scratch scratch;   /* for objects that are not kept */
	struct ct_args host_compile; /* words that MPI's wrapper compiles with, if that is -ccbin */
	struct ct_args host_link;
};

/* Run a command, or only print it. Returns as ct_process_run, and frees args. */
int ct_nvcc_run(const struct ct_nvcc_job *job, struct ct_args *args);

/* The same; of one that fails for what we know, it is said what to do. */
int ct_nvcc_run_and_explain(const struct ct_nvcc_job *job, struct ct_args *args);

/* Begin a line of cuda-trace-clang++, or cuda-trace-clang. */
void ct_nvcc_clang(const struct ct_nvcc_job *job, struct ct_args *args, bool cxx);

/* A tool of the toolkit: ptxas, fatbinary. */
void ct_nvcc_tool(const struct ct_nvcc_job *job, struct ct_args *args, const char *name);

/* path[PATH_MAX]: where what an input becomes goes: -o, or its name with another extension in the
 * current directory or --output-directory. */
void ct_nvcc_output(const struct ct_nvcc_job *job, const struct ct_nvcc_input *input,
		    const char *extension, char *path);

/* path[PATH_MAX]: a temporary file of an input, or one that is kept. */
void ct_nvcc_temporary(const struct ct_nvcc_job *job, const struct ct_nvcc_input *input,
		       const char *extension, char *path);

/* compile.c: one source to an object, or as far as the request says, with more words for it. As
 * ct_process_run. */
int ct_nvcc_compile(struct ct_nvcc_job *job, const struct ct_nvcc_input *input, const char *output);

/* images.c: --ptx, --cubin and --fatbin of one input. */
int ct_nvcc_images(struct ct_nvcc_job *job, const struct ct_nvcc_input *input);

/* link.c: the objects (by input; NULL: that input is no source) linked, or put into a library. */
int ct_nvcc_link(struct ct_nvcc_job *job, const struct ct_args *objects, const char *output);
int ct_nvcc_archive(struct ct_nvcc_job *job, const struct ct_args *objects, const char *output);
int ct_nvcc_link_device(struct ct_nvcc_job *job, const struct ct_args *objects, const char *output);

/* ccbin.c: ask MPI's wrapper of a compiler, if that is the host's, what it adds. Returns 0, or
 * negative if there is no such compiler, said. */
int ct_nvcc_ask_host_compiler(struct ct_nvcc_job *job);

/* CUDA sources: words that compile for these architectures. */
void ct_nvcc_add_archs(const struct ct_nvcc_job *job, struct ct_args *args);
/* The words of one source for clang, without an output; only: one architecture alone, or NULL. */
void ct_nvcc_add_source(const struct ct_nvcc_job *job, struct ct_args *args,
			const struct ct_nvcc_input *input, const char *only);

#endif
