/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the toolkit in use in the words in which nvcc says it. */
#ifndef CT_DRIVER_NVCC_TOOLKIT_H
#define CT_DRIVER_NVCC_TOOLKIT_H

#include "driver/nvcc/job.h"

struct ct_nvcc_version {
	unsigned major, minor, build;
};

/* The version of the toolkit's compiler, or of its headers where it has none. */
struct ct_nvcc_version ct_nvcc_version_of(const struct ct_parts *parts);

/* --version: nvcc's lines, which build systems look for, and ours. */
void ct_nvcc_print_version(const struct ct_parts *parts);

/* The settings that nvcc prints before its commands, which build systems read: "#$ TOP=…". */
void ct_nvcc_print_settings(const struct ct_nvcc_job *job);

/* root[CT_NVCC_ROOT_MAX]: of the toolkit that is reported to callers: ours for the target
 * (driver/compiler/view.h), else the one in use. */
#define CT_NVCC_ROOT_MAX PATH_MAX
void ct_nvcc_toolkit(const struct ct_nvcc_job *job, char *root);

#endif
