/* SPDX-License-Identifier: Apache-2.0 */
/* Links: API wraps, our runtime, NVIDIA's libraries. */
#include "driver/wrapper/archive.h"
#include "driver/wrapper/wrapper.h"

#include <cudatrace/unit.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum library_fate { FATE_KEEP, FATE_DROP, FATE_REPLACE, FATE_REFUSE };

static const struct {
	const char *name;
	enum library_fate fate;
} cuda_libraries[] = {
#define CT_CUDA_LIBRARY(name, fate) {name, FATE_##fate},
#include "driver/wrapper/cuda-libraries.def"
#undef CT_CUDA_LIBRARY
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_cpu(const struct ct_wrapper *wrapper)
{
	return wrapper->cmdline.own.target == CT_TARGET_CPU;
}

/* "foo" of -lfoo, -l foo, dir/libfoo.so.1 and dir/libfoo.a; "" for anything else. */
static void library_name(const struct ct_item *item, char *name, size_t name_bytes)
{
	const char *word = item->words[0];
	const char *slash = strrchr(word, '/');
	const char *base = slash ? slash + 1 : word;

	*name = '\0';
	if (strcmp(word, "-l") == 0 && item->count > 1)
		snprintf(name, name_bytes, "%s", item->words[1]);
	else if (strncmp(word, "-l", 2) == 0)
		snprintf(name, name_bytes, "%s", word + 2);
	else if (word[0] != '-' && strncmp(base, "lib", 3) == 0 &&
		 (strstr(base, ".so") || strstr(base, ".a")))
		snprintf(name, name_bytes, "%.*s", (int)strcspn(base + 3, "."), base + 3);
}

int ct_link_add_input(const struct ct_wrapper *wrapper, struct ct_args *args,
		      const struct ct_item *item)
{
	enum library_fate fate = FATE_KEEP;
	char name[256];

	library_name(item, name, sizeof(name));
	for (size_t i = 0; i < COUNT(cuda_libraries); i++)
		if (strcmp(name, cuda_libraries[i].name) == 0)
			fate = cuda_libraries[i].fate;
	if (!is_cpu(wrapper) && fate != FATE_REPLACE)
		fate = FATE_KEEP;
	if (fate == FATE_REFUSE)
		return ct_wrapper_error(wrapper,
					"%s: NVIDIA's lib%s has no CPU version; build for the GPU "
					"(--ct-target=gpu), or leave the library out",
					item->words[0], name);
	if (fate == FATE_KEEP)
		ct_args_push_words(args, item->words, item->count);
	return 0;
}

bool ct_link_drops(const struct ct_wrapper *wrapper, const struct ct_item *item)
{
	static const char *const words[] = {"-fgpu-rdc",       "-fno-gpu-rdc",     "-fcuda-rdc",
					    "--offload-link",  "-Xoffload-linker", "-foffload-lto",
					    "-fno-offload-lto"};
	const char *word = item->words[0];

	for (size_t i = 0; is_cpu(wrapper) && i < COUNT(words); i++) {
		size_t bytes = strlen(words[i]);

		if (strncmp(word, words[i], bytes) == 0 && (!word[bytes] || word[bytes] == '='))
			return true;
	}
	return false;
}

static const char *library_directory(const char *cuda)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/lib64", cuda);
	return access(path, R_OK) == 0 ? "lib64" : "lib";
}

static void add_cuda_directory(const struct ct_wrapper *wrapper, struct ct_args *args)
{
	const char *cuda = wrapper->parts.cuda;

	if (*cuda)
		ct_args_pushf(args, "-L%s/%s", cuda, library_directory(cuda));
}

/* Separately compiled device code is linked by clang-linker-wrapper, which clang
 * has to be reported where it sees objects only; launches from device code need
 * NVIDIA's library of the device side. */
static void add_device_link(const struct ct_wrapper *wrapper, struct ct_args *args)
{
	const char *cuda = wrapper->parts.cuda;

	ct_args_push(args, "--offload-link");
	if (!*cuda)
		return;
	ct_args_push(args, "-Xoffload-linker");
	ct_args_pushf(args, "-L%s/%s", cuda, library_directory(cuda));
	ct_args_push(args, "-Xoffload-linker");
	ct_args_push(args, "-lcudadevrt");
}

static void pull_unit(void *args, const char *symbol)
{
	ct_args_pushf(args, "-Wl,-u,%s", symbol);
}

/* The file that the linker would take for -lNAME: here only archives matter. */
static void add_units_of_library(const struct ct_cmdline *cmdline, struct ct_args *args,
				 const char *name)
{
	for (size_t i = 0; i < cmdline->count; i++) {
		const struct ct_item *item = &cmdline->items[i];
		const char *word = item->words[0];
		char path[PATH_MAX];

		if (strncmp(word, "-L", 2) != 0 || (!word[2] && item->count < 2))
			continue;
		snprintf(path, sizeof(path), "%s/lib%s.a", word[2] ? word + 2 : item->words[1],
			 name);
		ct_archive_symbols(path, CT_UNIT_SYMBOL, pull_unit, args);
	}
}

/* The device linker takes device functions out of archives, but the host linker
 * leaves the objects there that hold nothing for the host, and with them what
 * we know of their sites. Such units have a symbol to be pulled by. */
static void add_units_of_archives(const struct ct_wrapper *wrapper, struct ct_args *args)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;

	for (size_t i = 0; i < cmdline->count; i++) {
		const struct ct_item *item = &cmdline->items[i];
		char name[256];

		if (item->kind != CT_ITEM_LINKER_INPUT)
			continue;
		library_name(item, name, sizeof(name));
		if (item->words[0][0] != '-')
			ct_archive_symbols(item->words[0], CT_UNIT_SYMBOL, pull_unit, args);
		else if (*name)
			add_units_of_library(cmdline, args, name);
	}
}

static bool is_same_file(const char *a, const char *b)
{
	char whole_a[PATH_MAX], whole_b[PATH_MAX];

	return realpath(a, whole_a) && realpath(b, whole_b) && strcmp(whole_a, whole_b) == 0;
}

/* NVIDIA's static runtime under the names that ours calls it by: the one that was made when we were
 * built, or, for another toolkit, one that is made now. */
static int add_cudart(struct ct_wrapper *wrapper, struct ct_args *args)
{
	const struct ct_parts *parts = &wrapper->parts;
	char archive[PATH_MAX + 64], renamed[PATH_MAX];
	struct ct_args objcopy = {0};
	int status;

	if ((!*parts->cuda || is_same_file(parts->cuda, CT_CUDA_PATH)) &&
	    access(parts->cudart, R_OK) == 0) {
		ct_args_push(args, "-Xlinker");
		ct_args_push(args, parts->cudart);
		return 0;
	}
	snprintf(archive, sizeof(archive), "%s/%s/libcudart_static.a", parts->cuda,
		 library_directory(parts->cuda));
	if (access(archive, R_OK) != 0)
		return ct_wrapper_error(wrapper,
					"%s is missing: programs for GPUs are linked with it; set "
					"CUDA_HOME to a toolkit that has it",
					archive);
	snprintf(renamed, sizeof(renamed), "%s/libcudart.a", wrapper->scratch.path);
	ct_args_push(&objcopy, CT_LLVM_OBJCOPY);
	ct_args_push(&objcopy, "--wildcard");
	ct_args_pushf(&objcopy, "--redefine-syms=%s", parts->real_names);
	ct_args_push(&objcopy, "--set-symbol-visibility=cuda*=default");
	ct_args_push(&objcopy, "--set-symbol-visibility=__cuda*=default");
	ct_args_push(&objcopy, archive);
	ct_args_push(&objcopy, renamed);
	status = ct_wrapper_run(wrapper, &objcopy, NULL);
	ct_args_fini(&objcopy);
	ct_args_push(args, "-Xlinker");
	ct_args_push(args, renamed);
	return status;
}

/* Shared libraries find the one runtime of the process in the program. */
static void add_exports(struct ct_args *args)
{
	static const char *const symbols[] = {"__ct_*",   "ct_abi_v6",
					      "cuda*",    "__cuda*",
					      "cu[A-Z]*", "InitializeInjectionNvtx2_fnptr"};

	for (size_t i = 0; i < COUNT(symbols); i++)
		ct_args_pushf(args, "-Wl,--export-dynamic-symbol=%s", symbols[i]);
}

/* The runtime as an archive, in the program. */
static int add_archive(struct ct_wrapper *wrapper, struct ct_args *args)
{
	const char *archive =
	    is_cpu(wrapper) ? wrapper->parts.runtime_cpu : wrapper->parts.runtime_gpu;
	char why[PATH_MAX + 200];
	int status = 0;

	if (ct_parts_need(archive, why, sizeof(why)) < 0)
		return ct_wrapper_error(wrapper, "%s", why);
	add_exports(args);
	if (*CT_SANITIZE) /* a build for our own tests: the runtime archive carries it */
		ct_args_push(args, "-fsanitize=" CT_SANITIZE);
	/* -Xlinker: neither an -x in force nor a comma in the path matters. */
	ct_args_push(args, "-Xlinker");
	ct_args_push(args, archive);
	if (is_cpu(wrapper))
		ct_args_push(args, "-lm");
	else
		status = add_cudart(wrapper, args);
	ct_args_push(args, "-lpthread");
	ct_args_push(args, "-ldl");
	if (!is_cpu(wrapper))
		ct_args_push(args, "-lrt");
	return status;
}

/* The runtime as a library, by its name: programs look for it where it is now, unless they are
 * given another another place. It comes ahead of NVIDIA's (-lcuda), whose functions it has, too. */
static int add_library(struct ct_wrapper *wrapper, struct ct_args *args)
{
	const char *library =
	    is_cpu(wrapper) ? wrapper->parts.library_cpu : wrapper->parts.library_gpu;
	char why[PATH_MAX + 200];
	const char *name;

	if (ct_parts_need(library, why, sizeof(why)) < 0)
		return ct_wrapper_error(wrapper, "%s", why);
	if (*CT_SANITIZE)
		ct_args_push(args, "-fsanitize=" CT_SANITIZE);
	name = strrchr(library, '/');
	ct_args_push(args, "-Wl,--push-state,--no-as-needed");
	ct_args_push(args, "-Xlinker");
	ct_args_pushf(args, "-L%.*s", (int)(name - library), library);
	ct_args_push(args, "-Xlinker");
	ct_args_pushf(args, "-l:%s", name + 1);
	ct_args_push(args, "-Wl,--pop-state");
	ct_args_push(args, "-Xlinker");
	ct_args_push(args, "-rpath");
	ct_args_push(args, "-Xlinker");
	ct_args_pushf(args, "%.*s", (int)(name - library), library);
	return 0;
}

int ct_link_begin(struct ct_wrapper *wrapper, struct ct_args *args)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;
	int status;

	if (cmdline->relocatable || !cmdline->own.shared_runtime)
		return 0;
	ct_args_push(args, "--start-no-unused-arguments");
	status = add_library(wrapper, args);
	ct_args_push(args, "--end-no-unused-arguments");
	return status;
}

int ct_link_add_runtime(struct ct_wrapper *wrapper, struct ct_args *args)
{
	const struct ct_cmdline *cmdline = &wrapper->cmdline;
	int status = 0;

	if (cmdline->relocatable)
		return 0; /* the runtime belongs to the final link */
	ct_args_push(args, "--start-no-unused-arguments");
	if (!is_cpu(wrapper))
		add_cuda_directory(wrapper, args);
	if (!is_cpu(wrapper) && cmdline->rdc && !cmdline->classic_offload)
		add_device_link(wrapper, args);
	if (!is_cpu(wrapper) && cmdline->rdc)
		add_units_of_archives(wrapper, args);
	if (!cmdline->own.shared_runtime && !cmdline->shared)
		status = add_archive(wrapper, args);
	else if (!cmdline->own.shared_runtime && cmdline->no_undefined)
		ct_args_push(args, "-Wl,-z,undefs");
	ct_args_push(args, "--end-no-unused-arguments");
	return status;
}

static bool is_cuda_function(const char *name)
{
	return fnmatch("cuda[A-Z]*", name, 0) == 0 || fnmatch("cu[A-Z]*", name, 0) == 0 ||
	       fnmatch("__cuda*", name, 0) == 0;
}

/* One line with every CUDA function that the link missed. */
static void explain_missing(const struct ct_wrapper *wrapper, const char *messages)
{
	struct ct_args missing = {0};

	while (*messages) {
		size_t bytes = strcspn(messages, "\n");
		const char *function;
		bool known = false;
		char name[256];

		ct_unreached_symbol(messages, bytes, name, sizeof(name));
		messages += bytes + (messages[bytes] == '\n');
		function = strncmp(name, "__real_", 7) == 0 ? name + 7 : name;
		for (size_t i = 0; i < missing.count; i++)
			known = known || strcmp(missing.words[i], function) == 0;
		if (!known && is_cuda_function(function))
			ct_args_push(&missing, function);
	}
	if (missing.count) {
		fprintf(stderr, "%s: the CPU target does not implement", wrapper->program);
		for (size_t i = 0; i < missing.count; i++)
			fprintf(stderr, "%s %s", i ? "," : "", missing.words[i]);
		fprintf(stderr, " (build for the GPU with --ct-target=gpu, or do without)\n");
	}
	ct_args_fini(&missing);
}

int ct_link_run(struct ct_wrapper *wrapper, struct ct_args *args)
{
	struct ct_capture capture = {.held = is_cpu(wrapper)};
	int status = ct_wrapper_run(wrapper, args, &capture);
	bool failed = status > 0 && status < CT_STATUS_SIGNAL && capture.text;

	if (failed && is_cpu(wrapper) && ct_unreached_add(wrapper, args, capture.text)) {
		free(capture.text);
		capture = (struct ct_capture){.held = true};
		status = ct_wrapper_run(wrapper, args, &capture);
		failed = status > 0 && status < CT_STATUS_SIGNAL && capture.text;
	}
	if (capture.held && capture.text)
		fputs(capture.text, stderr);
	if (failed && is_cpu(wrapper))
		explain_missing(wrapper, capture.text);
	else if (failed && strstr(capture.text, "posix_spawn failed") &&
		 (wrapper->cmdline.rdc || wrapper->cmdline.offload_driver_named))
		fprintf(stderr,
			"%s: this link needs clang-linker-wrapper: install clang-tools of the same "
			"version (setup.sh deps)\n",
			wrapper->program);
	else if (failed && strstr(capture.text, "__ct_cpu_register_unit"))
		fprintf(stderr,
			"%s: there are objects of the CPU target among these: link with "
			"--ct-target=cpu, or compile them again\n",
			wrapper->program);
	free(capture.text);
	return status;
}
