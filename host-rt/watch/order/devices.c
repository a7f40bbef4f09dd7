/* SPDX-License-Identifier: Apache-2.0 */
/* The last works of each block, stream by stream. */
#include "host-rt/watch/order/devices.h"
#include "host-rt/watch/order/order.h"
#include "host-rt/watch/order/reached.h"
#include "host-rt/watch/ranges/finished.h"

#define WORKS 4u /* streams that use a block; of more those that did so first are forgotten */

struct work {
	uint64_t sequence; /* 0: none */
	uint32_t slot, producer;
};

struct used {
	struct work work[WORKS];
	uint64_t finished; /* work up to here was accounted for by an access */
	uint64_t waits;    /* that there had been then */
};

static struct used *used;               /* by number of blocks */
static struct work any[CT_ORDER_SLOTS]; /* that may use any block */
static uint64_t waits, last;            /* waits; sequence */

static struct used *used_of(const struct ct_block *block)
{
	if (!used)
		used = ct_finished_memory((CT_BLOCK_NUMBERS + 1) * sizeof(*used));
	return used && block->number ? &used[block->number] : NULL;
}

void ct_devices_used(const struct ct_block *block, uint32_t slot, uint64_t sequence,
		     uint32_t producer)
{
	struct used *of = used_of(block);
	struct work *oldest = of ? &of->work[0] : NULL;

	last = sequence;
	for (uint32_t i = 0; of && i < WORKS; i++) {
		if (of->work[i].sequence && of->work[i].slot == slot) {
			oldest = &of->work[i];
			break;
		}
		if (of->work[i].sequence < oldest->sequence)
			oldest = &of->work[i];
	}
	if (oldest)
		*oldest = (struct work){sequence, slot, producer};
}

void ct_devices_used_any(uint32_t slot, uint64_t sequence, uint32_t producer)
{
	last = sequence;
	any[slot] = (struct work){sequence, slot, producer};
}

void ct_devices_created(const struct ct_block *block)
{
	struct used *of = used_of(block);

	if (of)
		*of = (struct used){.finished = last, .waits = waits};
}

void ct_devices_waited(void)
{
	waits++;
}

/* True if the work is one that the access is about. */
static bool tell_work(const struct work *work, const struct used *of, const struct ct_block *block,
		      const struct ct_watch_touch *access)
{
	const struct ct_reached *wait =
	    work->sequence > of->finished ? ct_reached_by(work->slot, work->sequence) : NULL;

	if (wait && wait->is_asked)
		ct_reached_tell(wait, CT_PROTECTS_DEVICE, block, work->producer, access);
	return wait != NULL;
}

/* Each wait once, though it is the last of many streams. */
static void tell_last(const struct ct_block *block, const struct ct_watch_touch *access)
{
	for (uint32_t slot = 0; slot < ct_watch_slots(); slot++) {
		struct ct_reached *wait = ct_reached_last(slot);
		bool is_reported = !wait || !wait->is_asked || wait->is_unsure;

		for (uint32_t other = 0; other < slot && !is_reported; other++)
			is_reported =
			    ct_reached_last(other) && ct_reached_last(other)->call == wait->call;
		if (is_reported)
			continue;
		ct_reached_tell(wait, CT_PROTECTS_DEVICE, block, 0, access);
		wait->is_unsure = access->kind == CT_USE_UNKNOWN;
	}
}

void ct_devices_access(const struct ct_block *block, const struct ct_watch_touch *access)
{
	struct used *of = used_of(block);
	bool is_known = false;

	if (!of)
		return;
	for (uint32_t i = 0; i < WORKS; i++)
		is_known |= tell_work(&of->work[i], of, block, access);
	for (uint32_t slot = 0; slot < ct_watch_slots(); slot++)
		is_known |= tell_work(&any[slot], of, block, access);
	if (!is_known && waits > of->waits)
		tell_last(block, access);
	of->finished = last;
	of->waits = waits;
}

void ct_devices_lose_all(const struct ct_watch_touch *access)
{
	tell_last(NULL, access);
}
