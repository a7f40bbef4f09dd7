/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels a trace has launches of, as a sentence has them. */
#include "trace/read/reader.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NAMED_MAX 12u

/* The name without template arguments and parameters, which a pattern need not have. */
static size_t short_name(const char *kernel)
{
	return strcspn(kernel, "<(");
}

static bool is_same(const char *a, const char *b)
{
	return short_name(a) == short_name(b) && memcmp(a, b, short_name(a)) == 0;
}

size_t ct_trace_tell_kernels(const struct ct_trace *trace, char *text, size_t bytes)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches), named = 0, at = 0;
	const char *names[NAMED_MAX];

	*text = '\0';
	for (size_t i = 0; i < count; i++) {
		size_t known = 0;

		while (known < named && !is_same(names[known], launches[i].kernel))
			known++;
		if (known < named)
			continue;
		if (named == NAMED_MAX || at + short_name(launches[i].kernel) + 16 > bytes) {
			snprintf(text + at, bytes - at, ", ...");
			break;
		}
		names[named++] = launches[i].kernel;
		at += (size_t)snprintf(text + at, bytes - at, "%s%.*s", at ? ", " : "",
				       (int)short_name(launches[i].kernel), launches[i].kernel);
	}
	return count;
}
