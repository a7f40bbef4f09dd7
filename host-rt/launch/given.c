/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters that are pointers by the type that the source gives them. */
#include "host-rt/launch/given.h"
#include "host-rt/base/registry.h"
#include "host-rt/launch/handles.h"
#include "host-rt/watch/watch.h"
#include <string.h>

/* "const float *__restrict", but not "span<float *>", whose size is not known. */
static bool is_pointer(const char *type)
{
	const char *star = strrchr(type, '*');

	return star && !strchr(star, '>');
}

void ct_given(const struct ct_launch_call *call, const struct ct_decision *d)
{
	const struct ct_kernel *kernel = d->kernel ? d->kernel : ct_handles_kernel(call->function);
	const struct ct_unit_header *unit = kernel ? ct_registry_unit(kernel->unit_id, 0, 0) : NULL;
	const struct ct_unit_kernel *entry =
	    unit ? ct_registry_unit_kernel(unit, kernel->name) : NULL;
	const struct ct_unit_param *params;
	uint64_t address;

	if (!entry || !call->arguments)
		return;
	params = ct_registry_unit_params(unit);
	for (uint32_t i = 0; i < entry->param_count; i++) {
		const struct ct_unit_param *param = &params[entry->param_first + i];

		if (!call->arguments[i] || !is_pointer(ct_registry_unit_string(unit, param->type)))
			continue;
		memcpy(&address, call->arguments[i], sizeof(address));
		ct_watch_given(address, d->device->ordinal, d->stream);
	}
}
