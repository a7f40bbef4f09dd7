/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges by address: a treap over their indices that knows how far each subtree reaches. */
#ifndef CT_HOST_RT_WATCH_RANGES_TREE_H
#define CT_HOST_RT_WATCH_RANGES_TREE_H

#include "host-rt/watch/ranges/ranges.h"

void ct_tree_insert(uint32_t *root, uint32_t range);
void ct_tree_remove(uint32_t *root, uint32_t range);
/* As ct_ranges_find, but for rows. */
uint32_t ct_tree_find(uint32_t root, uint64_t start, uint64_t end, uint32_t *indices,
		      uint32_t room);

#endif
