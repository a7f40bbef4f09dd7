/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the system and control groups about memory. */
#include "base/room.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define PATH_BYTES 8448u
#define LINE_BYTES 4096u

/* Names of a version's files and of the line about files in `memory.stat`. */
struct version {
	const char *below, *most, *held, *files;
};

static const struct version versions[] = {
    {"", "memory.max", "memory.current", "file"},
    {"/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache"},
};

/* The number behind a word that begins a line; of an empty word that the file begins with. */
static bool read_number(const char *path, const char *word, uint64_t *number)
{
	FILE *file = fopen(path, "re");
	char line[LINE_BYTES];
	size_t length = strlen(word);
	bool is_there = false;

	while (file && !is_there && fgets(line, sizeof(line), file))
		is_there = strncmp(line, word, length) == 0 &&
			   sscanf(line + length, "%" SCNu64, number) == 1;
	if (file)
		fclose(file);
	return is_there;
}

static uint64_t room_in(const struct version *version, const char *groups, const char *group)
{
	char path[PATH_BYTES];
	uint64_t most, held, files = 0;

	snprintf(path, sizeof(path), "%s%s%s/%s", groups, version->below, group, version->most);
	if (!read_number(path, "", &most)) /* "max" */
		return UINT64_MAX;
	snprintf(path, sizeof(path), "%s%s%s/%s", groups, version->below, group, version->held);
	if (!read_number(path, "", &held))
		return UINT64_MAX;
	snprintf(path, sizeof(path), "%s%s%s/memory.stat", groups, version->below, group);
	if (read_number(path, version->files, &files))
		held -= files < held ? files : held;
	return held < most ? most - held : 0;
}

/* The least of a group and those above it; one that is not mounted here, as in a container, is
 * found at the root. */
static uint64_t room_below(const struct version *version, const char *groups, char *group)
{
	uint64_t least = room_in(version, groups, "");
	char *slash;

	for (; (slash = strrchr(group, '/')) != NULL; *slash = '\0') {
		uint64_t room = room_in(version, groups, group);

		least = room < least ? room : least;
	}
	return least;
}

static uint64_t room_in_groups(const char *proc, const char *groups)
{
	char path[PATH_BYTES], line[LINE_BYTES];
	uint64_t least = UINT64_MAX;
	FILE *file;

	snprintf(path, sizeof(path), "%s/self/cgroup", proc);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		bool is_second = strncmp(line, "0::/", 4) == 0;
		char *first = strstr(line, ":memory:/");
		char *group = is_second ? line + 3 : first ? first + strlen(":memory:") : NULL;
		uint64_t room;

		if (!group)
			continue;
		group[strcspn(group, "\n")] = '\0';
		room = room_below(&versions[is_second ? 0 : 1], groups, group);
		least = room < least ? room : least;
	}
	if (file)
		fclose(file);
	return least;
}

uint64_t ct_room_by(const char *proc, const char *groups)
{
	char path[PATH_BYTES];
	uint64_t least = room_in_groups(proc, groups), kib;

	snprintf(path, sizeof(path), "%s/meminfo", proc);
	if (read_number(path, "MemAvailable:", &kib) && kib < least / 1024)
		least = kib * 1024;
	return least;
}

uint64_t ct_room_addresses(void)
{
	struct rlimit limit;
	uint64_t pages, held = 0;

	if (getrlimit(RLIMIT_AS, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	if (read_number("/proc/self/statm", "", &pages))
		held = pages * (uint64_t)sysconf(_SC_PAGESIZE);
	return held < limit.rlim_cur ? limit.rlim_cur - held : 0;
}

uint64_t ct_room(void)
{
	uint64_t room = ct_room_by("/proc", "/sys/fs/cgroup"), addresses = ct_room_addresses();

	return addresses < room ? addresses : room;
}
