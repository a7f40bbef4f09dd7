/* SPDX-License-Identifier: Apache-2.0 */
/* How many cores this process may use: affinity and control groups. */
#include "host-rt/base/cores.h"
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#define GROUPS "/sys/fs/cgroup"

uint32_t ct_cores_of_quota(const char *text)
{
	uint64_t quota, period;

	if (sscanf(text, "%" SCNu64 " %" SCNu64, &quota, &period) != 2 || period == 0 || quota == 0)
		return UINT32_MAX;
	quota = (quota + period - 1) / period;
	return quota < UINT32_MAX ? (uint32_t)quota : UINT32_MAX;
}

static uint32_t quota_in(const char *group)
{
	char path[4200], text[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), GROUPS "%s/cpu.max", group);
	file = fopen(path, "re");
	if (!file)
		return UINT32_MAX;
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);
	return ct_cores_of_quota(text);
}

/* The least of the process's group and those above it; one that is not mounted
 * here, as in a container, is found at the root. */
static uint32_t quota(void)
{
	char line[4096], *group, *slash;
	uint32_t least = quota_in(""), cores;
	FILE *file = fopen("/proc/self/cgroup", "re");

	if (!file)
		return least;
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, "0::/", 4) != 0)
			continue;
		group = line + 3;
		group[strcspn(group, "\n")] = '\0';
		for (; (slash = strrchr(group, '/')) != NULL; *slash = '\0') {
			cores = quota_in(group);
			least = cores < least ? cores : least;
		}
	}
	fclose(file);
	return least;
}

uint32_t ct_cores_usable(void)
{
	uint32_t cores = 1, most = quota();
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
		cores = (uint32_t)CPU_COUNT(&set);
	return cores < most ? cores : most;
}
