/* SPDX-License-Identifier: Apache-2.0 */
/* Compare a faulty run's launches with those of a whole run. */
#include "tests/faults/compare.h"
#include "tests/e2e/info.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* -1: a count is below the full one, 1: above, 0: all are the same. */
static int order_of(const struct ct_info_launch *full, const struct ct_info_launch *faulty)
{
	int order = 0;

	for (size_t c = 0; c < CT_INFO_CLASSES; c++) {
		if (faulty->threads[c] > full->threads[c] || faulty->bytes[c] > full->bytes[c] ||
		    faulty->warps[c] > full->warps[c])
			return 1;
		if (faulty->threads[c] < full->threads[c] || faulty->bytes[c] < full->bytes[c] ||
		    faulty->warps[c] < full->warps[c])
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

	return !json_is_true(json_object_get(launch, "is_stored")) ||
	       !json_is_true(json_object_get(launch, "is_traced")) ||
	       json_integer_value(json_object_get(launch, "error_code")) || is_lost(root, id);
}

static void compare_launch(json_t *root, const struct ct_info_launch *full,
			   const struct ct_info_launch *faulty, struct ct_fault_verdict *verdict)
{
	long long id = json_integer_value(json_object_get(faulty->row, "launch"));
	int order = order_of(full, faulty);

	if (strcmp(full->kernel, faulty->kernel))
		snprintf(verdict->wrong, sizeof(verdict->wrong), "launch %lld is another kernel",
			 id);
	else if (order > 0)
		snprintf(verdict->wrong, sizeof(verdict->wrong),
			 "launch %lld has more than in a whole run", id);
	else if (order < 0 && verdict->complete)
		snprintf(verdict->wrong, sizeof(verdict->wrong),
			 "launch %lld lacks records, the trace says that it is complete", id);
	else if (order < 0 && !is_flagged(root, faulty->row))
		snprintf(verdict->wrong, sizeof(verdict->wrong),
			 "launch %lld lacks records and nothing says so", id);
	verdict->whole += order == 0;
	verdict->reported += json_is_true(json_object_get(faulty->row, "is_stored"));
}

static void compare_launches(json_t *root, const struct ct_info_launches *all,
			     const struct ct_info_launches *some, size_t more, bool shorter,
			     struct ct_fault_verdict *verdict)
{
	if (some->count > all->count + more)
		snprintf(verdict->wrong, sizeof(verdict->wrong), "there are too many launches");
	else if (!shorter && verdict->complete && some->count < all->count)
		snprintf(verdict->wrong, sizeof(verdict->wrong),
			 "launches are missing, the trace says that it is complete");
	for (size_t i = 0; i < some->count && i < all->count && !*verdict->wrong; i++)
		compare_launch(root, &all->list[i], &some->list[i], verdict);
}

void ct_fault_compare(json_t *full, json_t *faulty, size_t more, bool shorter,
		      struct ct_fault_verdict *verdict)
{
	struct ct_info_launches all, some;
	int is_whole = ct_info_launches_init(&all, full) == 0 && all.count;
	int is_list = ct_info_launches_init(&some, faulty) == 0;

	*verdict = (struct ct_fault_verdict){
	    .launches = some.count,
	    .complete = ct_info_is_complete(faulty),
	};
	if (!is_whole || !ct_info_is_complete(full))
		snprintf(verdict->wrong, sizeof(verdict->wrong), "the whole run is not complete");
	else if (!is_list)
		snprintf(verdict->wrong, sizeof(verdict->wrong), "there is no list of launches");
	else
		compare_launches(faulty, &all, &some, more, shorter, verdict);
	ct_info_launches_fini(&all);
	ct_info_launches_fini(&some);
}
