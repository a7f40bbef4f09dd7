/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that devices use, or share with the host, comes and goes. */
#include "host-rt/watch/order/devices.h"
#include "host-rt/watch/ranges/access.h"
#include "host-rt/watch/ranges/blocks.h"
#include "host-rt/watch/ranges/lock.h"
#include "host-rt/watch/watch.h"

#define FOUND_MAX 256u

void ct_watch_allocated(uint64_t address, uint64_t bytes, enum ct_watch_memory kind)
{
	const struct ct_block *block;

	if (!bytes || !ct_watch_is_on() || !ct_watch_lock())
		return;
	ct_block_add(address, bytes, kind);
	block = ct_block_find_device(address);
	if (block)
		ct_devices_created(block);
	ct_watch_unlock();
}

/* Accesses are over: what is armed is finished by the call, what is pending stays until it has
 * waited. */
static void freed(uint64_t address)
{
	const struct ct_block *block = ct_block_find_shared(address);
	struct ct_watch_touch access = ct_watch_touch_of_call(CT_USE_FREE);
	uint32_t found[FOUND_MAX], count = 0;

	if (!block || block->address != address)
		return;
	access.at = address;
	access.bytes = block->bytes;
	count = ct_ranges_find(address, address + block->bytes, found, FOUND_MAX);
	for (uint32_t i = 0; i < count; i++)
		if (ct_range_counts(&ct_ranges[found[i]], true))
			ct_range_finish(found[i], &access);
}

void ct_watch_dying(uint64_t address)
{
	if (!ct_watch_is_on() || !ct_watch_lock())
		return;
	freed(address);
	ct_watch_unlock();
}

void ct_watch_freed(uint64_t address)
{
	if (!ct_watch_is_on() || !ct_watch_lock())
		return;
	freed(address);
	ct_block_remove(address);
	ct_watch_unlock();
}

void ct_watch_unshared(uint64_t address)
{
	if (!ct_watch_is_on() || !ct_watch_lock())
		return;
	ct_block_remove(address);
	ct_watch_unlock();
}

void ct_watch_device_freed(uint64_t address)
{
	const struct ct_block *block;

	if (!ct_watch_is_on() || !ct_watch_lock())
		return;
	block = ct_block_find_device(address);
	if (block && block->address == address)
		ct_block_remove(address);
	ct_watch_unlock();
}
