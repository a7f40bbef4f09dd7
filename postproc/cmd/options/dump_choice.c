/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses what only ctpost dump chooses by: warp, operation and space. */
#include "postproc/cmd/options/dump_choice.h"
#include "base/quantity.h"
#include "postproc/facts/lanes.h"
#include <string.h>

const struct ctpost_option ctpost_dump_choice_options[] = {
    {.name = "warp", .argument = "N", .help = "only warp N of each block"},
    {.name = "operation",
     .argument = "OPERATION",
     .help = "only this operation, or load, store, atomic or event for all of that class"},
    {.name = "space",
     .argument = "SPACE",
     .choices = "global|shared|constant|local",
     .complete = CTPOST_COMPLETE_WORDS,
     .help = "only accesses with an address in this space: global, shared, constant or local"},
    {.name = NULL},
};

/* By its name or that of its class. */
static bool choose_operation(struct ctpost_dump_choice *choice, const char *text)
{
	bool is_known = false;

	for (uint32_t operation = 1; operation < CT_OPERATIONS; operation++) {
		choice->operation[operation] =
		    !strcmp(ct_operation_text(operation), text) ||
		    !strcmp(ct_class_text(ct_operation_class(operation)), text);
		is_known |= choice->operation[operation];
	}
	return is_known;
}

static uint32_t space_of(const char *text)
{
	return !strcmp(text, "global")     ? CT_SPACE_GLOBAL
	       : !strcmp(text, "shared")   ? CT_SPACE_SHARED
	       : !strcmp(text, "constant") ? CT_SPACE_CONSTANT
					   : CT_SPACE_LOCAL;
}

int ctpost_read_dump_choice(struct ctpost_call *call, struct ctpost_dump_choice *choice)
{
	const char *warp = ctpost_value(call, "warp"), *space = ctpost_value(call, "space");
	const char *operation = ctpost_value(call, "operation");

	*choice = (struct ctpost_dump_choice){.warp = UINT64_MAX, .space = CT_SPACE_GENERIC};
	if (warp && ct_parse_count(warp, &choice->warp) < 0)
		return ctpost_wrong(call, "warp", "a number");
	choice->has_operations = operation != NULL;
	if (operation && !choose_operation(choice, operation))
		return ctpost_wrong(call, "operation",
				    "an operation, such as load, atomic_add, barrier, or a class "
				    "of them");
	if (space)
		choice->space = space_of(space);
	return CTPOST_OK;
}

bool ctpost_dump_chooses(const struct ctpost_dump_choice *choice, const struct ct_access *access,
			 bool has_addresses)
{
	if (choice->warp != UINT64_MAX && access->warp != choice->warp)
		return false;
	if (choice->has_operations && !choice->operation[access->info->operation])
		return false;
	return choice->space == CT_SPACE_GENERIC ||
	       (has_addresses && ct_lanes_in(access, choice->space));
}
