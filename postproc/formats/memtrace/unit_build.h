/* SPDX-License-Identifier: Apache-2.0 */
/* Build a unit blob (cudatrace/unit.h) for accesses that no compiler described. */
#ifndef CT_POSTPROC_FORMATS_MEMTRACE_UNIT_BUILD_H
#define CT_POSTPROC_FORMATS_MEMTRACE_UNIT_BUILD_H

#include <stddef.h>
#include <stdint.h>

struct ct_unit_build;

int ct_unit_build_open(struct ct_unit_build **out, uint64_t unit_id, uint32_t arch,
		       const char *source);
void ct_unit_build_close(struct ct_unit_build *build); /* NULL is allowed */

/* Index of the kernel called name, added if new; negative error. */
int64_t ct_unit_build_kernel(struct ct_unit_build *build, const char *name);

/* Index of the site of (kernel, operation, bytes), added if new; negative error. */
int64_t ct_unit_build_site(struct ct_unit_build *build, uint32_t kernel, uint32_t operation,
			   uint32_t bytes);

/* The finished blob, to be freed by the caller. */
int ct_unit_build_finish(const struct ct_unit_build *build, void **blob, size_t *bytes);

#endif
