/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a trace by their symbols, and which of them each launch is of. */
#ifndef CT_POSTPROC_FACTS_KERNEL_TABLE_H
#define CT_POSTPROC_FACTS_KERNEL_TABLE_H

#include "postproc/facts/filter.h"
#include <stdint.h>

struct ct_kernel_entry {
	const char *name, *symbol; /* of the trace */
	uint64_t launches;         /* that pass the filter */
};

/* Zero-initialise. The trace outlives it. */
struct ct_kernel_table {
	struct ct_kernel_entry *list; /* by symbol */
	uint32_t count;
	uint32_t *of_launch; /* index in list, by launch of the trace */
};

/* filter NULL: everything passes. 0 or -ENOMEM; ct_kernel_table_fini frees in either case. */
int ct_kernel_table_init(struct ct_kernel_table *kernels, const struct ct_trace *trace,
			 const struct ct_filter *filter);
void ct_kernel_table_fini(struct ct_kernel_table *kernels);

#endif
