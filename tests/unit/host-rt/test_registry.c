/* SPDX-License-Identifier: Apache-2.0 */
/* The registry: what constructors hand over is found again, and damage is kept out. */
#include "host-rt/base/registry.h"
#include <criterion/criterion.h>
#include <cudatrace/host.h>
#include <string.h>
#include <zstd.h>

struct blob {
	struct ct_unit_header header;
	struct ct_unit_kernel kernels[2];
	char strings[64];
};

static struct blob make_blob(uint64_t id, uint32_t arch)
{
	struct blob blob = {.header = {.magic = CT_UNIT_MAGIC,
				       .version = CT_UNIT_VERSION,
				       .header_bytes = sizeof(struct ct_unit_header),
				       .unit_id = id,
				       .arch = arch,
				       .kernel_count = 2,
				       .string_bytes = 64}};

	memcpy(blob.strings, "\0_Z1av\0_Z1bv\0a()\0calls a library\0", 33);
	blob.kernels[0].name = 1;
	blob.kernels[0].display = 13;
	blob.kernels[1].name = 7;
	blob.kernels[1].reason = 17;
	return blob;
}

Test(hostrt_registry, a_unit_is_found_by_the_architecture_that_runs)
{
	static struct blob sm_75, sm_90;
	const struct ct_unit_header *unit;

	sm_75 = make_blob(11, 75);
	sm_90 = make_blob(11, 90);
	__ct_register_unit(&sm_75, sizeof(sm_75));
	__ct_register_unit(&sm_90, sizeof(sm_90));
	cr_assert_eq(ct_registry_unit_count(), 2);
	unit = ct_registry_unit(11, 75, 90);
	cr_assert_eq(unit->arch, 75, "compiled from PTX");
	unit = ct_registry_unit(11, 80, 90);
	cr_assert_eq(unit->arch, 90, "by the real architecture");
	cr_assert_not_null(ct_registry_unit(11, 0, 0), "the CPU target asks for any");
	cr_assert_null(ct_registry_unit(12, 75, 75));
}

Test(hostrt_registry, packed_blobs_are_unpacked)
{
	static struct blob blob;
	char packed[sizeof(blob) + 64];
	const struct ct_unit_header *unit;
	size_t bytes;

	blob = make_blob(21, 90);
	bytes = ZSTD_compress(packed, sizeof(packed), &blob, sizeof(blob), 6);
	cr_assert(!ZSTD_isError(bytes));
	__ct_register_packed_unit(packed, bytes, sizeof(blob));
	memset(packed, 0, sizeof(packed));
	unit = ct_registry_unit(21, 90, 90);
	cr_assert_not_null(unit);
	cr_assert_arr_eq(unit, &blob, sizeof(blob));
	bytes = ZSTD_compress(packed, sizeof(packed), "lines", 6, 6);
	__ct_register_packed_places(packed, bytes, 6);
	cr_assert_str_eq(ct_registry_places()->blob, "lines");

	__ct_register_packed_places(packed, bytes, 5);
	__ct_register_packed_places(packed, bytes, 7);
	__ct_register_packed_places(packed, bytes - 1, 6);
	__ct_register_packed_unit(packed, bytes, 6);
	__ct_register_packed_unit(&blob, sizeof(blob), sizeof(blob));
	cr_assert_eq(ct_registry_unit_count(), 1);
	cr_assert_null(ct_registry_places()->next);
}

Test(hostrt_registry, kernels_of_a_unit_are_found_by_mangled_name)
{
	static struct blob blob;
	const struct ct_unit_kernel *entry;

	blob = make_blob(1, 90);
	entry = ct_registry_unit_kernel(&blob.header, "_Z1bv");
	cr_assert_eq(entry, &blob.kernels[1]);
	cr_assert_str_eq(ct_registry_unit_string(&blob.header, entry->reason), "calls a library");
	cr_assert_null(ct_registry_unit_kernel(&blob.header, "_Z1cv"));
	cr_assert_str_eq(ct_registry_unit_string(&blob.header, 64), "");
}

Test(hostrt_registry, blobs_that_are_shorter_than_they_say_are_ignored)
{
	static struct blob cut, other, newer;

	cut = make_blob(1, 90);
	__ct_register_unit(&cut, sizeof(cut) - 1);
	__ct_register_unit(&cut, 3);
	other = make_blob(2, 90);
	other.header.magic++;
	__ct_register_unit(&other, sizeof(other));
	newer = make_blob(3, 90);
	newer.header.version++;
	__ct_register_unit(&newer, sizeof(newer));
	cr_assert_eq(ct_registry_unit_count(), 0);
}

Test(hostrt_registry, every_one_of_many_kernels_is_found_by_its_stub)
{
	static char stubs[5000], clones[5000];

	for (uint32_t i = 0; i < 5000; i++)
		__ct_register_kernel(i, &stubs[i], i % 2 ? &clones[i] : NULL, "k", i % 7);
	for (uint32_t i = 0; i < 5000; i++) {
		const struct ct_kernel *kernel = ct_registry_kernel(&stubs[i]);

		cr_assert_not_null(kernel);
		cr_assert_eq(kernel->unit_id, i);
		cr_assert_eq(kernel->clone, i % 2 ? &clones[i] : NULL);
		cr_assert_eq(kernel->param_count, i % 7);
	}
	cr_assert_null(ct_registry_kernel(&clones[1]));
}
