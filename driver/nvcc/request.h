/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what one command line of nvcc asks for, in words of clang. */
#ifndef CT_DRIVER_NVCC_REQUEST_H
#define CT_DRIVER_NVCC_REQUEST_H

#include "driver/base/args.h"
#include "driver/compiler/own.h"
#include "driver/nvcc/arch.h"
#include "driver/nvcc/option.h"

enum ct_nvcc_phase {
	CT_NVCC_LINKS,
	CT_NVCC_COMPILES,
	CT_NVCC_PREPROCESSES, /* -E, -M, -MM: the option is in preprocess */
	CT_NVCC_MAKES_PTX,
	CT_NVCC_MAKES_CUBIN,
	CT_NVCC_MAKES_FATBIN,
	CT_NVCC_LINKS_DEVICE,
	CT_NVCC_ARCHIVES,
	CT_NVCC_RUNS,
};

enum ct_nvcc_kind {
	CT_NVCC_IS_CUDA,
	CT_NVCC_IS_CXX,
	CT_NVCC_IS_C,
	CT_NVCC_IS_DEVICE, /* .ptx, .cubin, .fatbin */
	CT_NVCC_IS_OBJECT, /* and whatever a linker takes */
};

struct ct_nvcc_input {
	enum ct_nvcc_kind kind;
	const char *path; /* borrowed */
};

struct ct_nvcc_sides {
	bool compile, link;
};

enum ct_nvcc_choice { CT_NVCC_BY_DEFAULT, CT_NVCC_NO, CT_NVCC_YES };

struct ct_nvcc_request {
	const char *program;
	struct ct_args words; /* of the line, files of options read; others borrow from here */
	struct ct_own own;
	struct ct_args own_words; /* --ct-… */

	enum ct_nvcc_phase phase;
	const char *preprocess; /* "-E", "-M" or "-MM" */
	struct ct_nvcc_input *inputs;
	size_t count, sources;
	const char *unknown_input; /* that is no file of any kind, or NULL */

	struct ct_args both;           /* for all sources: of the host's compiler */
	struct ct_args compile;        /* for all sources, behind those */
	struct ct_args host;           /* for host code */
	struct ct_nvcc_sides of_value; /* the host's compiler's next word is a value there */
	const char **text_of_value;    /* or this value of the request's, or NULL */
	struct ct_args kept;           /* such values */
	struct ct_args cuda;           /* for CUDA sources */
	struct ct_args link;           /* for links: flags */
	struct ct_args libraries;      /* for links: -L, -l, behind the inputs */
	struct ct_args archive, ptxas, fatbinary, run;
	struct ct_nvcc_archs archs;

	const char *output, *output_directory, *language, *standard, *archiver, *keep_directory;
	const char *arch, *host_compiler;
	struct ct_args codes;
	const char *dependencies; /* "-MD", "-MMD" or NULL */
	const char *dependency_file, *dependency_target;
	bool dependency_phony, dependency_quoted; /* the target, for make */
	bool rdc, device_debug, device_optimized, device_fast, no_device_link;
	bool fast_math, ftz, approximate_division, approximate_roots, no_fmad;
	enum ct_nvcc_choice hidden; /* kernels and device variables, from other libraries */
	bool strict_sides;          /* calls of the other side are errors */
	bool per_thread_streams;
	bool forward_to_compiler, forward_to_linker;
	bool dry_run, verbose, keep, clean, help, version, list_codes, list_archs;
};

/* Read argv[1..], with NVCC_PREPEND_FLAGS and its like. Warnings are said; returns 0, or a negative
 * error, said. */
int ct_nvcc_request_read(struct ct_nvcc_request *request, int argc, char **argv);
void ct_nvcc_request_fini(struct ct_nvcc_request *request);

/* "<program>: error: …" and "<program>: warning: …"; the first returns -EINVAL. */
int ct_nvcc_error(const struct ct_nvcc_request *request, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ct_nvcc_warn(const struct ct_nvcc_request *request, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* take.c: an option of fate OWN, with one argument of it. As ct_nvcc_request_read. */
int ct_nvcc_take(struct ct_nvcc_request *request, enum ct_nvcc_id id, const char *value);

/* check.c: an argument by itself, and all options together, as nvcc takes them. Return 0, or
 * negative, said. */
int ct_nvcc_check_value(const struct ct_nvcc_request *request, enum ct_nvcc_id id,
			const char *value);
int ct_nvcc_check_together(const struct ct_nvcc_request *request);
/* Leave out architectures that cannot be traced; an error if no other is left. */
int ct_nvcc_check_archs(struct ct_nvcc_request *request);

/* host.c: a word for the host's compiler: -Xcompiler, unknown options that are forwarded. */
void ct_nvcc_take_host_word(struct ct_nvcc_request *request, const char *word);

#endif
