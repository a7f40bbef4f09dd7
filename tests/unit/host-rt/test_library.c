/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of libraries that wait, by their names as CUPTI has them. */
#include "host-rt/activities/library.h"
#include <criterion/criterion.h>

Test(library, names_tell_what_a_call_waits_for)
{
	cr_expect_eq(ct_library_scope("cudaDeviceSynchronize_v3020"), CT_LIBRARY_DEVICE);
	cr_expect_eq(ct_library_scope("cuCtxSynchronize"), CT_LIBRARY_DEVICE);
	cr_expect_eq(ct_library_scope("cudaStreamSynchronize_ptsz_v7000"), CT_LIBRARY_STREAM);
	cr_expect_eq(ct_library_scope("cuStreamSynchronize"), CT_LIBRARY_STREAM);
	cr_expect_eq(ct_library_scope("cuEventSynchronize"), CT_LIBRARY_EVENT);
	cr_expect_eq(ct_library_scope("cudaStreamQuery_v3020"), CT_LIBRARY_NO_WAIT);
	cr_expect_eq(ct_library_scope("cudaMemcpy_v3020"), CT_LIBRARY_NO_WAIT);
	cr_expect_eq(ct_library_scope("cudaFree_v3020"), CT_LIBRARY_DEVICE);
	cr_expect_eq(ct_library_scope("cudaFreeAsync_v11020"), CT_LIBRARY_NO_WAIT);
	cr_expect_eq(ct_library_scope("cuMemFree_v2"), CT_LIBRARY_DEVICE);
	cr_expect_eq(ct_library_scope("cuMemFreeAsync_ptsz"), CT_LIBRARY_NO_WAIT);
	cr_expect_eq(ct_library_scope("cuModuleUnload"), CT_LIBRARY_DEVICE);
}
