/* SPDX-License-Identifier: Apache-2.0 */
/* Build a unit blob for accesses that no compiler described. */
#include "postproc/formats/memtrace/unit_build.h"
#include "base/array.h"
#include <cudatrace/unit.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ct_unit_build {
	struct ct_unit_header header;
	struct ct_unit_kernel *kernels;
	struct ct_unit_site *sites;
	char *strings;
	uint32_t last_site; /* where the last search ended: the next is likely near */
};

static int add_string(struct ct_unit_build *build, const char *string, uint32_t *offset)
{
	size_t bytes = strlen(string) + 1;
	char *bigger = realloc(build->strings, build->header.string_bytes + bytes);

	if (!bigger)
		return -ENOMEM;
	memcpy(bigger + build->header.string_bytes, string, bytes);
	*offset = build->header.string_bytes;
	build->strings = bigger;
	build->header.string_bytes += (uint32_t)bytes;
	return 0;
}

int ct_unit_build_open(struct ct_unit_build **out, uint64_t unit_id, uint32_t arch,
		       const char *source)
{
	struct ct_unit_build *build = calloc(1, sizeof(*build));
	uint32_t empty;

	*out = NULL;
	if (!build)
		return -ENOMEM;
	build->header.magic = CT_UNIT_MAGIC;
	build->header.version = CT_UNIT_VERSION;
	build->header.header_bytes = sizeof(build->header);
	build->header.unit_id = unit_id;
	build->header.arch = arch;
	build->header.spaces = 1u << CT_SPACE_GLOBAL;
	build->header.kinds = CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC;
	if (add_string(build, "", &empty) < 0 ||
	    add_string(build, source, &build->header.source) < 0) {
		ct_unit_build_close(build);
		return -ENOMEM;
	}
	*out = build;
	return 0;
}

void ct_unit_build_close(struct ct_unit_build *build)
{
	if (!build)
		return;
	free(build->kernels);
	free(build->sites);
	free(build->strings);
	free(build);
}

int64_t ct_unit_build_kernel(struct ct_unit_build *build, const char *name)
{
	uint32_t count = build->header.kernel_count;
	struct ct_unit_kernel kernel = {.line = 0};

	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(build->strings + build->kernels[i].name, name))
			return i;
	if (ct_array_grow(&build->kernels, count, sizeof(kernel)) < 0 ||
	    add_string(build, name, &kernel.name) < 0)
		return -ENOMEM;
	kernel.display = kernel.name;
	build->kernels[count] = kernel;
	return build->header.kernel_count++;
}

int64_t ct_unit_build_site(struct ct_unit_build *build, uint32_t kernel, uint32_t operation,
			   uint32_t bytes)
{
	uint32_t count = build->header.site_count;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = build->last_site + i < count ? build->last_site + i
							   : build->last_site + i - count;
		const struct ct_unit_site *site = &build->sites[at];

		if (site->kernel == kernel && site->operation == operation && site->bytes == bytes)
			return build->last_site = at;
	}
	if (ct_array_grow(&build->sites, count, sizeof(*build->sites)) < 0)
		return -ENOMEM;
	build->sites[count] = (struct ct_unit_site){
	    .function = build->kernels[kernel].name,
	    .kernel = kernel,
	    .inlined_at = CT_NONE,
	    .bytes = bytes,
	    .operation = (uint8_t)operation,
	    .space = CT_SPACE_GLOBAL,
	    .verdict = CT_VERDICT_GLOBAL,
	    .scalar = CT_SCALAR_UNKNOWN,
	    .scalar_bits = (uint16_t)(bytes <= 16 ? bytes * 8 : 0),
	    .vector_length = 1,
	};
	return build->header.site_count++;
}

int ct_unit_build_finish(const struct ct_unit_build *build, void **blob, size_t *bytes)
{
	size_t kernel_bytes = build->header.kernel_count * sizeof(*build->kernels);
	size_t site_bytes = build->header.site_count * sizeof(*build->sites);
	char *at;

	*bytes = sizeof(build->header) + kernel_bytes + site_bytes + build->header.string_bytes;
	*blob = at = malloc(*bytes);
	if (!at)
		return -ENOMEM;
	memcpy(at, &build->header, sizeof(build->header));
	at += sizeof(build->header);
	if (kernel_bytes)
		memcpy(at, build->kernels, kernel_bytes);
	at += kernel_bytes;
	if (site_bytes)
		memcpy(at, build->sites, site_bytes);
	memcpy(at + site_bytes, build->strings, build->header.string_bytes);
	return 0;
}
