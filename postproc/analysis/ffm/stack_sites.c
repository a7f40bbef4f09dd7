/* SPDX-License-Identifier: Apache-2.0 */
/* Row by row: a caller's row stands before those of what it called. */
#include "postproc/analysis/ffm/stack_sites.h"
#include "base/map.h"
#include "base/site.h"
#include <errno.h>
#include <stdlib.h>

/* By their numbers: their paths. */
static int read_modules(struct ct_trace *trace, uint32_t part, struct ct_map *modules)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(trace, CT_EVENT_MODULE, &events);

	for (size_t i = 0; i < count; i++) {
		const struct ct_event_module *module = events[i].module;
		union ct_map_value *value;

		if (events[i].part != part)
			continue;
		value = ct_map_put(modules, module->module, 0);
		if (!value)
			return -ENOMEM;
		value->pointer = (void *)(uintptr_t)ct_trace_string(trace, part, module->path);
	}
	return 0;
}

int ct_ffm_stack_sites(struct ct_trace *trace, uint32_t part, uint64_t **site, size_t *rows)
{
	const struct ct_row_stack *stack;
	struct ct_map modules = {0};
	const void *table;
	uint64_t *sites = NULL;
	int err = ct_trace_rows(trace, part, CT_TABLE_STACK, &table, rows);

	*site = NULL;
	if (err < 0)
		return err;
	stack = table;
	err = read_modules(trace, part, &modules);
	if (err == 0)
		sites = calloc(*rows + 1, sizeof(*sites));
	if (err == 0 && !sites)
		err = -ENOMEM;
	for (size_t i = 0; i < *rows && err == 0; i++) {
		const union ct_map_value *module = ct_map_find(&modules, stack[i].module, 0);
		uint64_t caller = stack[i].caller <= i ? sites[stack[i].caller] : 0;

		sites[i + 1] = ct_site_of(caller, module ? module->pointer : NULL, stack[i].offset);
	}
	ct_map_fini(&modules);
	*site = sites;
	return err;
}
