/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of many rectangles of addresses and time holds a point: objects that live one after
 * another at the same addresses. A tree halves the addresses; an object stands in the at most
 * 2 log n nodes whose addresses it covers, and a node's objects, no two of which live at the same
 * time, are sorted by time. A search takes O(log^2 n) steps however many share an address.
 */
#ifndef CT_POSTPROC_FACTS_LIFETIMES_H
#define CT_POSTPROC_FACTS_LIFETIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_NO_LIFETIME UINT32_MAX

/* Addresses from begin to end, events from allocated_at to freed_at; what is empty holds nothing.
 */
struct ct_lifetime {
	uint64_t begin, end;
	uint64_t allocated_at, freed_at;
};

struct ct_lifetimes {
	const struct ct_lifetime *lifetime; /* the caller's */
	uint64_t *edge;                     /* addresses where one begins or ends, ascending */
	uint32_t edges;
	uint32_t *first;  /* by node: its first place in `listed`, one more than there are nodes */
	uint32_t *listed; /* numbers of lifetimes, of each node by time */
};

/* Lifetimes overlap nowhere, and stay until fini. 0 or -ENOMEM */
int ct_lifetimes_init(struct ct_lifetimes *lifetimes, const struct ct_lifetime *lifetime,
		      uint32_t count);
void ct_lifetimes_fini(struct ct_lifetimes *lifetimes);

static inline bool ct_lifetime_holds(const struct ct_lifetime *lifetime, uint64_t address,
				     uint64_t event_index)
{
	return address >= lifetime->begin && address < lifetime->end &&
	       event_index >= lifetime->allocated_at && event_index < lifetime->freed_at;
}

/* Number of the one that holds the point, or CT_NO_LIFETIME. *steps grows by how many places were
 * looked at. */
uint32_t ct_lifetimes_find(const struct ct_lifetimes *lifetimes, uint64_t address,
			   uint64_t event_index, uint64_t *steps);

#endif
