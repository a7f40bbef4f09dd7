/* SPDX-License-Identifier: Apache-2.0 */
/* The unit of random traces: sites of all widths, operations and kinds. */
#include "tests/comm/bag.h"
#include "tests/comm/random_sites.h"
#include "tests/comm/random_trace.h"

#include <cudatrace/unit.h>
#include <string.h>

static const char *const kernels[RANDOM_KERNELS] = {"_Z5alphaPi", "_Z4betaPi", "_Z5gammaPi"};

const char *random_kernel(uint64_t kernel)
{
	return kernels[kernel % RANDOM_KERNELS];
}

static const struct random_site sites[RANDOM_SITES] = {
    {1, 1, 0},  {1, 2, 0},  {1, 4, 0},  {1, 8, 0}, {1, 16, 0}, {1, 12, 0}, {2, 1, 0},  {2, 2, 0},
    {2, 4, 0},  {2, 8, 0},  {2, 16, 0}, {2, 3, 0}, {3, 4, 0},  {3, 8, 0},  {10, 4, 0}, {17, 4, 0},
    {26, 0, 1}, {28, 0, 1}, {29, 0, 1}, {1, 4, 2}, {2, 4, 2},  {1, 4, 0},  {2, 4, 0},  {3, 2, 0},
};

struct random_site random_site(const struct random_plan *plan, uint32_t site)
{
	struct random_site of = sites[site];

	if (!plan->is_sized)
		return of;
	if (of.kind == RANDOM_RANGE)
		of = (struct random_site){.operation = 1, .bytes = 4};
	if (of.bytes & (of.bytes - 1))
		of.bytes = 8;
	return of;
}

void *random_unit(const struct random_plan *plan, size_t *bytes)
{
	static const char text[] = "\0random.cu\0_Z5alphaPi\0_Z4betaPi\0_Z5gammaPi\0"
				   "alpha(int*)\0beta(int*)\0gamma(int*)";
	static const uint32_t name[RANDOM_KERNELS] = {11, 22, 32}, display[] = {43, 55, 66};
	struct {
		struct ct_unit_header header;
		struct ct_unit_kernel kernels[RANDOM_KERNELS];
		struct ct_unit_site sites[RANDOM_SITES];
	} * blob;

	*bytes = (sizeof(*blob) + sizeof(text) + 7) / 8 * 8;
	blob = must_have(*bytes, 1);
	blob->header = (struct ct_unit_header){
	    .magic = CT_UNIT_MAGIC,
	    .version = CT_UNIT_VERSION,
	    .header_bytes = sizeof(blob->header),
	    .unit_id = RANDOM_UNIT_ID,
	    .arch = 90,
	    .kernel_count = RANDOM_KERNELS,
	    .site_count = RANDOM_SITES,
	    .string_bytes = (uint32_t)(*bytes - sizeof(*blob)),
	    .source = 1,
	    .spaces = 1u << CT_SPACE_GLOBAL | 1u << CT_SPACE_SHARED,
	    .kinds = CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC,
	};
	for (uint32_t k = 0; k < RANDOM_KERNELS; k++)
		blob->kernels[k] = (struct ct_unit_kernel){
		    .name = name[k], .display = display[k], .file = 1, .line = 10 * k + 1};
	for (uint32_t s = 0; s < RANDOM_SITES; s++) {
		const struct random_site of = random_site(plan, s);

		blob->sites[s] = (struct ct_unit_site){
		    .function = name[0],
		    .kernel = CT_NONE,
		    .file = 1,
		    .line = 100 + s,
		    .column = 1,
		    .inlined_at = CT_NONE,
		    .bytes = of.bytes,
		    .operation = of.operation,
		    .space = of.kind == RANDOM_SHARED ? CT_SPACE_SHARED : CT_SPACE_GLOBAL,
		    .verdict = CT_VERDICT_GLOBAL,
		    .scalar = CT_SCALAR_INTEGER,
		    .scalar_bits = 8,
		    .vector_length = (uint16_t)of.bytes,
		    .flags = of.kind == RANDOM_RANGE ? CT_SITE_RANGE : 0,
		};
	}
	memcpy(blob + 1, text, sizeof(text));
	return blob;
}
