/* SPDX-License-Identifier: Apache-2.0 */
/* Builds clang's command line to compile CUDA sources for us. */
#include "driver/base/cache.h"
#include "driver/wrapper/wrapper.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* CUDA 13 dropped everything older; sm_75 images carry PTX, so newer GPUs run
 * them too. The CPU target shows programs the newest widely used feature set. */
#define GPU_ARCH_DEFAULT "sm_75"
#define CPU_ARCH_DEFAULT "sm_90"

/* Code that records accesses needs instructions that came with it. */
#define OLDEST_TRACED 70

static bool is_cpu(const struct ct_wrapper *wrapper)
{
	return wrapper->cmdline.own.target == CT_TARGET_CPU;
}

void ct_compile_begin(const struct ct_wrapper *wrapper, struct ct_args *args)
{
	ct_wrapper_clang(wrapper, args);
	ct_args_push(args, "--start-no-unused-arguments");
#define CT_MEANING_DEVICE(flag)                                                                    \
	ct_args_push(args, "-Xarch_device");                                                       \
	ct_args_push(args, flag);
#define CT_MEANING_BOTH(flag)                                                                      \
	ct_args_push(args, "-Xclang");                                                             \
	ct_args_push(args, flag);
#include "driver/wrapper/meaning.def"
	ct_args_push(args, "--end-no-unused-arguments");
}

static bool says(const struct ct_cmdline *cmdline, const char *option)
{
	for (size_t i = 0; i < cmdline->count; i++)
		if (strncmp(cmdline->items[i].words[0], option, strlen(option)) == 0)
			return true;
	return false;
}

void ct_compile_add_basics(const struct ct_wrapper *wrapper, struct ct_args *args)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;

	ct_args_push(args, "--start-no-unused-arguments");
	if (*wrapper->parts.cuda) {
		if (!cmdline->cuda_path)
			ct_args_pushf(args, "--cuda-path=%s", wrapper->parts.cuda);
		/* After the user's directories, before the toolkit's own. */
		ct_args_pushf(args, "-isystem%s/include/cccl", wrapper->parts.cuda);
	}
	if (is_cpu(wrapper))
		ct_args_pushf(args, "--cuda-gpu-arch=%s",
			      cmdline->arch && strncmp(cmdline->arch, "sm_", 3) == 0
				  ? cmdline->arch
				  : CPU_ARCH_DEFAULT);
	else if (!cmdline->arch)
		ct_args_push(args, "--cuda-gpu-arch=" GPU_ARCH_DEFAULT);
	/* The classic driver links with the system linker alone and keeps PTX in
	 * the image; separate compilation of device code needs the new one. */
	if (!cmdline->offload_driver_named && (is_cpu(wrapper) || !cmdline->rdc))
		ct_args_push(args, "--no-offload-new-driver");
	ct_args_push(args, "-Wno-unknown-cuda-version");
	ct_args_push(args, "-include");
	ct_args_push(args, wrapper->parts.host_header);
	/* cuda-trace-nvcc has its own header, which includes this one. */
	if (!cmdline->no_cuda_include && !says(cmdline, "-DCT_NVCC_MAJOR=")) {
		ct_args_push(args, "-include");
		ct_args_pushf(args, "%s/overlay/cudatrace-host-functions.h",
			      wrapper->parts.nvcc_headers);
	}
	/* <cudatrace/cudatrace.h>; last, as it may be where the system's headers are. */
	ct_args_pushf(args, "-idirafter%.*s",
		      (int)(strlen(wrapper->parts.host_header) - strlen("/cudatrace/host.h")),
		      wrapper->parts.host_header);
	ct_args_push(args, "--end-no-unused-arguments");
}

/* word: name or name=value */
static void add_pass_word(struct ct_args *args, const char *word)
{
	ct_args_push(args, "-Xclang");
	ct_args_push(args, "-mllvm");
	ct_args_push(args, "-Xclang");
	ct_args_pushf(args, "-%s", word);
}

static void add_pass_option(struct ct_args *args, const char *name, const char *value)
{
	char word[PATH_MAX + 64];

	snprintf(word, sizeof(word), "%s=%s", name, value);
	add_pass_word(args, word);
}

/* Optimised device code has no variables from clang, which the pass wants to know of. */
static bool drops_variables(const struct ct_cmdline *cmdline)
{
	unsigned level =
	    cmdline->device_level == CT_LEVEL_OF_HOST ? cmdline->optimize : cmdline->device_level;
	const char *blame = NULL;

	for (size_t i = 0; i < CT_OWN_PASS_MAX; i++)
		if (cmdline->own.pass[i] &&
		    strncmp(cmdline->own.pass[i], "--ct-blame=", strlen("--ct-blame=")) == 0)
			blame = cmdline->own.pass[i];
	return cmdline->debug && level > 0 && !(blame && strcmp(blame, "--ct-blame=off") == 0);
}

static void add_pass(const struct ct_wrapper *wrapper, struct ct_args *args)
{
	ct_args_pushf(args, "-fpass-plugin=%s", wrapper->parts.llvm_pass);
	/* Loaded a second time so early that its options are known to -mllvm. */
	ct_args_push(args, "-Xclang");
	ct_args_push(args, "-load");
	ct_args_push(args, "-Xclang");
	ct_args_push(args, wrapper->parts.llvm_pass);
}

void ct_compile_add_host(const struct ct_wrapper *wrapper, struct ct_args *args)
{
	if (!wrapper->cmdline.own.host || !wrapper->cmdline.source_inputs)
		return;
	ct_args_push(args, "--start-no-unused-arguments");
	add_pass(wrapper, args);
	add_pass_word(args, "ct-host");
	ct_args_push(args, "--end-no-unused-arguments");
}

/* Clones are long, and much of one is like the next: with machine code compressed as well as PTX an
 * object has less than half the size. Who has options for fatbinary decides that there. */
static void add_fatbinary(const struct ct_wrapper *wrapper, struct ct_args *args)
{
	if (wrapper->cmdline.rdc || says(&wrapper->cmdline, "-Xcuda-fatbinary"))
		return;
	ct_args_push(args, "-Xcuda-fatbinary");
	ct_args_push(args, "--compress-all");
}

/* Who names a ptxas gets that one. */
static void add_ptxas(const struct ct_wrapper *wrapper, struct ct_args *args)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;
	char ptxas[PATH_MAX + 16];

	snprintf(ptxas, sizeof(ptxas), "%s/bin/ptxas", wrapper->parts.cuda);
	if (says(cmdline, "--ptxas-path=") || access(ptxas, X_OK) != 0)
		return;
	ct_args_pushf(args, "--ptxas-path=%s", wrapper->parts.ptxas);
	*strrchr(ptxas, '/') = '\0';
	if (cmdline->rdc && setenv("CT_PTXAS_BIN", ptxas, 1) == 0)
		return; /* the device linker's clang warns of an option for ptxas */
	ct_args_push(args, "-Xcuda-ptxas");
	ct_args_pushf(args, "--ct-bin=%s", ptxas);
}

/* Headers that all CUDA sources begin with are compiled once (clang-plugin/ahead.h). */
static void add_cache(struct ct_args *args)
{
	char path[PATH_MAX];

	if (ct_cache_path_of_compiles(path, "ahead") < 0)
		return;
	ct_args_push(args, "-Xclang");
	ct_args_push(args, "-plugin-arg-cuda-trace");
	ct_args_push(args, "-Xclang");
	ct_args_pushf(args, "ahead=%s", path);
}

void ct_compile_add_instrumentation(const struct ct_wrapper *wrapper, struct ct_args *args,
				    uint64_t seed)
{
	const struct ct_parts *parts = &wrapper->parts;
	char text[17];

	snprintf(text, sizeof(text), "%016" PRIx64, seed);
	ct_args_push(args, "--start-no-unused-arguments");
	ct_args_pushf(args, "-fplugin=%s", parts->clang_plugin);
	add_cache(args);
	add_pass(wrapper, args);
	add_pass_option(args, "ct-unit-seed", text);
	add_pass_option(args, "ct-unit-dir", wrapper->scratch.path);
	add_pass_option(args, "ct-target", ct_target_name(wrapper->cmdline.own.target));
	if (!is_cpu(wrapper)) {
		add_pass_option(args, "ct-device-rt", parts->device_rt);
		add_ptxas(wrapper, args);
		add_fatbinary(wrapper, args);
	}
	if (wrapper->cmdline.rdc)
		add_pass_word(args, "ct-rdc");
	if (wrapper->cmdline.own.host)
		add_pass_word(args, "ct-host");
	for (size_t i = 0; i < CT_OWN_PASS_MAX; i++)
		if (wrapper->cmdline.own.pass[i])
			add_pass_word(args, wrapper->cmdline.own.pass[i] + 2);
	if (drops_variables(&wrapper->cmdline)) {
		/* The host has the same by default; the pass takes it out of the device code. */
		ct_args_push(args, "-Xclang");
		ct_args_push(args, "-debug-info-kind=constructor");
		add_pass_word(args, "ct-drop-variables");
	}
	/* A remark that never fires makes clang keep source locations in the
	 * device code without debug information. */
	ct_args_push(args, "-Xarch_device");
	ct_args_push(args, "-Rpass=^ct-none$");
	ct_args_push(args, "--end-no-unused-arguments");
}

/* FNV-1a, with the terminating NUL so that words cannot run together. */
static uint64_t hash_word(uint64_t hash, const char *word)
{
	do {
		hash = (hash ^ (unsigned char)*word) * 0x100000001b3ull;
	} while (*word++);
	return hash;
}

uint64_t ct_compile_seed(const struct ct_wrapper *wrapper, const struct ct_item *input)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;
	uint64_t hash = 0xcbf29ce484222325ull;
	char directory[PATH_MAX];

	for (size_t i = 0; i < CT_OWN_PASS_MAX; i++)
		if (cmdline->own.pass[i])
			hash = hash_word(hash, cmdline->own.pass[i]);
	/* Where output goes is left out: the same compile to another file is the same. */
	hash = hash_word(hash, getcwd(directory, sizeof(directory)) ? directory : "");
	for (size_t i = 0; i < cmdline->count; i++) {
		const struct ct_item *item = &cmdline->items[i];

		if (item->kind == CT_ITEM_OUTPUT || item->kind == CT_ITEM_DEPENDENCY ||
		    item->kind == CT_ITEM_LINKER_INPUT || item->kind == CT_ITEM_ACTION)
			continue;
		if (input && item != input && ct_item_is_source(item))
			continue;
		for (size_t j = 0; j < item->count; j++)
			hash = hash_word(hash, item->words[j]);
	}
	return hash;
}

int ct_compile_check(const struct ct_wrapper *wrapper)
{
	const struct ct_parts *parts = &wrapper->parts;
	const char *const gpu[] = {parts->clang_plugin, parts->llvm_pass, parts->host_header,
				   parts->device_rt, parts->ptxas};
	const char *const cpu[] = {parts->clang_plugin, parts->llvm_pass, parts->host_header,
				   parts->cpu_device_rt, parts->retarget};
	const char *const *needed = is_cpu(wrapper) ? cpu : gpu;
	size_t count = 5;
	char why[PATH_MAX + 200];

	unsigned arch = 0;

	if (wrapper->cmdline.arch)
		sscanf(wrapper->cmdline.arch, "sm_%u", &arch);
	if (!is_cpu(wrapper) && arch && arch < OLDEST_TRACED)
		return ct_wrapper_error(wrapper, "sm_%u: GPUs can be traced from sm_%d on", arch,
					OLDEST_TRACED);
	if (!wrapper->cmdline.no_cuda_include && ct_parts_need_cuda(parts, why, sizeof(why)) < 0)
		return ct_wrapper_error(wrapper, "%s", why);
	for (size_t i = 0; i < count; i++)
		if (ct_parts_need(needed[i], why, sizeof(why)) < 0)
			return ct_wrapper_error(wrapper, "%s", why);
	return 0;
}
