/* SPDX-License-Identifier: Apache-2.0 */
/* Tier counts: one row of counters for the sites of all registered units. Session's lock held. */
#ifndef CT_HOST_RT_COUNTS_UNITS_H
#define CT_HOST_RT_COUNTS_UNITS_H

#include <cudatrace/counts.h>
#include <cudatrace/unit.h>
#include <stdint.h>

/* Never changes, never freed: areas refer to it. Units that are registered
 * later make another one. */
struct ct_counts_units {
	uint64_t registered; /* units known when it was made */
	uint32_t unit_count, site_count;
	struct ct_counts_unit *unit;        /* by tag, then arch */
	const struct ct_unit_header **blob; /* of each unit */
	uint32_t *operations;               /* of each site: CT_COUNTS_READS, _WRITES */
};

/* Returns the units that are registered now; NULL without memory, or if there are too many units.
 */
const struct ct_counts_units *ct_counts_units_now(void);

/* Index of a unit, -1 if it has none. */
int ct_counts_units_find(const struct ct_counts_units *units, uint64_t unit_id, uint32_t arch);

/* Reads a blob. */
const struct ct_unit_site *ct_counts_unit_sites(const struct ct_unit_header *unit);

/* Whose counter it is: returns the unit and sets *site; NULL: of no unit. */
const struct ct_unit_header *ct_counts_units_site(const struct ct_counts_units *units,
						  uint32_t counter, uint32_t *site);

#endif
