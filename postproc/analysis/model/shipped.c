/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of parameters that come with cuda-trace. */
#include "postproc/analysis/model/machine.h"

#include <stdio.h>
#include <string.h>

bool ct_machine_shipped(struct ct_machine *machine, const char *name)
{
	static const struct {
		const char *name, *when;
		struct ct_machine machine;
	} shipped[] = {
#define CT_SHIPPED(device, when, ...) {device, when, {__VA_ARGS__}},
#include "postproc/analysis/model/shipped.def"
#undef CT_SHIPPED
	    {NULL, NULL, {.sm_count = 0}},
	};

	for (size_t i = 0; shipped[i].name; i++)
		if (strcmp(shipped[i].name, name) == 0) {
			*machine = shipped[i].machine;
			machine->is_measured = true;
			snprintf(machine->name, sizeof(machine->name), "%s", name);
			snprintf(machine->origin, sizeof(machine->origin),
				 "measured on such a device, %s", shipped[i].when);
			return true;
		}
	return false;
}
