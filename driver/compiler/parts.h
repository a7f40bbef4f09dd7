/* SPDX-License-Identifier: Apache-2.0 */
/* Where our parts, the real clang and the CUDA toolkit are. */
#ifndef CT_DRIVER_COMPILER_PARTS_H
#define CT_DRIVER_COMPILER_PARTS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Files that the compiler needs, all in <root>/CT_LIBDIR but for host.h. */
struct ct_parts {
	char bin[PATH_MAX]; /* our commands */
	char clang_plugin[PATH_MAX];
	char llvm_pass[PATH_MAX];
	char retarget[PATH_MAX];
	char device_rt[PATH_MAX];     /* bitcode of the GPU producer */
	char ptxas[PATH_MAX];         /* what clang runs as ptxas */
	char cpu_device_rt[PATH_MAX]; /* bitcode of the CPU target's device runtime */
	char runtime_gpu[PATH_MAX];
	char runtime_cpu[PATH_MAX];
	char library_gpu[PATH_MAX]; /* the same as libraries */
	char library_cpu[PATH_MAX];
	char cudart[PATH_MAX];     /* NVIDIA's, named as ours calls it */
	char real_names[PATH_MAX]; /* its names, for objcopy --redefine-syms */
	char host_header[PATH_MAX];
	char toolkit[PATH_MAX];      /* beginning of the names of folders that view.h makes */
	char nvcc_headers[PATH_MAX]; /* folder: what nvcc includes and clang does not */
	char clang[PATH_MAX];
	bool clang_needs_cxx_mode; /* clang was named by CUDATRACE_CLANG and cxx was asked for */
	char cuda[PATH_MAX];       /* toolkit root, "" if there is none */
};

/* Fill in all paths; existence is checked where a part is needed. cxx: the
 * C++ driver. cuda_path: --cuda-path of the command line or NULL. Returns 0 or
 * a negative error with one line in why. */
int ct_parts_find(struct ct_parts *parts, bool cxx, const char *cuda_path, char *why,
		  size_t why_bytes);

/* Check that path can be read. Returns 0, or -ENOENT with one line in why. */
int ct_parts_need(const char *path, char *why, size_t why_bytes);

/* CUDA_VERSION of the toolkit's cuda.h, 13000 for 13.0; 0 if it does not say one. */
unsigned ct_parts_cuda_version(const char *cuda);

/* The oldest toolkit that our runtime is for, as such a number. */
#define CT_CUDA_OLDEST 12040

/* Check that there is a toolkit, and that it is not too old. Returns 0, or -ENOENT with one line in
 * why. */
int ct_parts_need_cuda(const struct ct_parts *parts, char *why, size_t why_bytes);

#endif
