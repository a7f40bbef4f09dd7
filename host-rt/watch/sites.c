/* SPDX-License-Identifier: Apache-2.0 */
/* Sorted hashes. */
#include "host-rt/watch/sites.h"
#include "base/array.h"
#include "host-rt/base/say.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t *sites;
static size_t count;
static bool has_list;

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

static int add(const char *path, unsigned line, char *text)
{
	char *end;
	uint64_t site;
	int err;

	text[strcspn(text, "#\r\n")] = '\0';
	text += strspn(text, " \t");
	if (!*text)
		return 0;
	errno = 0;
	site = strtoull(text, &end, 16);
	if (errno || end == text || (*end && !strchr(" \t", *end))) {
		ct_say("%s:%u: not a site, expected hexadecimal digits; no uses are recorded", path,
		       line);
		return -EINVAL;
	}
	err = ct_array_grow(&sites, count, sizeof(*sites));
	if (err == 0)
		sites[count++] = site;
	return err;
}

int ct_watch_sites_read(const char *path)
{
	char text[256];
	unsigned line = 0;
	FILE *file;
	int err = 0;

	if (!*path)
		return 0;
	file = fopen(path, "re");
	if (!file) {
		err = -errno;
		ct_say("%s: %s; no uses are recorded", path, strerror(-err));
		return err;
	}
	while (err == 0 && fgets(text, sizeof(text), file))
		err = add(path, ++line, text);
	fclose(file);
	if (count)
		qsort(sites, count, sizeof(*sites), compare);
	has_list = true;
	return err;
}

bool ct_watch_sites_has(uint64_t site)
{
	return !has_list ||
	       (count && bsearch(&site, sites, count, sizeof(*sites), compare) != NULL);
}
