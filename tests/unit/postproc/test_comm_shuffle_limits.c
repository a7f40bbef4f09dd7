/* SPDX-License-Identifier: Apache-2.0 */
/* The shuffle within its memory, and where the temporary file cannot grow. */
#include "tests/unit/postproc/comm_records.h"

#include <criterion/criterion.h>
#include <cudatrace/error.h>
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
#define PARTITIONS 32u

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static struct ct_ranks *alone(void)
{
	struct ct_ranks *ranks;
	char why[200] = "";

	cr_assert_eq(ct_ranks_open(&ranks, why, sizeof(why)), 0, "%s", why);
	return ranks;
}

static size_t most_resident(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (size_t)usage.ru_maxrss << 10;
}

/* A bit per record is the test's own; a few pages of stack and of libraries are everybody's. */
Test(shuffle_limits, takes_1_gib_through_64_mib)
{
	const uint64_t records = (SANITIZED ? 128 : 1024) * MIB / 32;
	const struct comm_case of = {.record_bytes = 32,
				     .partitions = 256,
				     .writers = 2,
				     .readers = 2,
				     .memory_bytes = 64 * MIB,
				     .records = records / 2,
				     .keys = COMM_KEYS_ADDRESSES};
	size_t before = most_resident(), after;
	uint64_t spilled;
	char why[200] = "";
	int err = comm_case_run(&of, alone(), &spilled, why, sizeof(why));

	cr_assert_eq(err, 0, "%d %s", err, why);
	cr_assert_gt(spilled, records * 32 / 2);
	after = most_resident();
	if (!SANITIZED)
		cr_assert_lt(after - before, 64 * MIB + records / 8 + MIB, "%zu KiB",
			     (after - before) >> 10);
}

/* Spilled records are bounded, too: 32 MB do not go through 4 MB of memory and 8 MB of a file. */
Test(shuffle_limits, files_keep_to_their_limit)
{
	const struct comm_case of = {.record_bytes = 32,
				     .partitions = PARTITIONS,
				     .writers = 1,
				     .readers = 1,
				     .memory_bytes = 4 * MIB,
				     .records = MIB,
				     .keys = COMM_KEYS_ADDRESSES};
	char why[200] = "";
	uint64_t spilled;

	setenv("CTPOST_TEMP_LIMIT", "8M", 1);
	cr_expect_eq(comm_case_run(&of, alone(), &spilled, why, sizeof(why)), -CT_ETEMP);
	setenv("CTPOST_TEMP_LIMIT", "256M", 1);
	cr_expect_eq(comm_case_run(&of, alone(), &spilled, why, sizeof(why)), 0, "%s", why);
	cr_expect_gt(spilled, 8 * MIB);
}

Test(shuffle_limits, works_with_the_least_memory_and_refuses_less)
{
	const struct {
		uint32_t partitions, writers;
		size_t record_bytes;
	} sizes[] = {{1, 1, 16}, {1, 16, 160}, {1000, 3, 40}, {65536, 2, 24}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct comm_case of = {.record_bytes = sizes[i].record_bytes,
				       .partitions = sizes[i].partitions,
				       .writers = sizes[i].writers,
				       .readers = 3,
				       .records = 100000 / sizes[i].writers,
				       .keys = COMM_KEYS_ADDRESSES};
		char why[200] = "";
		int err;

		of.memory_bytes =
		    2 * MIB + (size_t)of.partitions * (of.writers + 2) * (of.record_bytes + 8) * 4;
		err = comm_case_run(&of, alone(), NULL, why, sizeof(why));
		cr_assert_eq(err, 0, "%zu: %d %s", i, err, why);
		of.memory_bytes /= 4;
		cr_assert_eq(comm_case_run(&of, alone(), NULL, why, sizeof(why)), -EINVAL);
	}
}

static struct ct_shuffle_options usual(const char *directory)
{
	return (struct ct_shuffle_options){.record_bytes = 32,
					   .partitions = PARTITIONS,
					   .writers = 1,
					   .readers = 1,
					   .memory_bytes = 2 * MIB,
					   .key_mask = {UINT64_MAX, 0},
					   .directory = directory,
					   .ranks = alone()};
}

Test(shuffle_limits, refuses_options_out_of_range)
{
	struct ct_shuffle *shuffle;

	for (int i = 0; i < 8; i++) {
		struct ct_shuffle_options options = usual("/tmp");

		switch (i) {
		case 0:
			options.record_bytes = 8;
			break;
		case 1:
			options.record_bytes = 168;
			break;
		case 2:
			options.record_bytes = 33;
			break;
		case 3:
			options.partitions = 0;
			break;
		case 4:
			options.partitions = 65537;
			break;
		case 5:
			options.writers = 0;
			break;
		case 6:
			options.readers = 0;
			break;
		case 7:
			options.memory_bytes = MIB;
			break;
		}
		cr_assert_eq(ct_shuffle_open(&shuffle, &options), -EINVAL, "%d", i);
		cr_assert_null(shuffle);
	}
	ct_shuffle_close(NULL);
}

/* Put until something reaches the file, or count records. The error of the last put. */
static int put_until(struct ct_shuffle *shuffle, uint64_t spilled, uint64_t count)
{
	uint64_t record[4] = {0};
	int err = 0;

	for (uint64_t i = 0; err == 0 && i < count && ct_shuffle_spilled(shuffle) <= spilled; i++) {
		record[0] = i * 0x9e3779b97f4a7c15ull;
		err = ct_shuffle_put(shuffle, 0, i % PARTITIONS, record);
	}
	return err;
}

static size_t entries(const char *path)
{
	DIR *directory = opendir(path);
	size_t count = 0;

	cr_assert_not_null(directory);
	while (readdir(directory))
		count++;
	closedir(directory);
	return count;
}

/* So that nothing is left even after SIGKILL. */
Test(shuffle_limits, never_shows_its_file)
{
	char path[] = "/tmp/ct-shuffle-XXXXXX";
	struct ct_shuffle_options options = usual(mkdtemp(path));
	struct ct_shuffle *shuffle;
	size_t descriptors = entries("/proc/self/fd");

	cr_assert_eq(ct_shuffle_open(&shuffle, &options), 0);
	cr_assert_eq(put_until(shuffle, 0, UINT64_MAX), 0);
	cr_assert_eq(entries("/proc/self/fd"), descriptors + 1);
	cr_assert_eq(entries(path), 2);
	ct_shuffle_close(shuffle);
	cr_assert_eq(entries("/proc/self/fd"), descriptors);
	rmdir(path);
}

static int take_none(void *user, void *records, size_t count)
{
	(void)records;
	*(size_t *)user += count;
	return 7;
}

static int take_all(void *user, void *records, size_t count)
{
	(void)records;
	*(size_t *)user += count;
	return 0;
}

/* All of a partition's records fit a share, or are merged from the file. */
Test(shuffle_limits, stops_where_take_stops)
{
	for (uint32_t partitions = 1; partitions <= PARTITIONS; partitions *= PARTITIONS) {
		struct ct_shuffle_options options = usual("/tmp");
		struct ct_shuffle *shuffle;
		uint64_t record[4] = {0};
		size_t count = 0;

		cr_assert_eq(ct_shuffle_open(&shuffle, &options), 0);
		for (uint64_t i = 0; i < 200000; i++) {
			record[0] = i * 0x9e3779b97f4a7c15ull;
			cr_assert_eq(ct_shuffle_put(shuffle, 0, i % partitions, record), 0);
		}
		cr_assert_eq(ct_shuffle_finish(shuffle), 0);
		cr_assert_eq(ct_shuffle_each(shuffle, 0, take_none, &count), 7);
		cr_assert(count > 0 && count < 200000 / partitions);
		count = 0;
		cr_assert_eq(ct_shuffle_each(shuffle, 0, take_all, &count), 0);
		cr_assert_eq(count, 200000 / partitions);
		ct_shuffle_close(shuffle);
	}
}

/* The error comes from a put, and from everything after it. */
static void expect_error(const char *directory, int expected)
{
	struct ct_shuffle_options options = usual(directory);
	struct ct_shuffle *shuffle;
	size_t count = 0, descriptors = entries("/proc/self/fd");
	int err;

	cr_assert_eq(ct_shuffle_open(&shuffle, &options), 0);
	err = put_until(shuffle, UINT64_MAX, 4000000);
	cr_assert_eq(err, expected, "%d", err);
	cr_assert_eq(ct_shuffle_finish(shuffle), expected);
	cr_assert_eq(ct_shuffle_each(shuffle, 0, take_all, &count), expected);
	cr_assert_eq(count, 0);
	ct_shuffle_close(shuffle);
	cr_assert_eq(entries("/proc/self/fd"), descriptors);
}

Test(shuffle_limits, reports_a_directory_that_is_not_there)
{
	expect_error("/tmp/ct-shuffle-is/not/there", -ENOENT);
}

Test(shuffle_limits, reports_a_file_that_may_not_grow)
{
	struct rlimit limit = {.rlim_cur = 16 * MIB, .rlim_max = RLIM_INFINITY};

	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	expect_error("/tmp", -EFBIG);
}

Test(shuffle_limits, reports_a_full_disk)
{
	char path[] = "/tmp/ct-shuffle-XXXXXX";

	cr_assert_not_null(mkdtemp(path));
	if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", path, "tmpfs", 0, "size=8m") != 0) {
		rmdir(path);
		cr_skip_test("no tmpfs may be mounted here");
	}
	expect_error(path, -CT_ETEMP);
	cr_assert_eq(entries(path), 2);
	umount(path);
	rmdir(path);
}
