/* SPDX-License-Identifier: Apache-2.0 */
/* The list of retargeted units of this process. */
#include "cpu-target/runtime/exec/registry.h"
#include <pthread.h>
#include <string.h>

static struct ct_cpu_unit *units;
static pthread_mutex_t units_lock = PTHREAD_MUTEX_INITIALIZER;

void __ct_cpu_register_unit(struct ct_cpu_unit *unit)
{
	pthread_mutex_lock(&units_lock);
	unit->next = units;
	units = unit;
	pthread_mutex_unlock(&units_lock);
}

void ct_cpu_forget_units(const void *first, const void *end)
{
	pthread_mutex_lock(&units_lock);
	for (struct ct_cpu_unit **link = &units; *link;) {
		const void *unit = *link;

		if (unit >= first && unit < end)
			*link = (*link)->next;
		else
			link = &(*link)->next;
	}
	pthread_mutex_unlock(&units_lock);
}

const struct ct_cpu_unit *ct_cpu_units(void)
{
	const struct ct_cpu_unit *first;

	pthread_mutex_lock(&units_lock);
	first = units;
	pthread_mutex_unlock(&units_lock);
	return first;
}

static const struct ct_cpu_kernel *kernel_of(const struct ct_cpu_unit *unit, const char *name)
{
	for (uint32_t i = 0; i < unit->kernel_count; i++)
		if (!strcmp(unit->kernels[i].name, name))
			return &unit->kernels[i];
	return NULL;
}

static const struct ct_cpu_variable *variable_of(const struct ct_cpu_unit *unit, const char *name)
{
	for (uint32_t i = 0; i < unit->variable_count; i++)
		if (!strcmp(unit->variables[i].name, name))
			return &unit->variables[i];
	return NULL;
}

const struct ct_cpu_kernel *ct_cpu_find_kernel(const char *id, const char *name,
					       const struct ct_cpu_unit **unit)
{
	for (const struct ct_cpu_unit *u = ct_cpu_units(); u; u = u->next) {
		const struct ct_cpu_kernel *kernel;

		if (strcmp(u->id, id))
			continue;
		kernel = kernel_of(u, name);
		if (!kernel)
			continue;
		if (unit)
			*unit = u;
		return kernel;
	}
	return NULL;
}

const struct ct_cpu_variable *ct_cpu_find_variable(const char *id, const char *name)
{
	for (const struct ct_cpu_unit *u = ct_cpu_units(); u; u = u->next) {
		const struct ct_cpu_variable *variable;

		if (strcmp(u->id, id))
			continue;
		variable = variable_of(u, name);
		if (variable)
			return variable;
	}
	return NULL;
}
