/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the program has allocated for devices, by address. With the watch's lock held. */
#ifndef CT_HOST_RT_WATCH_RANGES_BLOCKS_H
#define CT_HOST_RT_WATCH_RANGES_BLOCKS_H

#include "host-rt/watch/ranges/watched.h"

struct ct_block {
	uint64_t address, bytes;
	uint32_t number; /* from 1; unlike those of all others that live; of DEVICE alone, else 0 */
	uint8_t kind;    /* enum ct_watch_memory */
};

#define CT_BLOCK_NUMBERS (1u << 20)

/* In place of one that begins there. */
void ct_block_add(uint64_t address, uint64_t bytes, enum ct_watch_memory kind);
void ct_block_remove(uint64_t address);
/* The block that holds the address, NULL: none. Until the next call of the above. */
const struct ct_block *ct_block_find(uint64_t address);
/* The same of memory that the host shares; of a device's alone. */
const struct ct_block *ct_block_find_shared(uint64_t address);
const struct ct_block *ct_block_find_device(uint64_t address);

#endif
