/* SPDX-License-Identifier: Apache-2.0 */
/* Where an access stands: the calls that lead to it, inlined ones among them. */
#ifndef CT_POSTPROC_RENDER_BASE_PATH_H
#define CT_POSTPROC_RENDER_BASE_PATH_H

#include "trace/read/reader.h"
#include <stdio.h>

/* One step: this place in this function ("": inlined, its name is not known). */
struct ct_path_step {
	const char *function;
	const char *file; /* "" unknown */
	uint32_t line, column;
	int is_inlined; /* the step before it is a call that was inlined */
};

/* Calls step for every place from the kernel to the access. */
void ct_path_walk(const struct ct_access *access,
		  void (*step)(void *user, const struct ct_path_step *step), void *user);

/* "kernel a.cu:12:3 > callee a.cu:5:1 > b.h:7:2", the last of them the access's own place. */
void ct_path_write(FILE *out, const struct ct_access *access);

#endif
