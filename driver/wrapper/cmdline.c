/* SPDX-License-Identifier: Apache-2.0 */
/* Understand a clang command line: inputs, languages, action, output. */
#include "driver/wrapper/cmdline.h"
#include "driver/compiler/view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value_option {
	const char *name;
	size_t values;
	enum ct_item_kind kind;
};

static const struct value_option value_options[] = {
#define CT_CLANG_VALUE(name, values, kind) {name, values, CT_ITEM_##kind},
#include "driver/wrapper/clang-options.def"
#undef CT_CLANG_VALUE
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool begins(const char *word, const char *prefix)
{
	return strncmp(word, prefix, strlen(prefix)) == 0;
}

static bool is_one_of(const char *word, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(word, names[i]) == 0)
			return true;
	return false;
}

bool ct_item_is_source(const struct ct_item *item)
{
	return item->kind == CT_ITEM_CUDA || item->kind == CT_ITEM_SOURCE;
}

/* Words after an option that belong to it, and its kind if the table knows it. */
static size_t values_of(const char *word, enum ct_item_kind *kind)
{
	for (size_t i = 0; i < COUNT(value_options); i++) {
		if (strcmp(word, value_options[i].name) == 0) {
			*kind = value_options[i].kind;
			return value_options[i].values;
		}
	}
	if (begins(word, "-Xarch_") || begins(word, "-Xopenmp-target=") ||
	    begins(word, "-Xoffload-linker"))
		return 1;
	return 0;
}

/* Kinds of options that are one word. */
static enum ct_item_kind kind_of_flag(const char *word)
{
	static const char *const dependency[] = {"-MD", "-MMD", "--write-dependencies",
						 "-MP", "-MG",  "--write-user-dependencies",
						 "-MV"};
	static const char *const action[] = {
	    "-c",  "--compile", "-S",        "--assemble",    "-E",           "--preprocess", "-M",
	    "-MM", "-dM",       "--analyze", "-fsyntax-only", "--precompile", "-###"};

	if (is_one_of(word, dependency, COUNT(dependency)) || begins(word, "-MF") ||
	    begins(word, "-MT") || begins(word, "-MQ") || begins(word, "-MJ") ||
	    begins(word, "-Wp,-M"))
		return CT_ITEM_DEPENDENCY;
	if (is_one_of(word, action, COUNT(action)))
		return CT_ITEM_ACTION;
	if (begins(word, "-Wl,") || begins(word, "-l"))
		return CT_ITEM_LINKER_INPUT;
	if (begins(word, "--cuda-gpu-arch=") || begins(word, "--offload-arch=") ||
	    begins(word, "--no-cuda-gpu-arch=") || begins(word, "--no-offload-arch=") ||
	    begins(word, "--cuda-include-ptx=") || begins(word, "--no-cuda-include-ptx="))
		return CT_ITEM_ARCH;
	if ((begins(word, "-o") && !begins(word, "-obj")) || begins(word, "--output="))
		return CT_ITEM_OUTPUT;
	if (begins(word, "-x") || begins(word, "--language="))
		return CT_ITEM_LANGUAGE;
	return CT_ITEM_FLAG;
}

/* The value of an option, joined to name or in the next word. */
static const char *value_of(const struct ct_item *item)
{
	const char *equals;

	if (item->count > 1)
		return item->words[1];
	if (begins(item->words[0], "--")) {
		equals = strchr(item->words[0], '=');
		return equals ? equals + 1 : "";
	}
	return item->words[0] + 2;
}

static enum ct_item_kind kind_of_input(const char *path, const char *language)
{
	static const char *const cuda[] = {"cu", "cui"};
	static const char *const source[] = {
	    "c",    "cc",   "cp", "cxx", "cpp", "CPP", "c++", "C",    "CC",  "i",
	    "ii",   "s",    "S",  "asm", "m",   "mm",  "M",   "mi",   "mii", "bc",
	    "ll",   "hip",  "cl", "f",   "F",   "f90", "F90", "cppm", "ixx", "ccm",
	    "cxxm", "c++m", "h",  "hh",  "hpp", "hxx", "cuh"};
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');

	if (language && strcmp(language, "none") != 0)
		return begins(language, "cuda") ? CT_ITEM_CUDA : CT_ITEM_SOURCE;
	if (dot && is_one_of(dot + 1, cuda, COUNT(cuda)))
		return CT_ITEM_CUDA;
	if (dot && is_one_of(dot + 1, source, COUNT(source)))
		return CT_ITEM_SOURCE;
	return CT_ITEM_LINKER_INPUT;
}

static void note_action(struct ct_cmdline *cmdline, const char *word)
{
	static const char *const syntax[] = {"-fsyntax-only", "--analyze", "--precompile"};
	enum ct_action action = CT_ACTION_PREPROCESS;

	if (strcmp(word, "-###") == 0) {
		cmdline->dry_run = true;
		return;
	}
	if (strcmp(word, "-c") == 0 || strcmp(word, "--compile") == 0)
		action = CT_ACTION_COMPILE;
	else if (strcmp(word, "-S") == 0 || strcmp(word, "--assemble") == 0)
		action = CT_ACTION_ASSEMBLE;
	else if (is_one_of(word, syntax, COUNT(syntax)))
		action = CT_ACTION_SYNTAX;
	else if (strcmp(word, "-dM") == 0)
		return; /* asks for something only together with -E */
	if (action > cmdline->action)
		cmdline->action = action; /* the earliest phase wins, as in clang */
}

static void note_arch(struct ct_cmdline *cmdline, const char *word)
{
	const char *value = strchr(word, '=') + 1;

	if (begins(word, "--no-") || begins(word, "--cuda-include"))
		return;
	if (!begins(value, "sm_")) {
		if (!cmdline->arch)
			cmdline->arch = value;
		return;
	}
	if (!cmdline->arch || !begins(cmdline->arch, "sm_") ||
	    atoi(value + 3) > atoi(cmdline->arch + 3))
		cmdline->arch = value;
}

static void note_optimize(unsigned *optimize, const char *word)
{
	const char *level = word + 2;

	if (strcmp(level, "fast") == 0)
		*optimize = 3;
	else if (*level == 's' || *level == 'z')
		*optimize = 2;
	else if (!*level || *level == 'g')
		*optimize = 1;
	else if (*level >= '0' && *level <= '9')
		*optimize = *level > '3' ? 3 : (unsigned)(*level - '0');
}

/* -g and its relatives: of the last that says how much, whether that has variables. */
static void note_debug(bool *debug, const char *word)
{
	static const char *const with[] = {"-g",        "-g2",       "-g3",       "-ggdb",
					   "-ggdb2",    "-ggdb3",    "-glldb",    "-gdwarf",
					   "-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5"};
	static const char *const without[] = {"-g0",
					      "-g1",
					      "-ggdb0",
					      "-ggdb1",
					      "-gmlt",
					      "-gline-tables-only",
					      "-gline-directives-only"};

	if (is_one_of(word, with, COUNT(with)))
		*debug = true;
	else if (is_one_of(word, without, COUNT(without)))
		*debug = false;
}

/* Whoever links with the libraries of a toolkit of ours links with its runtime, a library. */
static void note_library_path(struct ct_cmdline *cmdline, const char *path)
{
	enum ct_target target;

	if (!ct_view_target(path, &target))
		return;
	if (!cmdline->own.runtime_named)
		cmdline->own.shared_runtime = true;
	if (!cmdline->own.target_named)
		cmdline->own.target = target;
}

static const struct {
	const char *word;
	size_t offset;
	bool value;
} switches[] = {
#define SWITCH(word, field, value)                                                                 \
	{                                                                                          \
		word, offsetof(struct ct_cmdline, field), value                                    \
	}
    SWITCH("-emit-llvm", emit_llvm, true),
    SWITCH("--cuda-device-only", device_only, true),
    SWITCH("--offload-device-only", device_only, true),
    SWITCH("--cuda-host-only", host_only, true),
    SWITCH("--offload-host-only", host_only, true),
    SWITCH("--cuda-compile-host-device", device_only, false),
    SWITCH("-shared", shared, true),
    SWITCH("--shared", shared, true),
    SWITCH("-r", relocatable, true),
    SWITCH("-fgpu-rdc", rdc, true),
    SWITCH("-fcuda-rdc", rdc, true),
    SWITCH("-fno-gpu-rdc", rdc, false),
    SWITCH("--offload-new-driver", offload_driver_named, true),
    SWITCH("--no-offload-new-driver", offload_driver_named, true),
    SWITCH("--no-offload-new-driver", classic_offload, true),
    SWITCH("--offload-link", offload_driver_named, true),
    SWITCH("-nocudainc", no_cuda_include, true),
    SWITCH("-nogpuinc", no_cuda_include, true),
    SWITCH("--no-offload-inc", no_cuda_include, true),
#undef SWITCH
};

static void note_flag(struct ct_cmdline *cmdline, const struct ct_item *item)
{
	static const char *const inform[] = {"--version",      "--help",       "-help",
					     "--autocomplete", "-dumpversion", "-dumpmachine",
					     "--help-hidden"};
	const char *word = item->words[0];

	for (size_t i = 0; i < COUNT(switches); i++)
		if (strcmp(word, switches[i].word) == 0)
			*(bool *)((char *)cmdline + switches[i].offset) = switches[i].value;
	if (begins(word, "--cuda-path="))
		cmdline->cuda_path = strchr(word, '=') + 1;
	else if (begins(word, "-L"))
		note_library_path(cmdline, value_of(item));
	else if (strcmp(word, "-Xarch_device") == 0 && item->count > 1 &&
		 begins(item->words[1], "-O"))
		note_optimize(&cmdline->device_level, item->words[1]);
	else if (begins(word, "-O"))
		note_optimize(&cmdline->optimize, word);
	else if (begins(word, "-g"))
		note_debug(&cmdline->debug, word);
	else if (is_one_of(word, inform, COUNT(inform)) || begins(word, "-print-") ||
		 begins(word, "--print-"))
		cmdline->action = CT_ACTION_INFORM;
	else if (strcmp(word, "-dumpdir") == 0)
		cmdline->dump_directory = true;
	else if (strcmp(word, "-z") == 0 && item->count > 1 && strcmp(item->words[1], "defs") == 0)
		cmdline->no_undefined = true;
}

static void note_item(struct ct_cmdline *cmdline, const struct ct_item *item)
{
	const char *word = item->words[0];

	switch (item->kind) {
	case CT_ITEM_CUDA:
		cmdline->cuda_inputs++;
		break;
	case CT_ITEM_SOURCE:
		cmdline->source_inputs++;
		break;
	case CT_ITEM_LINKER_INPUT:
		cmdline->linker_inputs++;
		if (strstr(word, "-z,defs") || strstr(word, "--no-undefined"))
			cmdline->no_undefined = true;
		if (strcmp(word, "-Wl,-r") == 0 || strcmp(word, "-Wl,--relocatable") == 0)
			cmdline->relocatable = true;
		break;
	case CT_ITEM_OUTPUT:
		cmdline->output = value_of(item);
		break;
	case CT_ITEM_DEPENDENCY:
		if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0 ||
		    begins(word, "--write-"))
			cmdline->dependencies = true;
		else if (begins(word, "-Wp,-M"))
			cmdline->dependencies = cmdline->dependency_file = true;
		else if (begins(word, "-MF"))
			cmdline->dependency_file = true;
		else if (begins(word, "-MT") || begins(word, "-MQ"))
			cmdline->dependency_target = true;
		break;
	case CT_ITEM_ACTION:
		note_action(cmdline, word);
		break;
	case CT_ITEM_ARCH:
		note_arch(cmdline, word);
		break;
	case CT_ITEM_FLAG:
		note_flag(cmdline, item);
		break;
	case CT_ITEM_LANGUAGE:
		break;
	}
}

/* "-x.cu" after "--" is a file; "./-x.cu" is one anywhere on a line. */
static char *protect(struct ct_cmdline *cmdline, size_t at)
{
	char *word = cmdline->line.words[at];
	char *path = malloc(strlen(word) + 3);

	if (!path) {
		cmdline->line.failed = true;
		return word;
	}
	sprintf(path, "./%s", word);
	free(word);
	return cmdline->line.words[at] = path;
}

/* Cut the line into items. */
static void cut_items(struct ct_cmdline *cmdline)
{
	const char *language = NULL;
	bool only_inputs = false;
	size_t at = 0;

	while (at < cmdline->line.count) {
		struct ct_item *item = &cmdline->items[cmdline->count];
		char *word = cmdline->line.words[at];

		*item = (struct ct_item){.words = &cmdline->line.words[at], .count = 1};
		if (!only_inputs && strcmp(word, "--") == 0) {
			only_inputs = true;
			at++;
			continue;
		}
		if (only_inputs && word[0] == '-' && word[1])
			word = protect(cmdline, at);
		if (only_inputs || word[0] != '-' || !word[1]) {
			item->kind = kind_of_input(word, language);
			item->language = language;
		} else {
			item->kind = kind_of_flag(word);
			item->count += values_of(word, &item->kind);
		}
		if (at + item->count > cmdline->line.count)
			item->count = cmdline->line.count - at; /* clang will complain */
		if (item->kind == CT_ITEM_LANGUAGE)
			language = value_of(item);
		at += item->count;
		cmdline->count++;
	}
}

/* clang's driver ignores the option for CUDA. It means what nvcc's does: calls and launches without
 * a stream are told apart by the macro that CUDA's headers read. */
static const char *default_stream(const char *word)
{
	if (strcmp(word, "-fgpu-default-stream=per-thread") == 0)
		return "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1";
	if (strcmp(word, "-fgpu-default-stream=legacy") == 0)
		return "-UCUDA_API_PER_THREAD_DEFAULT_STREAM";
	return NULL;
}

/* A word of the user's for clang. */
static void take_word(struct ct_args *line, const char *word)
{
	const char *stream = default_stream(word);
	bool forwarded = line->count && strcmp(line->words[line->count - 1], "-Xclang") == 0;

	ct_args_push(line, stream && !forwarded ? stream : word);
}

static int take_own(struct ct_cmdline *cmdline, int argc, char **argv, char *why, size_t why_bytes)
{
	struct ct_args all = {0};
	int err = 0;

	for (int i = 1; i < argc; i++)
		ct_args_push_expanded(&all, argv[i]);
	for (size_t i = 0; i < all.count && !err; i++)
		if (ct_own_is(all.words[i]))
			err = ct_own_parse(&cmdline->own, all.words[i], why, why_bytes);
	/* Ahead of the user's words: what these say of debug information counts. */
	if (cmdline->own.all)
		ct_args_push(&cmdline->line, "-g");
	for (size_t i = 0; i < all.count && !err; i++)
		if (!ct_own_is(all.words[i]))
			take_word(&cmdline->line, all.words[i]);
	if (all.failed || cmdline->line.failed) {
		snprintf(why, why_bytes, "out of memory");
		err = -ENOMEM;
	}
	ct_args_fini(&all);
	return err;
}

int ct_cmdline_parse(struct ct_cmdline *cmdline, int argc, char **argv, char *why, size_t why_bytes)
{
	int err;

	*cmdline = (struct ct_cmdline){.action = CT_ACTION_LINK, .device_level = CT_LEVEL_OF_HOST};
	err = ct_own_init(&cmdline->own, why, why_bytes);
	if (err == 0)
		err = take_own(cmdline, argc, argv, why, why_bytes);
	if (err < 0)
		goto fini;
	cmdline->items = calloc(cmdline->line.count + 1, sizeof(*cmdline->items));
	if (!cmdline->items) {
		snprintf(why, why_bytes, "out of memory");
		err = -ENOMEM;
		goto fini;
	}
	cut_items(cmdline);
	for (size_t i = 0; i < cmdline->count; i++)
		note_item(cmdline, &cmdline->items[i]);
	if (!cmdline->cuda_inputs && !cmdline->source_inputs && !cmdline->linker_inputs)
		cmdline->action = CT_ACTION_INFORM;
	/* Whoever loads a library may be a program that has no runtime, such as an interpreter. */
	if (cmdline->shared && !cmdline->own.runtime_named)
		cmdline->own.shared_runtime = true;
	return 0;

fini:
	ct_cmdline_fini(cmdline);
	return err;
}

void ct_cmdline_fini(struct ct_cmdline *cmdline)
{
	free(cmdline->items);
	cmdline->items = NULL;
	ct_args_fini(&cmdline->line);
	ct_own_fini(&cmdline->own);
}
