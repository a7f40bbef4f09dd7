/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics that wait for others at their address. */
#include "postproc/analysis/access/held.h"

#include "base/map.h"
#include <errno.h>
#include <stdlib.h>

#define SLOTS 4096u
#define KINDS 1024u /* of sites; further ones share a number */

struct slot {
	struct ct_access_entry entry;
	uint32_t partition; /* of the shuffle */
	bool is_used;
};

/* How well it pays to hold entries of a site: of those that come in a period, few joined another
 * (adds all over memory), and the next of the site pass, but for some that ask again. */
#define PERIOD 1024u
#define JOINED_MIN 64u /* of a period */
#define PASSING 16384u

struct ct_access_held {
	struct ct_shuffle *shuffle;
	uint32_t writer;
	uint32_t tried[KINDS], joined[KINDS], passing[KINDS];
	struct slot slot[SLOTS]; /* by hash of the key */
};

int ct_access_held_open(struct ct_access_held **out, struct ct_shuffle *atomics, uint32_t writer)
{
	struct ct_access_held *held = calloc(1, sizeof(*held));

	*out = held;
	if (!held)
		return -ENOMEM;
	held->shuffle = atomics;
	held->writer = writer;
	return 0;
}

void ct_access_held_close(struct ct_access_held *held)
{
	free(held);
}

static int pass_on(struct ct_access_held *held, struct slot *slot)
{
	if (!slot->is_used)
		return 0;
	slot->is_used = false;
	return ct_shuffle_put_sized(held->shuffle, held->writer, slot->partition, &slot->entry,
				    sizeof(slot->entry));
}

/* Whether it passes; of a kind whose entries rarely join. */
static bool passes(struct ct_access_held *held, uint32_t kind)
{
	if (held->passing[kind]) {
		held->passing[kind]--;
		return true;
	}
	if (++held->tried[kind] == PERIOD) {
		held->passing[kind] = held->joined[kind] < JOINED_MIN ? PASSING : 0;
		held->tried[kind] = held->joined[kind] = 0;
	}
	return false;
}

int ct_access_held_add(struct ct_access_held *held, uint32_t launch, uint64_t address,
		       uint64_t lanes, uint32_t site)
{
	const struct ct_access_entry entry = {{launch, address}, {lanes, site}};
	uint64_t hash = ct_map_hash(launch, address);
	uint32_t partition = (uint32_t)(hash >> 32) % CT_ACCESS_PARTITIONS, kind = site % KINDS;
	struct slot *slot = &held->slot[hash % SLOTS];
	int err;

	if (passes(held, kind))
		return ct_shuffle_put_sized(held->shuffle, held->writer, partition, &entry,
					    sizeof(entry));
	if (slot->is_used && slot->entry.key[0] == launch && slot->entry.key[1] == address) {
		ct_access_join_lanes(slot->entry.value, entry.value);
		held->joined[kind]++;
		return 0;
	}
	err = pass_on(held, slot);
	*slot = (struct slot){entry, partition, true};
	return err;
}

int ct_access_held_finish(struct ct_access_held *held)
{
	int err = 0;

	for (uint32_t i = 0; i < SLOTS && err == 0; i++)
		err = pass_on(held, &held->slot[i]);
	return err;
}
