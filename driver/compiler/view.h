/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A toolkit as build systems look for one, in which our runtime stands for CUDA's: whoever links
 * with its lib64/ links a program that can be traced.
 *
 *   bin/nvcc                        cuda-trace-nvcc; the other tools are the toolkit's
 *   include, nvvm                   the toolkit's
 *   lib64/libcudart_static.a, .so   linker scripts that name our runtime as a library; of the CPU
 *                                   target libcuda.so and libcudadevrt.a as well
 *   lib64/...                       the toolkit's
 */
#ifndef CT_DRIVER_COMPILER_VIEW_H
#define CT_DRIVER_COMPILER_VIEW_H

#include "driver/compiler/own.h"
#include "driver/compiler/parts.h"

/* Make it; what is there of an earlier one is replaced. Returns 0, or -errno with one line in why.
 */
int ct_view_make(const struct ct_parts *parts, enum ct_target target, const char *directory,
		 char *why, size_t why_bytes);

/* directory[PATH_MAX]: of the one that is for these parts and this target. It is the
 * installation's, or, where that was moved, CUDA_HOME names another toolkit or none was made, one
 * in the user's cache (XDG_CACHE_HOME, ~/.cache), made here if it is not there. Returns 0, or
 * -errno with one line in why. Several processes may do so at once. */
int ct_view_find(const struct ct_parts *parts, enum ct_target target, char *directory, char *why,
		 size_t why_bytes);

/* Whether this folder is the lib64/ of one, and for which target it was made. */
bool ct_view_target(const char *libraries, enum ct_target *target);

#endif
