/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a trace of calls, and what tests expect of it. */
#ifndef COMM_ORDER_CHECK_H
#define COMM_ORDER_CHECK_H

#include "postproc/order/order.h"
#include "tests/unit/postproc/comm_order_trace.h"
#include <criterion/criterion.h>

static inline struct ct_order *opened(void)
{
	struct ct_order *result;

	cr_assert_eq(ct_order_open(&result, calls_trace()), 0);
	return result;
}

static inline void done(struct ct_order *result)
{
	ct_order_close(result);
	calls_end();
}

#define check_before(result, s, t) cr_expect(ct_order_before(result, s, t), #s " before " #t)
#define check_unordered(result, s, t)                                                              \
	cr_expect(!ct_order_before(result, s, t) && !ct_order_before(result, t, s),                \
		  #s " and " #t " unordered")

#endif
