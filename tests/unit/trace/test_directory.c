/* SPDX-License-Identifier: Apache-2.0 */
/* Who writes which part of a directory, and who removes what of an earlier trace. */
#include "tests/unit/trace/trace_fixture.h"
#include "trace/names/directory.h"

#include <criterion/criterion.h>
#include <cudatrace/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *directory;
static const char *const (*variables)[2];

static void make(void)
{
	directory = fixture_directory();
}

static void clean(void)
{
	fixture_remove(directory);
}

TestSuite(directory, .init = make, .fini = clean);

static const char *lookup(const char *name)
{
	for (size_t i = 0; variables[i][0]; i++)
		if (strcmp(variables[i][0], name) == 0)
			return variables[i][1];
	return NULL;
}

static struct ct_rank find(const char *const (*list)[2])
{
	variables = list;
	return ct_rank_find(lookup);
}

static void check(const char *const (*list)[2], uint32_t rank, uint32_t ranks, const char *job)
{
	struct ct_rank found = find(list);

	cr_assert_eq(found.rank, rank, "%u", found.rank);
	cr_assert_eq(found.ranks, ranks, "%u", found.ranks);
	cr_assert_str_eq(found.job, job);
}

Test(directory, ranks_are_what_launchers_say)
{
	const char *const none[][2] = {{"HOME", "/"}, {NULL, NULL}};
	const char *const ompi[][2] = {{"OMPI_COMM_WORLD_RANK", "3"},
				       {"OMPI_COMM_WORLD_SIZE", "4"},
				       {"PMIX_RANK", "7"},
				       {"PMIX_NAMESPACE", "prterun-n1-12@1"},
				       {NULL, NULL}};
	const char *const slurm[][2] = {
	    {"SLURM_PROCID", "1"},  {"SLURM_STEP_NUM_TASKS", "2"},         {"SLURM_JOB_ID", "77"},
	    {"SLURM_STEP_ID", "0"}, {"SLURM_STEP_LAUNCHER_PORT", "41000"}, {NULL, NULL}};
	const char *const batch[][2] = {
	    {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}, {"SLURM_JOB_ID", "77"}, {NULL, NULL}};
	const char *const hydra[][2] = {{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}, {NULL, NULL}};
	const char *const own[][2] = {
	    {"PMI_RANK", "0"}, {"PMI_SIZE", "2"}, {"CUDATRACE_JOB", "night/3"}, {NULL, NULL}};
	const char *const pmix[][2] = {
	    {"PMIX_RANK", "5"}, {"PMIX_NAMESPACE", "a:\"b"}, {NULL, NULL}};
	const char *const wrong[][2] = {{"OMPI_COMM_WORLD_RANK", "4"},
					{"OMPI_COMM_WORLD_SIZE", "4"},
					{"PMI_RANK", "x"},
					{"PMI_SIZE", "4"},
					{NULL, NULL}};

	check(none, CT_NO_RANK, 0, "");
	check(ompi, 3, 4, "prterun-n1-12@1");
	check(slurm, 1, 2, "77.0.41000");
	check(batch, CT_NO_RANK, 0, "");
	check(hydra, 0, 2, "");
	check(own, 0, 2, "night_3");
	check(pmix, 5, 0, "a__b");
	check(wrong, CT_NO_RANK, 0, "");
}

Test(directory, names_of_files_are_read_back)
{
	static const struct ct_file_name files[] = {
	    {CT_FILE_MANIFEST_OLD, 0, 0, 0}, {CT_FILE_MANIFEST, 3000001, 0, 0},
	    {CT_FILE_DRAFT, 12, 0, 0},       {CT_FILE_EVENTS, 7, 0, 0},
	    {CT_FILE_DEVICE, 7, 3, 0},       {CT_FILE_DEVICE, 7, 3, 15},
	    {CT_FILE_NAMES, 7, 0, 0}};
	static const char *const others[] = {
	    "manifest-.json",    "manifest-01.json", "manifest-1.jso",  "events-1.ct.new",
	    "device-1.ct",       "device-1-.ct",     "device-1-1-0.ct", "device-1-1-.ct",
	    "device-1-1-1-1.ct", "names-1.json",     "names-.ct",       "names-1.ct.newer"};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		char name[CT_FILE_NAME_BYTES];
		struct ct_file_name back;

		ct_file_name_format(&files[i], name);
		back = ct_file_name_parse(name);
		cr_assert_eq(back.kind, files[i].kind, "%s", name);
		cr_assert_eq(back.part, files[i].part, "%s", name);
		cr_assert_eq(back.device, files[i].device, "%s", name);
		cr_assert_eq(back.file, files[i].file, "%s", name);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		cr_assert_eq(ct_file_name_parse(others[i]).kind, CT_FILE_OTHER, "%s", others[i]);
	cr_assert_eq(ct_file_name_parse("names-12.ct.new").kind, CT_FILE_DRAFT);
	cr_assert_eq(ct_file_name_parse("names-12.ct.new").part, 12);
	cr_assert_eq(ct_file_name_parse(".nfs000000000012abcd00000001").kind, CT_FILE_NONE);
	cr_assert_eq(ct_file_name_parse("..").kind, CT_FILE_NONE);
}

static void put_part(uint32_t part, const char *run)
{
	char name[CT_FILE_NAME_BYTES], text[200];

	snprintf(name, sizeof(name), "events-%u.ct", part);
	fixture_write(directory, name, "e", 1);
	snprintf(name, sizeof(name), "device-%u-1.ct", part);
	fixture_write(directory, name, "d", 1);
	snprintf(name, sizeof(name), "manifest-%u.json", part);
	snprintf(text, sizeof(text), "{\n  \"format\": 3,\n  \"run\": \"%s\",\n}", run);
	fixture_write(directory, name, text, strlen(text));
}

/* Whether all of a part's files are there: 1, none of them: 0, or some: -1. */
static int has_part(uint32_t part)
{
	static const char *const formats[] = {"%s/events-%u.ct", "%s/device-%u-1.ct",
					      "%s/manifest-%u.json"};
	int found = 0;

	for (size_t i = 0; i < 3; i++) {
		char path[512];

		snprintf(path, sizeof(path), formats[i], directory, part);
		found += access(path, F_OK) == 0;
	}
	return found == 3 ? 1 : found == 0 ? 0 : -1;
}

static void clear(struct ct_rank rank)
{
	int fd = ct_directory_open(directory);

	cr_assert_geq(fd, 0);
	cr_assert_eq(ct_directory_clear_rank(fd, &rank), 0);
	close(fd);
}

Test(directory, a_rank_removes_its_own_parts_of_other_runs_only)
{
	put_part(1, "old");
	put_part(1 + CT_PART_STRIDE, "new");
	put_part(2, "old");
	put_part(4, "old");
	fixture_write(directory, "manifest.json", "{}", 2);
	clear((struct ct_rank){1, 4, "new"});
	cr_assert_eq(has_part(1), 0);
	cr_assert_eq(has_part(1 + CT_PART_STRIDE), 1);
	cr_assert_eq(has_part(2), 1);
	cr_assert_eq(has_part(4), 1);
	clear((struct ct_rank){0, 4, "new"}); /* and what no rank of 4 has */
	cr_assert_eq(has_part(2), 1);
	cr_assert_eq(has_part(4), 0);
	clear((struct ct_rank){2, 4, ""}); /* a launcher that names no job: all of its own goes */
	cr_assert_eq(has_part(2), 0);
	clear((struct ct_rank){CT_NO_RANK, 0, ""});
	cr_assert_eq(has_part(1 + CT_PART_STRIDE), 0);
}

/* Does what one process of a run does; returns the part that it wrote. */
static uint32_t write_part(const struct ct_rank *rank)
{
	const struct ct_part_numbers numbers = ct_directory_numbers(rank);
	const struct ct_writer_options options = {.part = numbers.first, .part_step = numbers.step};
	struct ct_writer *writer;
	char why[512];
	uint32_t part;

	cr_assert_eq(ct_writer_open(&writer, directory, &options, why, sizeof(why)), 0, "%s", why);
	part = ct_writer_part(writer);
	cr_assert_eq(ct_writer_manifest(writer, "{}"), 0);
	cr_assert_eq(ct_writer_close(writer), 0);
	return part;
}

Test(directory, parts_are_the_first_free_ones_of_the_rank)
{
	const struct ct_rank none = {CT_NO_RANK, 0, ""}, only = {0, 1, "j"}, third = {3, 4, "j"};

	cr_assert_eq(write_part(&none), 0);
	cr_assert_eq(write_part(&only), 1);
	cr_assert_eq(write_part(&none), 2);
	cr_assert_eq(write_part(&third), 3);
	cr_assert_eq(write_part(&third), 3 + CT_PART_STRIDE);
	cr_assert_eq(write_part(&none), 4);
}

#define PROCESSES 40

Test(directory, processes_at_the_same_time_take_different_parts, .timeout = 60)
{
	const struct ct_rank none = {CT_NO_RANK, 0, ""};
	int status;

	for (int i = 0; i < PROCESSES; i++)
		if (fork() == 0) {
			write_part(&none);
			_exit(0);
		}
	for (int i = 0; i < PROCESSES; i++) {
		cr_assert_gt(wait(&status), 0);
		cr_assert_eq(status, 0);
	}
	for (uint32_t part = 0; part < PROCESSES; part++) {
		char path[512];

		snprintf(path, sizeof(path), "%s/manifest-%u.json", directory, part);
		cr_assert_eq(access(path, F_OK), 0, "%s", path);
	}
}

/* All ranks of a new, smaller run begin at any time: each empties and writes. */
Test(directory, ranks_that_begin_together_leave_the_new_run_alone, .timeout = 60)
{
	int status;

	for (uint32_t round = 0; round < 20; round++) {
		uint32_t ranks = 2 + round * 7 % 11;
		char job[32];

		snprintf(job, sizeof(job), "job-%u", round);
		for (uint32_t rank = 0; rank < ranks; rank++)
			if (fork() == 0) {
				struct ct_rank place = {rank, ranks, ""};

				snprintf(place.job, sizeof(place.job), "%s", job);
				usleep((rank * 2654435761u >> 20) % 3000);
				clear(place);
				put_part(rank, job);
				put_part(rank + CT_PART_STRIDE, job);
				_exit(0);
			}
		for (uint32_t rank = 0; rank < ranks; rank++) {
			cr_assert_gt(wait(&status), 0);
			cr_assert_eq(status, 0);
		}
		for (uint32_t rank = 0; rank < 16; rank++) {
			cr_assert_eq(has_part(rank), rank < ranks);
			cr_assert_eq(has_part(rank + CT_PART_STRIDE), rank < ranks);
		}
	}
}
