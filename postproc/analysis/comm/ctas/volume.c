/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up what CTAs moved: pieces of the same CTA and superstep. */
#include "postproc/analysis/comm/base/engine.h"

struct join {
	struct ct_volume volume; /* what is gathered; who UINT64_MAX: nothing */
	int (*fn)(void *user, const struct ct_volume *volume);
	void *user;
};

static int join_pieces(void *user, void *records, size_t count)
{
	const struct ct_volume *piece = records;
	struct join *join = user;
	struct ct_volume *all = &join->volume;
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		if (piece[i].who != all->who) {
			if (all->who != UINT64_MAX)
				err = join->fn(join->user, all);
			*all = piece[i];
			continue;
		}
		if (piece[i].sm < all->sm)
			all->sm = piece[i].sm;
		all->load_bytes += piece[i].load_bytes;
		all->store_bytes += piece[i].store_bytes;
		all->communicated_load_bytes += piece[i].communicated_load_bytes;
		all->communicated_store_bytes += piece[i].communicated_store_bytes;
		all->senders += piece[i].senders;
	}
	return err;
}

int ct_volumes_each(struct ct_engine *engine, uint32_t partition,
		    int (*fn)(void *user, const struct ct_volume *volume), void *user)
{
	struct join join = {.volume.who = UINT64_MAX, .fn = fn, .user = user};
	int err = ct_shuffle_each(engine->volumes, partition, join_pieces, &join);

	if (err == 0 && join.volume.who != UINT64_MAX)
		err = fn(user, &join.volume);
	return err;
}

/* By superstep; a partition has them in a row. */
struct step_sum {
	struct ct_sums *sums;
	uint64_t superstep;
	struct ct_volume volume;
	uint64_t senders_squares;
};

static int add_step(struct step_sum *sum)
{
	const struct ct_volume *volume = &sum->volume;
	int err = ct_sums_add(sum->sums, CT_FACT_KEY(CT_FACT_STEP_VOLUME, sum->superstep), 0,
			      volume->load_bytes, volume->store_bytes);

	if (err == 0)
		err = ct_sums_add(sum->sums, CT_FACT_KEY(CT_FACT_STEP_COMMUNICATED, sum->superstep),
				  0, volume->communicated_load_bytes,
				  volume->communicated_store_bytes);
	if (err == 0 && volume->senders)
		err = ct_sums_add(sum->sums, CT_FACT_KEY(CT_FACT_STEP_IN_DEGREE, sum->superstep), 0,
				  volume->senders, sum->senders_squares);
	sum->senders_squares = 0;
	sum->volume = (struct ct_volume){0};
	return err;
}

static int add_volume(void *user, const struct ct_volume *volume)
{
	struct step_sum *sum = user;
	int err = 0;

	if (volume->who >> 32 != sum->superstep)
		err = add_step(sum);
	sum->superstep = volume->who >> 32;
	sum->volume.load_bytes += volume->load_bytes;
	sum->volume.store_bytes += volume->store_bytes;
	sum->volume.communicated_load_bytes += volume->communicated_load_bytes;
	sum->volume.communicated_store_bytes += volume->communicated_store_bytes;
	sum->volume.senders += volume->senders;
	sum->senders_squares += volume->senders * volume->senders;
	return err;
}

int ct_volumes_take(struct ct_engine *engine, struct ct_sums *sums, uint32_t partition)
{
	struct step_sum sum = {.sums = sums};
	int err = ct_volumes_each(engine, partition, add_volume, &sum);

	return err == 0 ? add_step(&sum) : err;
}
