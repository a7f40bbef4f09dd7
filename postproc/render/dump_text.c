/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost dump for reading: addresses as "start +stride xlanes" where they are regular. */
#include "../model/operation.h"
#include "dump.h"
#include "words.h"
#include <inttypes.h>

#define NAME_BYTES 1024

static void write_prefix(struct ct_dump *dump, const struct ct_access *access)
{
	const struct ct_launch_info *launch = access->launch;
	char location[NAME_BYTES];
	uint32_t cta[3];

	ct_words_cta(launch, access->cta, cta);
	fprintf(dump->out, "%u %s (%u,%u,%u) ", launch->event->launch, launch->kernel, cta[0],
		cta[1], cta[2]);
	ct_words_location(access->unit, access->info, location, sizeof(location));
	fprintf(dump->out, "warp %u sm %u site %u %s %s %u B ", access->warp, access->sm,
		access->site, location, ct_operation_text(access->info->operation),
		access->info->bytes);
}

static void write_object(struct ct_dump *dump, const struct ct_access *access, uint64_t address)
{
	const struct ct_object_info *object = ct_locate(&dump->locator, access->launch, address);
	char name[NAME_BYTES];

	if (!object) {
		fprintf(dump->out, " no object\n");
		return;
	}
	fprintf(dump->out, " %s+%" PRIu64 "\n", ct_words_object(object, name, sizeof(name)),
		address - object->event->address);
}

/* Stride between the active lanes in order; *regular is 0 if there is none. */
static int64_t stride_of(const struct ct_access *access, uint32_t count, int *regular)
{
	uint64_t last = 0, stride = 0;
	uint32_t rank = 0;

	*regular = 1;
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		if (!(access->mask >> lane & 1))
			continue;
		if (rank == 1)
			stride = access->address[lane] - last;
		else if (rank > 1 && access->address[lane] - last != stride)
			*regular = 0;
		last = access->address[lane];
		rank++;
	}
	*regular = *regular && count > 2;
	return (int64_t)stride;
}

static void text_access(struct ct_dump *dump, const struct ct_access *access)
{
	uint32_t count = (uint32_t)__builtin_popcount(access->mask);
	uint32_t first = (uint32_t)__builtin_ctz(access->mask);
	int regular, separate = 0;
	int64_t stride = stride_of(access, count, &regular);

	write_prefix(dump, access);
	fprintf(dump->out, "mask %08x ", access->mask);
	if (regular) {
		fprintf(dump->out, "0x%" PRIx64 " %+" PRId64 " x%u", access->address[first], stride,
			count);
	} else {
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			if (access->mask >> lane & 1)
				fprintf(dump->out, "%s0x%" PRIx64, separate++ ? "," : "",
					access->address[lane]);
	}
	write_object(dump, access, access->address[first]);
}

static void text_lane(struct ct_dump *dump, const struct ct_access *access, uint32_t lane)
{
	write_prefix(dump, access);
	fprintf(dump->out, "thread %u 0x%" PRIx64, access->warp * CT_WARP_LANES + lane,
		access->address[lane]);
	write_object(dump, access, access->address[lane]);
}

const struct ct_dump_format ct_dump_text = {
    .name = "text",
    .access = text_access,
    .lane = text_lane,
};
