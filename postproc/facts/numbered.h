/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a trace, numbered: the launched ones in the order of their first launch, then
 * the others of all units, told apart by their symbol; and the sites of all units. */
#ifndef CT_POSTPROC_FACTS_NUMBERED_H
#define CT_POSTPROC_FACTS_NUMBERED_H

#include "trace/read/reader.h"
#include <stddef.h>
#include <stdint.h>

struct ct_numbered_kernel {
	const char *symbol;
	const char *name;
	const struct ct_unit *unit; /* NULL: not known */
	uint32_t index;             /* in unit */
	uint64_t launches, traced_launches;
};

struct ct_numbered_kernels {
	struct ct_numbered_kernel *list;
	size_t count;
	uint32_t *sorted; /* by symbol */
};

/* 0 or -ENOMEM. The trace must outlive it. */
int ct_numbered_kernels_init(struct ct_numbered_kernels *kernels, const struct ct_trace *trace);
void ct_numbered_kernels_fini(struct ct_numbered_kernels *kernels);

/* The number of a kernel; UINT64_MAX: there is none. */
uint64_t ct_numbered_kernel_of(const struct ct_numbered_kernels *kernels, const char *symbol);

/* By unit, the number of its first site among those of all units; behind the last unit, how many
 * there are. The caller frees it. 0, -ENOMEM, or -EOVERFLOW: more than UINT32_MAX. */
int ct_first_sites(const struct ct_trace *trace, uint32_t **first);

#endif
