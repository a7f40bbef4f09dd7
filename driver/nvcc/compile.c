/* SPDX-License-Identifier: Apache-2.0 */
/* The words that clang compiles a source with as nvcc would. */
#include "driver/nvcc/toolkit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_cpu(const struct ct_nvcc_job *job)
{
	return job->request->own.target == CT_TARGET_CPU;
}

/* nvcc takes what these warnings and errors of clang are about, and has typeof with -std=c++17. */
static const char *const language[] = {"-fgnu-keywords",
				       "-Wno-register",
				       "-Wno-c++11-narrowing",
				       "-Wno-cuda-compat",
				       "-Wno-deprecated-attributes",
				       "-Wno-deprecated-literal-operator",
				       "-Wno-reserved-user-defined-literal",
				       "-Wno-error=elaborated-enum-class",
				       "-Wno-error=gnu-array-member-paren-init",
				       "-Wno-error=init-priority-reserved",
				       "-Wno-error=invalid-gnu-asm-cast",
				       "-Wno-error=missing-template-arg-list-after-template-kw",
				       "-Wno-non-pod-varargs",
				       "-Wno-error=parentheses",
				       "-Wno-error=return-mismatch",
				       "-Wno-unknown-pragmas",
				       "-Wno-unknown-warning-option",
				       "-Wno-unused-command-line-argument",
				       "-Wno-ignored-optimization-argument",
				       "-Wno-pass-failed",
				       "-Wno-unknown-cuda-version"};

/* gcc only warns about these, up to 13. */
static const char *const old_c[] = {
    "-Wno-error=implicit-int", "-Wno-error=implicit-function-declaration",
    "-Wno-error=int-conversion", "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types"};

/* clang up to 22 writes PTX 8.8 for CUDA 13, in which these are not. */
static void add_ptx_version(const struct ct_nvcc_job *job, struct ct_args *args, const char *arch)
{
	unsigned number = ct_nvcc_arch_number(arch);

	if (!is_cpu(job) && (number == 880 || number == 1100))
		ct_args_push(args, "--cuda-feature=+ptx90");
}

void ct_nvcc_add_archs(const struct ct_nvcc_job *job, struct ct_args *args)
{
	const struct ct_nvcc_archs *archs = &job->request->archs;

	for (size_t i = 0; i < archs->count; i++) {
		const struct ct_nvcc_arch *arch = &archs->list[i];

		if (!arch->has_binary && !arch->has_ptx)
			continue; /* only compiled for, to be assembled for others */
		ct_args_pushf(args, "--cuda-gpu-arch=sm_%s", arch->name);
		if (!arch->has_ptx && !is_cpu(job))
			ct_args_pushf(args, "--no-cuda-include-ptx=sm_%s", arch->name);
		add_ptx_version(job, args, arch->name);
	}
}

/* Device code has -O3 whatever host code has, and none with -G. */
static void add_device_level(const struct ct_nvcc_request *request, struct ct_args *args)
{
	bool debugs = request->device_debug && !request->device_optimized;

	if (request->device_debug) {
		ct_args_push(args, "-Xarch_device");
		ct_args_push(args, debugs ? "-g" : "-gline-tables-only");
		ct_args_push(args, "-D__CUDACC_DEBUG__");
	}
	if (debugs)
		ct_args_push(args, "--cuda-noopt-device-debug");
	ct_args_push(args, "-Xarch_device");
	ct_args_push(args, debugs ? "-O0" : request->device_fast ? "-O1" : "-O3");
}

static void add_llvm_option(struct ct_args *args, const char *word)
{
	ct_args_push(args, "-Xclang");
	ct_args_push(args, "-mllvm");
	ct_args_push(args, "-Xclang");
	ct_args_push(args, word);
}

/* Options of our pass, llvm-pass/device/{fields,undefined}.h. They need what clang knows of types
 * and of conversions, which the pass takes away. */
static void add_values(struct ct_args *args)
{
	add_llvm_option(args, "-ct-copy-fields");
	add_llvm_option(args, "-ct-nvcc-values");
	ct_args_push(args, "-Xarch_device");
	ct_args_push(args, "-fstrict-aliasing");
	ct_args_push(args, "-Xarch_device");
	ct_args_push(args, "-fno-strict-float-cast-overflow");
}

/* nvcc's options for floats are for device code; host code keeps its own. */
static void add_floats(const struct ct_nvcc_request *request, struct ct_args *args)
{
	if (request->fast_math || request->ftz)
		ct_args_push(args, "-fgpu-flush-denormals-to-zero");
	if (request->fast_math)
		ct_args_push(args, "-fgpu-approx-transcendentals");
	/* div.approx of -use_fast_math has a smaller range than div.full of -prec-div=false. */
	if (request->fast_math || request->approximate_division)
		add_llvm_option(args, request->fast_math ? "-nvptx-prec-divf32=0"
							 : "-nvptx-prec-divf32=1");
	if (request->fast_math || request->approximate_roots) {
		add_llvm_option(args, "-nvptx-prec-sqrtf32=0");
	} else if (CT_LLVM_MAJOR >= 21) {
		/* libdevice asks for this in sqrtf and functions that use it; clang says nothing,
		   which is "no". */
		add_llvm_option(args, "-nvvm-reflect-add=__CUDA_PREC_SQRT=1");
	}
	if (request->no_fmad && !request->fast_math) {
		ct_args_push(args, "-Xarch_device");
		ct_args_push(args, "-ffp-contract=off");
	}
	if (request->fast_math) {
		ct_args_push(args, "-Xarch_device");
		ct_args_push(args, "-D__USE_FAST_MATH__");
	}
}

static void add_plugin_word(struct ct_args *args, const char *word)
{
	ct_args_push(args, "-Xclang");
	ct_args_push(args, "-plugin-arg-cuda-trace");
	ct_args_push(args, "-Xclang");
	ct_args_push(args, word);
}

/* nvcc hides by default since 13. */
static bool hides(const struct ct_nvcc_job *job)
{
	enum ct_nvcc_choice choice = job->request->hidden;

	return choice ? choice == CT_NVCC_YES : ct_nvcc_version_of(&job->parts).major >= 13;
}

static void add_cuda(const struct ct_nvcc_job *job, struct ct_args *args, const char *only)
{
	const struct ct_nvcc_request *request = job->request;

	for (size_t i = 0; i < COUNT(language); i++)
		ct_args_push(args, language[i]);
	if (request->phase != CT_NVCC_PREPROCESSES)
		add_values(args);
	add_plugin_word(args, "nvcc"); /* clang-plugin/dialect.h */
	if (!request->strict_sides)
		add_plugin_word(args, "nvcc-sides"); /* clang-plugin/sides.h */
	if (hides(job))
		add_plugin_word(args, "nvcc-hidden"); /* clang-plugin/visibility.h */
	for (size_t i = 0; i < request->host.count; i++) {
		ct_args_push(args, "-Xarch_host");
		ct_args_push(args, request->host.words[i]);
	}
	ct_args_push_words(args, request->cuda.words, request->cuda.count);
	add_device_level(request, args);
	add_floats(request, args);
	for (size_t i = 0; i < request->ptxas.count && !is_cpu(job); i++) {
		ct_args_push(args, "-Xcuda-ptxas");
		ct_args_push(args, request->ptxas.words[i]);
	}
	for (size_t i = 0; i < request->fatbinary.count && !is_cpu(job) && !request->rdc; i++) {
		ct_args_push(args, "-Xcuda-fatbinary");
		ct_args_push(args, request->fatbinary.words[i]);
	}
	if (request->rdc) {
		ct_args_push(args, "-fgpu-rdc");
		ct_args_push(args, "-D__CUDACC_RDC__");
	}
	if (only) {
		ct_args_pushf(args, "--cuda-gpu-arch=sm_%s", only);
		add_ptx_version(job, args, only);
	} else {
		ct_nvcc_add_archs(job, args);
	}
}

/* Headers of the toolkit are found after those that a program has of the same name, in clang's
 * order, not where a -I of the program would put them. */
static bool is_toolkit(const struct ct_nvcc_job *job, const char *directory)
{
	char named[PATH_MAX], own[PATH_MAX], path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/include", job->parts.cuda);
	return *job->parts.cuda && realpath(directory, named) && realpath(path, own) &&
	       strcmp(named, own) == 0;
}

static void add_user_words(const struct ct_nvcc_job *job, struct ct_args *args,
			   const struct ct_args *words)
{
	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->words[i];

		if (strncmp(word, "-I", 2) == 0 && is_toolkit(job, word + 2))
			continue;
		if (strcmp(word, "-isystem") == 0 && i + 1 < words->count &&
		    is_toolkit(job, words->words[i + 1])) {
			i++;
			continue;
		}
		ct_args_push(args, word);
	}
	if (job->request->per_thread_streams) /* whatever -U says, as with nvcc */
		ct_args_push(args, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
}

/* nvcc defines and includes these before a source. */
static void add_prologue(const struct ct_nvcc_job *job, struct ct_args *args,
			 const struct ct_nvcc_input *input)
{
	struct ct_nvcc_version version = ct_nvcc_version_of(&job->parts);

	if (input->kind == CT_NVCC_IS_CUDA) {
		ct_args_pushf(args, "-DCT_NVCC_MAJOR=%u", version.major);
		ct_args_pushf(args, "-DCT_NVCC_MINOR=%u", version.minor);
		ct_args_pushf(args, "-DCT_NVCC_BUILD=%u", version.build);
		if (job->request->own.old_api)
			ct_args_push(args, "-DCT_NVCC_OLD_API");
		ct_args_push(args, "-include");
		ct_args_pushf(args, "%s/cudatrace-nvcc.h", job->parts.nvcc_headers);
		ct_args_pushf(args, "-DCT_NVCC_CUDA_H=\"%s/include/cuda.h\"", job->parts.cuda);
		ct_args_push(args, "-iquote");
		ct_args_pushf(args, "%s/quoted", job->parts.nvcc_headers);
		return;
	}
	ct_args_push(args, "-D__NVCC__");
	ct_args_pushf(args, "-D__CUDACC_VER_MAJOR__=%u", version.major);
	ct_args_pushf(args, "-D__CUDACC_VER_MINOR__=%u", version.minor);
	ct_args_pushf(args, "-D__CUDACC_VER_BUILD__=%u", version.build);
	if (!*job->parts.cuda)
		return;
	ct_args_pushf(args, "-I%s/include", job->parts.cuda);
	ct_args_push(args, "-isystem");
	ct_args_pushf(args, "%s/include/cccl", job->parts.cuda);
}

void ct_nvcc_add_source(const struct ct_nvcc_job *job, struct ct_args *args,
			const struct ct_nvcc_input *input, const char *only)
{
	static const char *const languages[] = {"cuda", "c++", "c"};
	const struct ct_nvcc_request *request = job->request;

	/* Ahead of the libraries that it stands before, wherever the user has those. */
	if (input->kind == CT_NVCC_IS_CUDA)
		ct_args_pushf(args, "-I%s/overlay", job->parts.nvcc_headers);
	add_user_words(job, args, &request->both);
	add_user_words(job, args, &request->compile);
	add_prologue(job, args, input);
	ct_args_push_words(args, job->host_compile.words, job->host_compile.count);
	if (request->standard && input->kind != CT_NVCC_IS_C)
		ct_args_pushf(args, "-std=%s",
			      strcmp(request->standard, "c++03") == 0 ? "c++11"
								      : request->standard);
	if (input->kind == CT_NVCC_IS_CUDA)
		add_cuda(job, args, only);
	for (size_t i = 0; i < COUNT(old_c) && input->kind == CT_NVCC_IS_C; i++)
		ct_args_push(args, old_c[i]);
	if (input->kind != CT_NVCC_IS_CUDA)
		ct_args_push_words(args, request->host.words, request->host.count);
	if (request->keep || request->keep_directory)
		ct_args_push(args, "-save-temps=obj");
	ct_args_push(args, "-x");
	ct_args_push(args, languages[input->kind]);
	ct_args_push(args, input->path);
}

/* path with .d for its extension. */
static void dependency_file(const char *path, char *file)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');

	snprintf(file, PATH_MAX, "%.*s.d", dot ? (int)(dot - path) : (int)strlen(path), path);
}

static void add_dependencies(const struct ct_nvcc_job *job, struct ct_args *args,
			     const struct ct_nvcc_input *input)
{
	const struct ct_nvcc_request *request = job->request;
	bool compiles = request->phase != CT_NVCC_PREPROCESSES;
	char object[PATH_MAX], file[PATH_MAX];

	ct_nvcc_output(job, input, ".o", object);
	dependency_file(object, file);
	if (compiles && !request->dependencies)
		return;
	if (compiles)
		ct_args_push(args, request->dependencies);
	if (request->dependency_phony)
		ct_args_push(args, "-MP");
	if (request->dependency_file || compiles) {
		ct_args_push(args, "-MF");
		ct_args_push(args, request->dependency_file ? request->dependency_file : file);
	}
	ct_args_push(args, request->dependency_quoted ? "-MQ" : "-MT");
	if (request->dependency_target || compiles || !request->output) {
		ct_args_push(args,
			     request->dependency_target ? request->dependency_target : object);
	} else { /* -M -o file: the target is what the source would become */
		const struct ct_nvcc_request plain = {.output_directory =
							  request->output_directory};
		const struct ct_nvcc_job other = {.request = &plain};

		ct_nvcc_output(&other, input, ".o", object);
		ct_args_push(args, object);
	}
}

/* -E shows what devices compile, as nvcc's does; dependencies are those of the host's half. */
static void add_preprocess(const struct ct_nvcc_job *job, struct ct_args *args,
			   const struct ct_nvcc_input *input)
{
	const struct ct_nvcc_request *request = job->request;
	bool expands = strcmp(request->preprocess, "-E") == 0;

	ct_args_push(args, request->preprocess);
	if (input->kind == CT_NVCC_IS_CUDA)
		ct_args_push(args, expands ? "--cuda-device-only" : "--cuda-host-only");
	if (!expands)
		add_dependencies(job, args, input);
}

int ct_nvcc_compile(struct ct_nvcc_job *job, const struct ct_nvcc_input *input, const char *output)
{
	const struct ct_nvcc_request *request = job->request;
	const char *only = NULL;
	struct ct_args args = {0};

	if (request->keep_directory)
		mkdir(request->keep_directory, 0777);
	if (request->phase == CT_NVCC_PREPROCESSES && request->archs.count)
		only = request->archs.list[request->archs.count - 1].name;
	ct_nvcc_clang(job, &args, input->kind != CT_NVCC_IS_C);
	ct_nvcc_add_source(job, &args, input, only);
	if (request->phase == CT_NVCC_PREPROCESSES) {
		add_preprocess(job, &args, input);
	} else {
		add_dependencies(job, &args, input);
		ct_args_push(&args, "-c");
	}
	if (request->phase != CT_NVCC_COMPILES && request->phase != CT_NVCC_PREPROCESSES &&
	    !request->keep && !request->keep_directory) { /* the object is temporary */
		ct_args_push(&args, "-dumpdir");
		ct_args_pushf(&args, "%s-", request->output ? request->output : "a");
	}
	if (output) {
		ct_args_push(&args, "-o");
		ct_args_push(&args, output);
	}
	return ct_nvcc_run_and_explain(job, &args);
}
