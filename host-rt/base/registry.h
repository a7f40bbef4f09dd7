/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the program's instrumented objects have registered before main: unit
 * blobs, kernels and device variables. Entries live as long as the process
 * and never move; registration may also come later, from dlopen.
 */
#ifndef CT_HOST_RT_BASE_REGISTRY_H
#define CT_HOST_RT_BASE_REGISTRY_H

#include <cudatrace/unit.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_registered_unit {
	struct ct_registered_unit *next;
	const void *blob;
	uint64_t bytes;
	bool written; /* into the trace; guarded by the session's lock */
};

/* Adds a unit's PTX (cudatrace/places.h); it is not checked. */
struct ct_registered_places {
	struct ct_registered_places *next;
	const void *blob;
	uint64_t bytes;
	bool written; /* into the trace; guarded by the session's lock */
};

struct ct_kernel {
	struct ct_kernel *next_in_bucket;
	const void *stub;
	const void *clone;  /* NULL: no instrumented clone */
	const void *clock;  /* NULL: no clone for the CTA clock alone */
	const void *blocks; /* NULL: none that counts blocks alone */
	const char *name;   /* mangled */
	uint64_t unit_id;
	uint32_t param_count;
	uint32_t effects; /* CT_EFFECT_…, of itself */
	/* Kept by launch.c under the session's lock. */
	struct ct_kernel_image *images;
	int8_t selected; /* by --kernels: 1 yes, -1 no, 0 not yet asked */
	bool launched_traced;
};

struct ct_registered_variable {
	struct ct_registered_variable *next;
	const void *shadow;
	const char *name;
	uint64_t bytes;
	bool is_constant;
};

/* CT_EFFECT_… (cudatrace/host.h) of a kernel, with those of functions of other units that it calls.
 */
uint32_t ct_registry_effects(const struct ct_kernel *kernel);

/* NULL if stub is not a kernel we compiled. */
struct ct_kernel *ct_registry_kernel(const void *stub);

/* First of each list, newest first. */
struct ct_registered_unit *ct_registry_units(void);
struct ct_registered_variable *ct_registry_variables(void);
struct ct_registered_places *ct_registry_places(void);
/* Grows with every registered unit. */
uint64_t ct_registry_unit_count(void);

/* The blob of a unit for the image that runs: by its virtual architecture
 * first (code compiled from PTX), then by its real one, then any. NULL if the
 * unit is unknown. */
const struct ct_unit_header *ct_registry_unit(uint64_t unit_id, uint32_t ptx_arch,
					      uint32_t binary_arch);

/* A kernel's entry in a blob, NULL if it has none; strings of a blob. */
const struct ct_unit_kernel *ct_registry_unit_kernel(const struct ct_unit_header *unit,
						     const char *name);
const struct ct_unit_param *ct_registry_unit_params(const struct ct_unit_header *unit);
const char *ct_registry_unit_string(const struct ct_unit_header *unit, uint32_t offset);

#endif
