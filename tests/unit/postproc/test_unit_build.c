/* SPDX-License-Identifier: Apache-2.0 */
/* Unit blobs for imported accesses. */
#include "postproc/facts/operation.h"
#include "postproc/formats/memtrace/unit_build.h"
#include <criterion/criterion.h>
#include <cudatrace/unit.h>
#include <stdlib.h>
#include <string.h>

Test(unit_build, gives_equal_things_one_index)
{
	struct ct_unit_build *build;

	cr_assert_eq(ct_unit_build_open(&build, 7, 0, ""), 0);
	cr_assert_eq(ct_unit_build_kernel(build, "first"), 0);
	cr_assert_eq(ct_unit_build_kernel(build, "second"), 1);
	cr_assert_eq(ct_unit_build_kernel(build, "first"), 0);
	cr_assert_eq(ct_unit_build_site(build, 0, CT_OP_LOAD, 4), 0);
	cr_assert_eq(ct_unit_build_site(build, 0, CT_OP_LOAD, 8), 1);
	cr_assert_eq(ct_unit_build_site(build, 0, CT_OP_STORE, 4), 2);
	cr_assert_eq(ct_unit_build_site(build, 1, CT_OP_LOAD, 4), 3);
	cr_assert_eq(ct_unit_build_site(build, 0, CT_OP_LOAD, 8), 1);
	cr_assert_eq(ct_unit_build_site(build, 0, CT_OP_LOAD, 4), 0);
	ct_unit_build_close(build);
}

Test(unit_build, lays_the_blob_out_as_the_header_says)
{
	struct ct_unit_build *build;
	const struct ct_unit_header *header;
	const struct ct_unit_kernel *kernels;
	const struct ct_unit_site *sites;
	const char *strings;
	void *blob;
	size_t bytes;

	cr_assert_eq(ct_unit_build_open(&build, 7, 90, "source.cu"), 0);
	ct_unit_build_kernel(build, "k");
	ct_unit_build_site(build, 0, CT_OP_ATOMIC_ADD, 8);
	cr_assert_eq(ct_unit_build_finish(build, &blob, &bytes), 0);
	ct_unit_build_close(build);
	header = blob;
	kernels = (const void *)(header + 1);
	sites = (const void *)(kernels + header->kernel_count);
	strings = (const void *)(sites + header->site_count);
	cr_assert_eq(header->magic, CT_UNIT_MAGIC);
	cr_assert_eq(bytes, (size_t)(strings + header->string_bytes - (const char *)blob));
	cr_assert_eq(header->unit_id, 7u);
	cr_assert_eq(header->arch, 90u);
	cr_assert_str_eq(strings, "");
	cr_assert_str_eq(strings + header->source, "source.cu");
	cr_assert_str_eq(strings + kernels[0].display, "k");
	cr_assert_eq(sites[0].operation, CT_OP_ATOMIC_ADD);
	cr_assert_eq(sites[0].bytes, 8u);
	cr_assert_eq(sites[0].inlined_at, CT_NONE);
	free(blob);
}
