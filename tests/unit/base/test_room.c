/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is left by what a system says, and orders by keys. */
#include "base/keyed.h"
#include "base/room.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char directory[] = "/tmp/ct-room-XXXXXX";

/* A file below the directory, with those above it. */
static void say(const char *name, const char *text)
{
	static bool is_made; /* the name that is found may end in X, too */
	char path[512];
	FILE *file;

	if (!is_made)
		cr_assert_not_null(mkdtemp(directory));
	is_made = true;
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	for (char *slash = path + strlen(directory); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	cr_assert_not_null(file, "%s", path);
	fputs(text, file);
	fclose(file);
}

static uint64_t room(void)
{
	char groups[512];

	snprintf(groups, sizeof(groups), "%s/groups", directory);
	return ct_room_by(directory, groups);
}

static void remove_all(void)
{
	char command[512];

	snprintf(command, sizeof(command), "rm -r '%s'", directory);
	cr_assert_eq(system(command), 0);
}

Test(room, is_that_of_the_system_without_groups)
{
	say("meminfo", "MemTotal:  4000 kB\nMemAvailable:   1000 kB\n");
	cr_expect_eq(room(), 1000 * 1024);
	say("self/cgroup", "0::/job/step\n");
	say("groups/job/step/memory.max", "max\n");
	cr_expect_eq(room(), 1000 * 1024, "no limit is none");
	say("meminfo", "nothing\n");
	cr_expect_eq(room(), UINT64_MAX);
	remove_all();
}

Test(room, is_the_least_of_the_groups_without_their_files)
{
	say("meminfo", "MemAvailable:   1000 kB\n");
	say("self/cgroup", "5:cpu:/\n0::/job/step\n");
	say("groups/job/step/memory.max", "500000\n");
	say("groups/job/step/memory.current", "300000\n");
	cr_expect_eq(room(), 200000);
	say("groups/job/step/memory.stat", "anon 1\nfile 100000\n");
	cr_expect_eq(room(), 300000);
	say("groups/job/memory.max", "700000\n");
	say("groups/job/memory.current", "600000\n");
	cr_expect_eq(room(), 100000, "that of the group above is less");
	say("groups/job/memory.current", "800000\n");
	cr_expect_eq(room(), 0);
	remove_all();
}

Test(room, groups_of_version_1_have_other_names)
{
	say("meminfo", "MemAvailable:   1000 kB\n");
	say("self/cgroup", "4:memory:/job\n0::/\n");
	say("groups/memory/job/memory.limit_in_bytes", "400000\n");
	say("groups/memory/job/memory.usage_in_bytes", "300000\n");
	say("groups/memory/job/memory.stat", "cache 7\ntotal_cache 50000\n");
	cr_expect_eq(room(), 150000);
	remove_all();
}

#define COUNT 5000u

Test(keyed, sorts_as_a_naive_sort_and_keeps_the_order_of_equals)
{
	struct ct_keyed keyed;
	uint64_t state = 1, sum = 0;

	cr_assert_eq(ct_keyed_init(&keyed, COUNT), 0);
	for (uint32_t i = 0; i < COUNT; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		/* Few keys, far apart. */
		ct_keyed_add(&keyed, (state >> 60) * 0x0123456789abcdefu, i);
	}
	cr_assert_eq(ct_keyed_sort(&keyed), 0);
	cr_assert_eq(keyed.count, COUNT);
	for (uint32_t i = 0; i < COUNT; i++)
		sum += keyed.number[i];
	cr_expect_eq(sum, (uint64_t)COUNT * (COUNT - 1) / 2, "each is there");
	for (uint32_t i = 1; i < COUNT; i++)
		cr_assert(
		    keyed.key[i - 1] < keyed.key[i] ||
		    (keyed.key[i - 1] == keyed.key[i] && keyed.number[i - 1] < keyed.number[i]));
	ct_keyed_fini(&keyed);
}
