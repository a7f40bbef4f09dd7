/* SPDX-License-Identifier: Apache-2.0 */
/* Registration of units, kernels and variables; runs in constructors, so it only allocates and
 * links. */
#include "host-rt/base/registry.h"
#include "trace/codec/unpack.h"
#include <cudatrace/host.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 1024u

const char ct_abi_v6 = 1;

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ct_registered_unit *units;
static uint32_t elsewhere; /* atomic: CT_EFFECT_… of functions that units export */
static struct ct_registered_variable *variables;
static struct ct_registered_places *places;
static struct ct_kernel *buckets[BUCKETS];
static uint64_t unit_count;

static unsigned bucket_of(const void *stub)
{
	return (unsigned)(((uintptr_t)stub >> 3) * 2654435761u >> 7) % BUCKETS;
}

/* Where the strings of a blob begin. */
static uint64_t bytes_of_tables(const struct ct_unit_header *unit)
{
	return sizeof(*unit) + (uint64_t)unit->kernel_count * sizeof(struct ct_unit_kernel) +
	       (uint64_t)unit->param_count * sizeof(struct ct_unit_param) +
	       (uint64_t)unit->site_count * sizeof(struct ct_unit_site) +
	       (uint64_t)unit->frame_count * sizeof(struct ct_unit_frame) +
	       (uint64_t)unit->block_count * sizeof(struct ct_unit_block) +
	       (uint64_t)unit->mix_count * sizeof(struct ct_unit_mix) +
	       (uint64_t)unit->step_count * sizeof(struct ct_unit_step) +
	       (uint64_t)unit->next_count * sizeof(uint32_t) +
	       (uint64_t)unit->variable_count * sizeof(struct ct_unit_variable) +
	       (uint64_t)unit->statement_count * sizeof(struct ct_unit_statement) +
	       (uint64_t)unit->call_count * sizeof(struct ct_unit_call) +
	       (uint64_t)unit->outcome_count * sizeof(struct ct_unit_outcome) +
	       (uint64_t)unit->share_count * sizeof(struct ct_unit_share) +
	       (uint64_t)unit->list_count * sizeof(uint32_t);
}

/* A blob that cannot hold what its header announces is ignored. */
static bool blob_is_whole(const struct ct_unit_header *unit, uint64_t bytes)
{
	return bytes >= sizeof(*unit) && unit->magic == CT_UNIT_MAGIC &&
	       unit->version == CT_UNIT_VERSION && unit->header_bytes == sizeof(*unit) &&
	       bytes_of_tables(unit) + unit->string_bytes <= bytes && unit->string_bytes > 0;
}

/* A library that is unloaded takes its blobs and names with it, and launches of it are still spoken
 * of: they are copied. */
static void *copy_of(const void *blob, uint64_t bytes)
{
	void *copy = malloc(bytes);

	return copy ? memcpy(copy, blob, bytes) : NULL;
}

/* blob is the registry's, or NULL, and freed if it cannot be taken. */
static void add_unit(void *blob, uint64_t bytes)
{
	struct ct_registered_unit *unit = blob ? calloc(1, sizeof(*unit)) : NULL;

	if (!unit || !blob_is_whole(blob, bytes)) {
		free(unit);
		free(blob);
		return;
	}
	unit->blob = blob;
	unit->bytes = bytes;
	pthread_mutex_lock(&registry_lock);
	unit->next = units;
	__atomic_store_n(&units, unit, __ATOMIC_RELEASE);
	__atomic_store_n(&unit_count, unit_count + 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&registry_lock);
}

static void add_places(void *blob, uint64_t bytes)
{
	struct ct_registered_places *entry = blob ? calloc(1, sizeof(*entry)) : NULL;

	if (!entry) {
		free(blob);
		return;
	}
	entry->blob = blob;
	entry->bytes = bytes;
	pthread_mutex_lock(&registry_lock);
	entry->next = places;
	__atomic_store_n(&places, entry, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&registry_lock);
}

void __ct_register_unit(const void *blob, uint64_t bytes)
{
	add_unit(copy_of(blob, bytes), bytes);
}

void __ct_register_places(const void *blob, uint64_t bytes)
{
	add_places(copy_of(blob, bytes), bytes);
}

void __ct_register_packed_unit(const void *packed, uint64_t packed_bytes, uint64_t bytes)
{
	add_unit(ct_unpack(packed, packed_bytes, bytes), bytes);
}

void __ct_register_packed_places(const void *packed, uint64_t packed_bytes, uint64_t bytes)
{
	add_places(ct_unpack(packed, packed_bytes, bytes), bytes);
}

/* A stub may be registered more than once (several fat binaries): the first with a clone stays. Of
 * another name it is that of a library where an unloaded one was: the last one counts. */
void __ct_register_kernel(uint64_t unit_id, const void *stub, const void *clone,
			  const char *device_name, uint32_t param_count)
{
	struct ct_kernel *kernel = ct_registry_kernel(stub), **bucket = &buckets[bucket_of(stub)];
	char *name;

	if (kernel && strcmp(kernel->name, device_name) == 0)
		return;
	kernel = calloc(1, sizeof(*kernel));
	name = kernel ? strdup(device_name) : NULL;
	if (!name) {
		free(kernel);
		return;
	}
	kernel->stub = stub;
	kernel->clone = clone;
	kernel->name = name;
	kernel->unit_id = unit_id;
	kernel->param_count = param_count;
	pthread_mutex_lock(&registry_lock);
	kernel->next_in_bucket = *bucket;
	__atomic_store_n(bucket, kernel, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&registry_lock);
}

void __ct_register_clock(const void *stub, const void *clock)
{
	struct ct_kernel *kernel = ct_registry_kernel(stub);

	if (kernel && !kernel->clock)
		kernel->clock = clock;
}

void __ct_register_blocks(const void *stub, const void *blocks)
{
	struct ct_kernel *kernel = ct_registry_kernel(stub);

	if (kernel && !kernel->blocks)
		kernel->blocks = blocks;
}

void __ct_register_effects(const void *stub, uint32_t effects)
{
	struct ct_kernel *kernel = stub ? ct_registry_kernel(stub) : NULL;

	if (kernel)
		kernel->effects |= effects;
	else if (!stub)
		__atomic_fetch_or(&elsewhere, effects, __ATOMIC_RELAXED);
}

uint32_t ct_registry_effects(const struct ct_kernel *kernel)
{
	uint32_t effects = kernel->effects;

	if (effects & CT_EFFECT_ELSEWHERE)
		effects |= __atomic_load_n(&elsewhere, __ATOMIC_RELAXED);
	return effects;
}

void __ct_register_variable(const void *shadow, const char *device_name, uint64_t bytes,
			    uint32_t is_constant)
{
	struct ct_registered_variable *variable = calloc(1, sizeof(*variable));
	char *name = variable ? strdup(device_name) : NULL;

	if (!name) {
		free(variable);
		return;
	}
	variable->shadow = shadow;
	variable->name = name;
	variable->bytes = bytes;
	variable->is_constant = is_constant != 0;
	pthread_mutex_lock(&registry_lock);
	variable->next = variables;
	__atomic_store_n(&variables, variable, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&registry_lock);
}

struct ct_kernel *ct_registry_kernel(const void *stub)
{
	struct ct_kernel *kernel = __atomic_load_n(&buckets[bucket_of(stub)], __ATOMIC_ACQUIRE);

	while (kernel && kernel->stub != stub)
		kernel = kernel->next_in_bucket;
	return kernel;
}

struct ct_registered_unit *ct_registry_units(void)
{
	return __atomic_load_n(&units, __ATOMIC_ACQUIRE);
}

struct ct_registered_variable *ct_registry_variables(void)
{
	return __atomic_load_n(&variables, __ATOMIC_ACQUIRE);
}

struct ct_registered_places *ct_registry_places(void)
{
	return __atomic_load_n(&places, __ATOMIC_ACQUIRE);
}

uint64_t ct_registry_unit_count(void)
{
	return __atomic_load_n(&unit_count, __ATOMIC_ACQUIRE);
}

const struct ct_unit_header *ct_registry_unit(uint64_t unit_id, uint32_t ptx_arch,
					      uint32_t binary_arch)
{
	const struct ct_unit_header *by_binary = NULL, *any = NULL;

	for (struct ct_registered_unit *u = ct_registry_units(); u; u = u->next) {
		const struct ct_unit_header *unit = u->blob;

		if (unit->unit_id != unit_id)
			continue;
		if (unit->arch == ptx_arch)
			return unit;
		if (unit->arch == binary_arch)
			by_binary = unit;
		any = unit;
	}
	return by_binary ? by_binary : any;
}

const char *ct_registry_unit_string(const struct ct_unit_header *unit, uint32_t offset)
{
	return offset < unit->string_bytes ? (const char *)unit + bytes_of_tables(unit) + offset
					   : "";
}

const struct ct_unit_kernel *ct_registry_unit_kernel(const struct ct_unit_header *unit,
						     const char *name)
{
	const struct ct_unit_kernel *kernels = (const struct ct_unit_kernel *)(unit + 1);

	for (uint32_t i = 0; i < unit->kernel_count; i++)
		if (strcmp(ct_registry_unit_string(unit, kernels[i].name), name) == 0)
			return &kernels[i];
	return NULL;
}

const struct ct_unit_param *ct_registry_unit_params(const struct ct_unit_header *unit)
{
	return (const struct ct_unit_param *)((const struct ct_unit_kernel *)(unit + 1) +
					      unit->kernel_count);
}
