/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in memory and, behind the limit, in files. */
#include "base/large.h"
#include <criterion/criterion.h>
#include <string.h>
#include <sys/resource.h>

#define MIB ((size_t)1 << 20)

static bool is_zero(const unsigned char *array, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (array[i])
			return false;
	return true;
}

static void use(size_t bytes)
{
	unsigned char *array = ct_large_alloc(bytes, 1);

	cr_assert_not_null(array);
	cr_expect(is_zero(array, bytes));
	memset(array, 7, bytes);
	cr_expect_eq(array[bytes - 1], 7);
	ct_large_free(array);
}

Test(large, are_zeros_of_any_size)
{
	use(1);
	use(MIB - 1);
	use(MIB);
	use(9 * MIB + 5);
	ct_large_free(NULL);
	cr_expect_eq(ct_large_in_files(), 0);
	cr_expect_null(ct_large_alloc(SIZE_MAX / 2, 3));
	cr_expect_null(ct_large_alloc(SIZE_MAX, 1));
}

Test(large, behind_the_limit_are_files)
{
	void *first, *second;

	ct_large_limit(8 * MIB, NULL);
	first = ct_large_alloc(5 * MIB, 1);
	cr_expect_eq(ct_large_in_files(), 0);
	second = ct_large_alloc(5, MIB);
	cr_expect_geq(ct_large_in_files(), 5 * MIB);
	cr_expect_lt(ct_large_in_files(), 6 * MIB);
	use(4 * MIB);
	ct_large_free(first);
	/* There is room again. */
	use(5 * MIB);
	cr_expect_lt(ct_large_in_files(), 11 * MIB);
	ct_large_free(second);
	use(3);
}

/* Sanitizers map more than there is. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* Memory of the process alone is limited here: what does not fit is in files all the same. */
Test(large, files_are_no_memory_of_the_process)
{
	const struct rlimit data = {64 * MIB, 64 * MIB};

	ct_large_limit(1 * MIB, NULL);
	cr_assert_eq(setrlimit(RLIMIT_DATA, &data), 0);
	use(200 * MIB);
	ct_large_limit(UINT64_MAX, NULL);
	cr_expect_null(ct_large_alloc(200 * MIB, 1));
}
#endif

Test(large, without_a_directory_there_is_none)
{
	ct_large_limit(1, "/nonexistent");
	cr_expect_null(ct_large_alloc(2 * MIB, 1));
	use(1000);
}

Test(large, what_is_only_spared_is_in_memory_then)
{
	ct_large_spare(1, "/nonexistent");
	use(2 * MIB);
	cr_expect_eq(ct_large_in_files(), 0);
}
