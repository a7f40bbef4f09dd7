/* SPDX-License-Identifier: Apache-2.0 */
/* Compare the map of transfers, the volumes of CTAs, and the order of supersteps. */
#include "tests/comm/agree.h"

#include <stdio.h>

static int take_transfer(void *user, const struct ct_comm_transfer *transfer)
{
	struct bag_entry *entry = bag_at(user, transfer->source_superstep, transfer->source_cta,
					 transfer->target_superstep, transfer->target_cta);

	entry->value[0] += transfer->bytes;
	entry->value[1] += transfer->loads;
	return 0;
}

static void agree_transfers(const struct reference *reference, struct ct_comm *comm,
			    struct disagreement *found)
{
	struct bag got = {0};
	int err = ct_comm_each_transfer(comm, take_transfer, &got);

	if (err)
		disagree(found, "each_transfer", 0, err);
	if (got.count != reference->transfers.count)
		disagree(found, "transfers", (double)reference->transfers.count, (double)got.count);
	for (size_t i = 0; i < reference->transfers.count; i++) {
		const struct bag_entry *expected = &reference->transfers.entry[i];
		const struct bag_entry *other = bag_find(&got, expected->key[0], expected->key[1],
							 expected->key[2], expected->key[3]);
		char name[100];

		for (int value = 0; value < 2; value++) {
			if (other && expected->value[value] == other->value[value])
				continue;
			snprintf(name, sizeof(name), "transfer (%llu, %llu) to (%llu, %llu): %s",
				 (unsigned long long)expected->key[0],
				 (unsigned long long)expected->key[1],
				 (unsigned long long)expected->key[2],
				 (unsigned long long)expected->key[3], value ? "loads" : "bytes");
			disagree(found, name, (double)expected->value[value],
				 other ? (double)other->value[value] : 0);
		}
	}
	bag_fini(&got);
}

static int take_cta(void *user, const struct ct_comm_cta *cta)
{
	struct bag_entry *entry = bag_at(user, cta->superstep, cta->cta, 0, 0);

	entry->value[0] += cta->load_bytes;
	entry->value[1] += cta->store_bytes;
	entry = bag_at(user, cta->superstep, cta->cta, 1, 0);
	entry->value[0] += cta->communicated_load_bytes;
	entry->value[1] += cta->communicated_store_bytes;
	bag_at(user, cta->superstep, cta->cta, 2, 0)->value[0] = cta->sm;
	return 0;
}

static void agree_ctas(const struct reference *reference, struct ct_comm *comm,
		       struct disagreement *found)
{
	static const char *const what[] = {"loads and stores", "communicated", "SM"};
	struct bag got = {0};
	int err = ct_comm_each_cta(comm, take_cta, &got);

	if (err)
		disagree(found, "each_cta", 0, err);
	for (size_t i = 0; i < reference->ctas.count; i++) {
		const struct bag_entry *expected = &reference->ctas.entry[i];
		const struct bag_entry *other =
		    bag_find(&got, expected->key[0], expected->key[1], expected->key[2], 0);
		char name[100];

		for (int value = 0; value < 2; value++) {
			if (other && expected->value[value] == other->value[value])
				continue;
			snprintf(name, sizeof(name), "superstep %llu, CTA %llu: %s %d",
				 (unsigned long long)expected->key[0],
				 (unsigned long long)expected->key[1], what[expected->key[2]],
				 value);
			disagree(found, name, (double)expected->value[value],
				 other ? (double)other->value[value] : -1);
		}
	}
	bag_fini(&got);
}

void agree_lists(const struct reference *reference, struct ct_comm *comm,
		 struct disagreement *found)
{
	agree_transfers(reference, comm, found);
	agree_ctas(reference, comm, found);
}

void agree_order(const struct reference *reference, const struct ct_order *order,
		 struct disagreement *found)
{
	const struct ct_superstep *step;
	size_t count = ct_order_supersteps(order, &step);
	const struct before *before = &reference->before;
	char name[64];

	if (count != before->steps)
		disagree(found, "supersteps", before->steps, (double)count);
	for (uint32_t t = 0; t < before->steps && t < count; t++) {
		if (step[t].level != before->level[t]) {
			snprintf(name, sizeof(name), "level of superstep %u", t);
			disagree(found, name, before->level[t], step[t].level);
		}
		for (uint32_t s = 0; s < t; s++) {
			bool is_before = before_is(before, s, t);

			if (ct_order_before(order, s, t) != is_before) {
				snprintf(name, sizeof(name), "is %u before %u", s, t);
				disagree(found, name, is_before, !is_before);
			}
			if (!is_before ||
			    ct_order_distance(order, s, t) == before_distance(before, s, t))
				continue;
			snprintf(name, sizeof(name), "distance of %u and %u", s, t);
			disagree(found, name, before_distance(before, s, t),
				 ct_order_distance(order, s, t));
		}
	}
}
