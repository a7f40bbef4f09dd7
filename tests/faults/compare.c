/* SPDX-License-Identifier: Apache-2.0 */
/* Compare a faulty run's launches with those of a whole run. */
#include "tests/faults/compare.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const measures[] = {"accesses", "bytes", "warps"};
static const char *const classes[] = {"load", "store", "atomic"};

static json_int_t count_of(json_t *launch, size_t measure, size_t class)
{
	json_t *counts = json_object_get(launch, measures[measure]);

	return json_integer_value(json_object_get(counts, classes[class]));
}

static const char *kernel_of(json_t *launch)
{
	const char *kernel = json_string_value(json_object_get(launch, "kernel"));

	return kernel ? kernel : "";
}

/* -1: a count is below the full one, 1: above, 0: all are the same. */
static int order_of(json_t *full, json_t *faulty)
{
	int order = 0;

	for (size_t m = 0; m < 3; m++)
		for (size_t c = 0; c < 3; c++) {
			json_int_t want = count_of(full, m, c), have = count_of(faulty, m, c);

			if (have > want)
				return 1;
			if (have < want)
				order = -1;
		}
	return order;
}

static bool is_lost(json_t *root, json_int_t id)
{
	json_t *loss;
	size_t i;

	json_array_foreach(json_object_get(root, "losses"), i, loss)
	{
		json_int_t launch = json_integer_value(json_object_get(loss, "launch"));

		json_int_t last = json_integer_value(json_object_get(loss, "last_launch"));

		if (launch == 0 || launch == id || (launch <= id && id <= last))
			return true;
	}
	return json_array_size(json_object_get(root, "warnings")) > 0;
}

static bool is_flagged(json_t *root, json_t *launch)
{
	json_int_t id = json_integer_value(json_object_get(launch, "launch"));

	return !json_is_true(json_object_get(launch, "stored")) ||
	       !json_is_true(json_object_get(launch, "traced")) ||
	       json_integer_value(json_object_get(launch, "error")) || is_lost(root, id);
}

static void compare_launch(json_t *root, json_t *full, json_t *faulty,
			   struct ct_fault_verdict *verdict)
{
	long long id = json_integer_value(json_object_get(faulty, "launch"));
	int order = order_of(full, faulty);

	if (strcmp(kernel_of(full), kernel_of(faulty)))
		snprintf(verdict->wrong, sizeof(verdict->wrong), "launch %lld is another kernel",
			 id);
	else if (order > 0)
		snprintf(verdict->wrong, sizeof(verdict->wrong),
			 "launch %lld has more than in a whole run", id);
	else if (order < 0 && verdict->complete)
		snprintf(verdict->wrong, sizeof(verdict->wrong),
			 "launch %lld lacks records, the trace says that it is complete", id);
	else if (order < 0 && !is_flagged(root, faulty))
		snprintf(verdict->wrong, sizeof(verdict->wrong),
			 "launch %lld lacks records and nothing says so", id);
	verdict->whole += order == 0;
	verdict->told += json_is_true(json_object_get(faulty, "stored"));
}

void ct_fault_compare(json_t *full, json_t *faulty, size_t more, bool shorter,
		      struct ct_fault_verdict *verdict)
{
	json_t *all = json_object_get(full, "launches");
	json_t *some = json_object_get(faulty, "launches"), *launch;
	size_t i;

	*verdict = (struct ct_fault_verdict){
	    .launches = json_array_size(some),
	    .complete = json_is_true(json_object_get(faulty, "complete")),
	};
	if (!json_array_size(all) || !json_is_true(json_object_get(full, "complete")))
		snprintf(verdict->wrong, sizeof(verdict->wrong), "the whole run is not complete");
	else if (!json_is_array(some))
		snprintf(verdict->wrong, sizeof(verdict->wrong), "there is no list of launches");
	else if (verdict->launches > json_array_size(all) + more)
		snprintf(verdict->wrong, sizeof(verdict->wrong), "there are too many launches");
	else if (!shorter && verdict->complete && verdict->launches < json_array_size(all))
		snprintf(verdict->wrong, sizeof(verdict->wrong),
			 "launches are missing, the trace says that it is complete");
	json_array_foreach(some, i, launch)
	{
		if (*verdict->wrong || i >= json_array_size(all))
			return;
		compare_launch(faulty, json_array_get(all, i), launch, verdict);
	}
}
