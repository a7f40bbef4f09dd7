/* SPDX-License-Identifier: Apache-2.0 */
/* Understand a clang command line as far as a wrapper must. */
#ifndef CT_DRIVER_WRAPPER_CMDLINE_H
#define CT_DRIVER_WRAPPER_CMDLINE_H

#include "driver/base/args.h"
#include "driver/compiler/own.h"

enum ct_action {
	CT_ACTION_LINK,       /* compile what must be compiled, and link */
	CT_ACTION_COMPILE,    /* -c */
	CT_ACTION_ASSEMBLE,   /* -S */
	CT_ACTION_PREPROCESS, /* -E, -M, -MM */
	CT_ACTION_SYNTAX,     /* -fsyntax-only, --analyze, precompiled headers */
	CT_ACTION_INFORM,     /* --version, -print-..., no inputs: nothing for us to do */
};

enum ct_item_kind {
	CT_ITEM_CUDA,         /* input: CUDA source */
	CT_ITEM_SOURCE,       /* input: another language */
	CT_ITEM_LINKER_INPUT, /* objects, archives, -l, -Wl, -Xlinker */
	CT_ITEM_OUTPUT,
	CT_ITEM_LANGUAGE,
	CT_ITEM_DEPENDENCY, /* -MD and its relatives */
	CT_ITEM_ACTION,     /* -c, -S ... */
	CT_ITEM_ARCH,       /* --cuda-gpu-arch and its relatives */
	CT_ITEM_FLAG,
};

/* One option with its values, or one input. */
struct ct_item {
	enum ct_item_kind kind;
	char **words; /* borrowed from ct_cmdline.line */
	size_t count;
	const char *language; /* inputs: the -x in force, or NULL */
};

#define CT_LEVEL_OF_HOST 4

struct ct_cmdline {
	struct ct_args line; /* @FILEs expanded, own options taken out, without argv[0] */
	struct ct_item *items;
	size_t count;
	struct ct_own own;

	enum ct_action action;
	const char *output; /* -o, or NULL */
	const char *cuda_path;
	const char *arch; /* highest sm_ of --cuda-gpu-arch, or NULL */
	size_t cuda_inputs, source_inputs, linker_inputs;
	unsigned optimize;     /* 0..3 */
	unsigned device_level; /* -Xarch_device -O…, or CT_LEVEL_OF_HOST */
	bool debug;            /* -g with what it says of variables */
	bool dry_run;          /* -### */
	bool emit_llvm;
	bool device_only, host_only;
	bool shared, relocatable;
	bool rdc;
	bool offload_driver_named;
	bool classic_offload; /* --no-offload-new-driver */
	bool no_cuda_include;
	bool dependencies;      /* -MD or -MMD */
	bool dependency_file;   /* -MF given */
	bool dependency_target; /* -MT or -MQ given */
	bool dump_directory;    /* -dumpdir given */
	bool no_undefined;      /* the link forbids undefined symbols */
};

/* Parse argv[1..]. Returns 0, or a negative error with one line in why. */
int ct_cmdline_parse(struct ct_cmdline *cmdline, int argc, char **argv, char *why,
		     size_t why_bytes);
void ct_cmdline_fini(struct ct_cmdline *cmdline);

/* An input that needs compiling. */
bool ct_item_is_source(const struct ct_item *item);

#endif
