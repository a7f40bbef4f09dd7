/* SPDX-License-Identifier: Apache-2.0 */
/* Which object an access touches, remembering the last answers. */
#include "postproc/facts/locate.h"
#include <string.h>

const struct ct_object_info *ct_locate(struct ct_locator *locator,
				       const struct ct_launch_info *launch, uint64_t address)
{
	const struct ct_object_info *object;

	if (locator->launch != launch) {
		memset(locator->recent, 0, sizeof(locator->recent));
		locator->launch = launch;
	}
	for (unsigned i = 0; i < CT_LOCATE_RECENT; i++) {
		object = locator->recent[i];
		if (object && address - object->event->address < object->event->bytes)
			return object;
	}
	object = ct_trace_object_at(locator->trace, launch, address);
	if (object) {
		locator->recent[locator->next] = object;
		locator->next = (locator->next + 1) % CT_LOCATE_RECENT;
	}
	return object;
}
