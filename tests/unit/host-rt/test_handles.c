/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels are found by their host function and by every handle that stands for it. */
#include "host-rt/launch/handles.h"
#include <criterion/criterion.h>
#include <cudatrace/host.h>

static const char stub, other_stub, clone, function, kernel;

Test(hostrt_handles, a_handle_leads_to_the_kernel_of_its_host_function)
{
	__ct_register_kernel(1, &stub, &clone, "_Z1av", 0);
	cr_assert_null(ct_handles_kernel(&function));
	ct_handles_note(&function, &stub);
	cr_assert_eq(ct_handles_kernel(&function), ct_registry_kernel(&stub));
	cr_assert_eq(ct_handles_kernel(&stub), ct_registry_kernel(&stub));
}

Test(hostrt_handles, a_handle_of_a_handle_leads_to_the_same_kernel)
{
	__ct_register_kernel(1, &stub, &clone, "_Z1av", 0);
	ct_handles_note(&kernel, &stub);
	ct_handles_note(&function, &kernel);
	cr_assert_eq(ct_handles_kernel(&function), ct_registry_kernel(&stub));
}

Test(hostrt_handles, what_is_not_a_kernel_of_ours_is_not_noted)
{
	ct_handles_note(&function, &stub);
	cr_assert_null(ct_handles_kernel(&function));
	cr_assert_null(ct_handles_kernel(NULL));
}

Test(hostrt_handles, a_handle_that_comes_again_is_of_the_last_kernel)
{
	__ct_register_kernel(1, &stub, &clone, "_Z1av", 0);
	__ct_register_kernel(1, &other_stub, &clone, "_Z1bv", 0);
	ct_handles_note(&function, &stub);
	ct_handles_note(&function, &other_stub);
	cr_assert_eq(ct_handles_kernel(&function), ct_registry_kernel(&other_stub));
}
