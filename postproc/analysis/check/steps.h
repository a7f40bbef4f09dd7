/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may write memory of devices, and when: launches whose accesses are recorded, others of which
 * nothing or not all is known, copies and memsets. A launch begins with its first record; what
 * happened before it (postproc/order) has been done then, and what is not ordered with it may come
 * before it.
 */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_STEPS_H
#define CT_POSTPROC_ANALYSIS_CHECK_STEPS_H

#include "postproc/order/order.h"
#include "trace/read/reader.h"
#include <stdbool.h>

struct ct_check_steps;

/* The trace outlives it. 0 or -ENOMEM */
int ct_check_steps_open(struct ct_check_steps **out, struct ct_trace *trace);
void ct_check_steps_close(struct ct_check_steps *steps); /* NULL is allowed */

/* Whether what has written memory is known at all: nothing is lost, nothing was left out on
 * purpose for a while, and libraries' kernels would be seen. */
bool ct_check_steps_are_known(const struct ct_check_steps *steps);

/* Transfers that happened before the launch and have not been handed out, in their order; launch
 * NULL: all that are left. 0 or the first error of each. */
int ct_check_steps_until(struct ct_check_steps *steps, const struct ct_launch_info *launch,
			 int (*each)(void *user, const struct ct_transfer_info *transfer,
				     uint32_t step),
			 void *user);

/* All of them, in the order of the program's calls; borrowed. Returns how many. */
size_t ct_check_steps_all(const struct ct_check_steps *steps, const struct ct_superstep **step);
/* The superstep of a launch. */
uint32_t ct_check_steps_of(const struct ct_check_steps *steps, const struct ct_launch_info *launch);
/* Did a end before b began? */
bool ct_check_steps_before(const struct ct_check_steps *steps, uint32_t a, uint32_t b);

/* Whether nothing unknown may have written memory that was allocated at the event of that index
 * before the launch reads it. */
bool ct_check_steps_can_tell(struct ct_check_steps *steps, const struct ct_launch_info *launch,
			     uint64_t allocated_at);

#endif
