/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of senders on their way to the volumes of CTAs. */
#include "postproc/analysis/comm/flows/senders.h"
#include <errno.h>
#include <stdlib.h>

#define SLOTS_LEAST 1024u

/* As many as there are CTAs of all supersteps, if memory allows: then none gives way. */
static uint64_t count_slots(const struct ct_engine *engine)
{
	uint64_t room =
	    engine->memory_bytes / 32 / engine->threads / sizeof(struct ct_senders_slot);
	uint64_t slots = SLOTS_LEAST;

	while (slots < engine->launched_ctas && 2 * slots <= room)
		slots *= 2;
	return slots;
}

int ct_senders_init(struct ct_senders *senders, struct ct_engine *engine, uint32_t writer)
{
	uint64_t slots = count_slots(engine);

	*senders = (struct ct_senders){.engine = engine, .writer = writer, .mask = slots - 1};
	senders->slot = calloc(slots, sizeof(*senders->slot));
	return senders->slot ? 0 : -ENOMEM;
}

void ct_senders_fini(struct ct_senders *senders)
{
	free(senders->slot);
	senders->slot = NULL;
}

static int put(const struct ct_senders *senders, const struct ct_senders_slot *slot)
{
	const struct ct_volume volume = {
	    .who = slot->who, .sm = CT_NO_SM, .senders = slot->senders};

	if (!slot->senders)
		return 0;
	return ct_shuffle_put(senders->engine->volumes, senders->writer,
			      ct_volume_partition(volume.who), &volume);
}

int ct_senders_add(struct ct_senders *senders, uint32_t superstep, uint32_t cta, uint64_t count)
{
	uint64_t at = senders->engine->step[superstep].first_cta + cta;
	uint64_t who = (uint64_t)superstep << 32 | cta;
	struct ct_senders_slot *slot = &senders->slot[at & senders->mask];
	int err = 0;

	if (slot->who != who) {
		err = put(senders, slot);
		*slot = (struct ct_senders_slot){.who = who};
	}
	slot->senders += count;
	return err;
}

int ct_senders_flush(struct ct_senders *senders)
{
	int err = 0;

	for (uint64_t i = 0; i <= senders->mask && err == 0; i++) {
		err = put(senders, &senders->slot[i]);
		senders->slot[i].senders = 0;
	}
	return err;
}
