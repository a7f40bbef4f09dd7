/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of `ctpost info --json`, each with its rows of launch_counts. */
#include "tests/e2e/info.h"
#include <stdlib.h>
#include <string.h>

const char *const ct_info_class[CT_INFO_CLASSES] = {"load", "store", "atomic"};

static json_int_t integer_of(json_t *row, const char *key)
{
	return json_integer_value(json_object_get(row, key));
}

static bool is_of(json_t *count, json_t *launch)
{
	return integer_of(count, "part") == integer_of(launch, "part") &&
	       integer_of(count, "launch") == integer_of(launch, "launch");
}

static int add_count(struct ct_info_launch *launch, json_t *count)
{
	const char *space = json_string_value(json_object_get(count, "space"));
	const char *class = json_string_value(json_object_get(count, "class"));

	if (!class || !json_is_integer(json_object_get(count, "threads")) ||
	    !json_is_integer(json_object_get(count, "bytes")))
		return -1;
	for (size_t c = 0; c < CT_INFO_CLASSES; c++)
		if (space && !strcmp(space, "global") && !strcmp(class, ct_info_class[c])) {
			launch->threads[c] = integer_of(count, "threads");
			launch->bytes[c] = integer_of(count, "bytes");
			launch->warps[c] = integer_of(count, "warps");
		}
	return 0;
}

int ct_info_launches_init(struct ct_info_launches *launches, json_t *root)
{
	json_t *rows = json_object_get(root, "launches"), *row;
	json_t *counts = json_object_get(root, "launch_counts");
	size_t i, at = 0;

	*launches = (struct ct_info_launches){.count = json_array_size(rows)};
	if (!json_is_array(rows) || !json_is_array(counts))
		return -1;
	launches->list = calloc(launches->count + 1, sizeof(*launches->list));
	if (!launches->list)
		return -1;
	json_array_foreach(rows, i, row)
	{
		launches->list[i].row = row;
		launches->list[i].kernel = json_string_value(json_object_get(row, "kernel"));
		if (!launches->list[i].kernel)
			return -1;
	}
	/* Both are in the order of the launches. */
	json_array_foreach(counts, i, row)
	{
		while (at < launches->count && !is_of(row, launches->list[at].row))
			at++;
		if (at == launches->count || add_count(&launches->list[at], row) < 0)
			return -1;
	}
	return 0;
}

void ct_info_launches_fini(struct ct_info_launches *launches)
{
	free(launches->list);
	*launches = (struct ct_info_launches){.count = 0};
}

bool ct_info_is_complete(json_t *root)
{
	json_t *whole = json_array_get(json_object_get(root, "trace_totals"), 0);

	return json_is_true(json_object_get(whole, "complete"));
}
