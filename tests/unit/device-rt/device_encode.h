/* SPDX-License-Identifier: Apache-2.0 */
/* The device's encoder as functions of the host; each returns the number of words. */
#ifndef CT_DEVICE_ENCODE_TEST_H
#define CT_DEVICE_ENCODE_TEST_H

#include <cudatrace/record.h>
#include <stdint.h>

struct device_case {
	uint64_t site;
	uint32_t bytes, mask, part;
	uint32_t off;                /* lanes of mask whose state records nothing */
	uint64_t low[CT_WARP_LANES]; /* addresses, or the first eight bytes of values */
	uint64_t high[CT_WARP_LANES];
};

#ifdef __cplusplus
extern "C" {
#endif

uint32_t device_encode_access(const struct device_case *which, uint64_t *words);
uint32_t device_encode_value(const struct device_case *which, uint64_t *words);
/* table: per lane, 3 * count words as __ct_loop of hooks.def takes them. 0 words: refused. */
uint32_t device_encode_loop(uint32_t site, uint32_t count, uint32_t mask,
			    const uint64_t iterations[CT_WARP_LANES],
			    const uint64_t *const table[CT_WARP_LANES], uint64_t *words);
uint32_t device_encode_group(uint32_t site, uint32_t count, uint32_t mask, const uint64_t *distance,
			     uint64_t *words);
uint32_t device_encode_range(const struct device_case *which, uint64_t *words);
/* The first access of a group that is in force; and of one, by lanes whose others are elsewhere. */
uint32_t device_encode_leader(const struct device_case *which, uint64_t *words);
uint32_t device_encode_alone(const struct device_case *which, uint64_t *words);

/* The values of a group of count loads, of all lanes: value[k] is that of site + k. Words must have
 * room for GROUP_WORDS. */
#define GROUP_WORDS (CT_GROUP_MEMBERS * (1 + CT_WARP_LANES))
uint32_t device_encode_group_values(uint32_t site, uint32_t bytes, uint32_t count,
				    const uint64_t (*value)[CT_WARP_LANES], uint64_t *words);

/* The content of ranges, of c->high[lane] bytes each at c->low[lane]: all of its records. Words
 * must have room for them. */
uint32_t device_encode_content(const struct device_case *which, uint64_t *words);

/* Collects what of a group goes to the counters: by member, by lane; bytes 0: nothing. Returns
 * calls. */
struct device_counted {
	uint64_t address[CT_GROUP_MEMBERS][CT_WARP_LANES];
	uint64_t bytes[CT_GROUP_MEMBERS][CT_WARP_LANES];
};
uint32_t device_count_group(const struct device_case *which, uint32_t count,
			    const uint64_t *distance, struct device_counted *counted);
uint32_t device_count_alone(const struct device_case *which, struct device_counted *counted);

#ifdef __cplusplus
}
#endif
#endif
