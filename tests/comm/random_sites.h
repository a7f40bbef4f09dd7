/* SPDX-License-Identifier: Apache-2.0 */
/* Sites of random traces. */
#ifndef CT_TEST_RANDOM_SITES_H
#define CT_TEST_RANDOM_SITES_H

#include <stdint.h>

enum random_kind { RANDOM_PLAIN, RANDOM_RANGE, RANDOM_SHARED };

struct random_site {
	uint8_t operation; /* operations.def */
	uint8_t bytes;
	uint8_t kind; /* enum random_kind */
};

#define RANDOM_SITES 24
struct random_plan;
struct random_site random_site(const struct random_plan *plan, uint32_t site);

#endif
