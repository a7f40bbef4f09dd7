/* SPDX-License-Identifier: Apache-2.0 */
/* Why no launch was traced: the reasons that their events have, and what a filter could name. */
#include "driver/ctrun/untraced.h"

#include "trace/read/reader.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define REASONS_MAX 4u
#define REGIONS_MAX 12u

struct reason {
	const char *text;
	size_t launches;
};

static size_t collect(const struct ct_launch_info *launches, size_t count,
		      struct reason reasons[REASONS_MAX])
{
	size_t different = 0;

	for (size_t i = 0; i < count; i++) {
		size_t at = 0;

		while (at < different && strcmp(reasons[at].text, launches[i].reason) != 0)
			at++;
		if (at == REASONS_MAX)
			continue;
		if (at == different)
			reasons[different++] = (struct reason){.text = launches[i].reason};
		reasons[at].launches++;
	}
	return different;
}

/* Paths of regions (ct_region_begin) that launches were in, which --region could name. */
static void say_regions(const struct ct_launch_info *launches, size_t count)
{
	const char *named[REGIONS_MAX];
	size_t different = 0;

	for (size_t i = 0; i < count && different < REGIONS_MAX; i++) {
		size_t at = 0;

		while (at < different && strcmp(named[at], launches[i].region) != 0)
			at++;
		if (at < different || !*launches[i].region)
			continue;
		named[different++] = launches[i].region;
		fprintf(stderr, "%s%s",
			different == 1 ? "[ctrun] the regions it launches in: " : ", ",
			launches[i].region);
	}
	if (different)
		fputc('\n', stderr);
}

void ctrun_untraced_say(const char *directory)
{
	char why[PATH_MAX + 200], kernels[1000];
	const struct ct_launch_info *launches;
	struct reason reasons[REASONS_MAX];
	struct ct_trace *trace;
	size_t count, different;

	if (ct_trace_open(&trace, directory, why, sizeof(why)) < 0)
		return;
	count = ct_trace_launches(trace, &launches);
	different = collect(launches, count, reasons);
	for (size_t i = 0; i < different; i++)
		if (*reasons[i].text)
			fprintf(stderr, "[ctrun] %zu not traced: %s\n", reasons[i].launches,
				reasons[i].text);
	ct_trace_tell_kernels(trace, kernels, sizeof(kernels));
	if (count)
		fprintf(stderr, "[ctrun] the program's kernels: %s\n", kernels);
	say_regions(launches, count);
	ct_trace_close(trace);
}
