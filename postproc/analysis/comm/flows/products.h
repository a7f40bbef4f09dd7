/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transfers of many CTAs to many: each CTA of one set has sent the same number of
 * bytes to each of another, from one superstep to a later one. There may be
 * billions of such pairs (a counter that all CTAs add to), so they are counted
 * by sets.
 */
#ifndef CT_COMM_FLOWS_PRODUCTS_H
#define CT_COMM_FLOWS_PRODUCTS_H

#include <stddef.h>
#include <stdint.h>

struct ct_products;

struct ct_product {
	uint32_t source, target; /* supersteps */
	uint64_t bytes;          /* from each to each; those of the same sets and supersteps add up */
	uint32_t sources, targets; /* sets */
};

/* memory_bytes: for all sets. */
int ct_products_open(struct ct_products **out, uint64_t memory_bytes);
void ct_products_close(struct ct_products *products); /* NULL is allowed */

/* CTAs ascend; sets are found. From any thread. -ENOMEM: there is no room, and nothing was
 * added. */
int ct_products_add(struct ct_products *products, const struct ct_product *product,
		    const uint32_t *source, uint32_t sources, const uint32_t *target,
		    uint32_t targets);

#endif
