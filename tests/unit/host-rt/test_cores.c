/* SPDX-License-Identifier: Apache-2.0 */
/* The cores that a process may use: quotas of control groups, affinity. */
#include "host-rt/base/cores.h"
#include <criterion/criterion.h>
#include <sched.h>

Test(hostrt_cores, quotas_are_rounded_up)
{
	cr_assert_eq(ct_cores_of_quota("max 100000\n"), UINT32_MAX);
	cr_assert_eq(ct_cores_of_quota(""), UINT32_MAX);
	cr_assert_eq(ct_cores_of_quota("200000 100000\n"), 2);
	cr_assert_eq(ct_cores_of_quota("150000 100000\n"), 2);
	cr_assert_eq(ct_cores_of_quota("1000 100000\n"), 1);
	cr_assert_eq(ct_cores_of_quota("100 0\n"), UINT32_MAX, "no division by it");
}

Test(hostrt_cores, affinity_counts)
{
	cpu_set_t one;
	int core = sched_getcpu();

	cr_assert_geq(ct_cores_usable(), 1);
	CPU_ZERO(&one);
	CPU_SET(core < 0 ? 0 : core, &one);
	cr_assert_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	cr_assert_eq(ct_cores_usable(), 1);
}
