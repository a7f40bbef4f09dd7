/* SPDX-License-Identifier: Apache-2.0 */
/* Why a run has left no trace. */
#ifndef CT_DRIVER_CTRUN_DIAGNOSE_H
#define CT_DRIVER_CTRUN_DIAGNOSE_H

#include "driver/ctrun/output.h"

#include <stdbool.h>
#include <stddef.h>

/* One line in why, without an end: what can be seen of the program and of the directory, or what
 * is likely. Before an empty directory is removed. */
void ctrun_diagnose(const struct ctrun_output *output, const char *program, char *why,
		    size_t why_bytes);

/* Whether the program's file has our runtime, or names the library that is it. */
bool ctrun_has_runtime(const char *program);

#endif
