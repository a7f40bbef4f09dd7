/* SPDX-License-Identifier: Apache-2.0 */
/* One run of cuda-trace-clang: what it was asked, what it has at hand. */
#ifndef CT_DRIVER_WRAPPER_WRAPPER_H
#define CT_DRIVER_WRAPPER_WRAPPER_H

#include "driver/base/process.h"
#include "driver/compiler/parts.h"
#include "driver/compiler/scratch.h"
#include "driver/wrapper/cmdline.h"
#include <stdint.h>

struct ct_wrapper {
	const char *program; /* name in messages */
	bool cxx;
	struct ct_cmdline cmdline;
	struct ct_parts parts;
	struct ct_scratch scratch;
};

/* "<program>: error: <text>" on stderr; returns -EINVAL for the caller to hand on. */
int ct_wrapper_error(const struct ct_wrapper *wrapper, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Begin a command line of the real clang. */
void ct_wrapper_clang(const struct ct_wrapper *wrapper, struct ct_args *args);

/* A command line on stderr, as a shell takes it. */
void ct_wrapper_show(const struct ct_args *args);

/* Run a command: shown with --ct-verbose, only shown under -###, put into a
 * response file when long (clang's only). Returns as ct_process_run. */
int ct_wrapper_run(struct ct_wrapper *wrapper, struct ct_args *args, struct ct_capture *capture);

/* compile.c: arguments for CUDA sources. */

/* Begin a command line for CUDA sources: what is undefined means what it means to nvcc, unless the
 * user's words, which follow, say otherwise. */
void ct_compile_begin(const struct ct_wrapper *wrapper, struct ct_args *args);
/* Toolkit, headers and architecture: whatever clang does with CUDA sources. */
void ct_compile_add_basics(const struct ct_wrapper *wrapper, struct ct_args *args);
/* Plugin, pass and their options. seed names the compile (ct_compile_seed). */
void ct_compile_add_instrumentation(const struct ct_wrapper *wrapper, struct ct_args *args,
				    uint64_t seed);
/* --ct-host, for sources in other languages. */
void ct_compile_add_host(const struct ct_wrapper *wrapper, struct ct_args *args);
/* Hash of everything that makes this compile what it is; input NULL: the whole line. */
uint64_t ct_compile_seed(const struct ct_wrapper *wrapper, const struct ct_item *input);
/* The parts that a compile of CUDA sources needs are there. 0 or negative, said. */
int ct_compile_check(const struct ct_wrapper *wrapper);

/* split.c: compile each input by itself, then link. Returns as ct_process_run. */
int ct_split_run(struct ct_wrapper *wrapper);

/* link.c: arguments of a link. */

/* The user's words of a linker input, or nothing if this target drops it.
 * Returns 0, or negative if the target cannot have it, said. */
int ct_link_add_input(const struct ct_wrapper *wrapper, struct ct_args *args,
		      const struct ct_item *item);
/* True for flags of the device link, which the CPU target does not have. */
bool ct_link_drops(const struct ct_wrapper *wrapper, const struct ct_item *item);
/* Before the user's words: our runtime, where it is a library. */
int ct_link_begin(struct ct_wrapper *wrapper, struct ct_args *args);
/* Our runtime and the CUDA runtime, after the user's words. */
int ct_link_add_runtime(struct ct_wrapper *wrapper, struct ct_args *args);
/* Run a link, and explain missing CUDA functions. */
int ct_link_run(struct ct_wrapper *wrapper, struct ct_args *args);
/* unreached.c: the symbol that a linker's message says is undefined, or "". GNU ld:
 * "undefined reference to `NAME'"; lld: "undefined symbol: NAME". */
void ct_unreached_symbol(const char *line, size_t bytes, char *name, size_t name_bytes);

/* If the messages of a failed link of the CPU target miss device functions that no
 * kernel reaches, add what defines them. Whether it did. */
bool ct_unreached_add(struct ct_wrapper *wrapper, struct ct_args *args, const char *messages);

#endif
