/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of the communication analysis that are spread over ranks, brought to rank 0 in order. */
#include "postproc/cmd/base/comm_gather.h"
#include "postproc/shuffle/shuffle.h"
#include <errno.h>
#include <stdlib.h>

#define PARTITIONS 64u /* of rank 0; each rank has as many that stay empty */
#define MEMORY_BYTES (256u << 20)

struct transfer_record {
	uint64_t source, target; /* superstep << 32 | cta */
	uint64_t bytes, loads;
};

struct cta_record {
	uint64_t who; /* superstep << 32 | cta */
	uint64_t sm;
	uint64_t load_bytes, store_bytes;
	uint64_t communicated_load_bytes, communicated_store_bytes;
};

struct ctpost_gathered {
	uint32_t ranks;
	size_t supersteps;
	struct ct_shuffle *transfers, *ctas;
	/* These are of the walk at hand: */
	int (*transfer)(void *user, const struct ct_comm_transfer *transfer);
	int (*cta)(void *user, const struct ct_comm_cta *cta);
	void *user;
};

/* Supersteps ascend with partitions, all of which are rank 0's. */
static uint32_t partition_of(const struct ctpost_gathered *gathered, uint32_t superstep)
{
	return (uint32_t)((uint64_t)superstep * PARTITIONS / gathered->supersteps) *
	       gathered->ranks;
}

static size_t list_bytes(void)
{
	uint64_t most = ct_pass_memory(0) / 4;

	return most < MEMORY_BYTES ? (size_t)most : MEMORY_BYTES;
}

static int open_list(struct ct_shuffle **out, const struct ct_comm_options *options, size_t bytes)
{
	struct ct_shuffle_options shuffle = {
	    .record_bytes = bytes,
	    .partitions = PARTITIONS * options->ranks->size,
	    .writers = 1,
	    .readers = 1,
	    .memory_bytes = options->memory_bytes ? options->memory_bytes / 4 : list_bytes(),
	    .key_mask = {UINT64_MAX, UINT64_MAX},
	    .directory = options->directory,
	    .ranks = options->ranks,
	};

	return ct_shuffle_open(out, &shuffle);
}

static int put_transfer(void *user, const struct ct_comm_transfer *transfer)
{
	const struct ctpost_gathered *gathered = user;
	struct transfer_record record = {
	    .source = (uint64_t)transfer->source_superstep << 32 | transfer->source_cta,
	    .target = (uint64_t)transfer->target_superstep << 32 | transfer->target_cta,
	    .bytes = transfer->bytes,
	    .loads = transfer->loads,
	};

	return ct_shuffle_put(gathered->transfers, 0,
			      partition_of(gathered, transfer->source_superstep), &record);
}

static int put_cta(void *user, const struct ct_comm_cta *cta)
{
	const struct ctpost_gathered *gathered = user;
	struct cta_record record = {
	    .who = (uint64_t)cta->superstep << 32 | cta->cta,
	    .sm = cta->sm,
	    .load_bytes = cta->load_bytes,
	    .store_bytes = cta->store_bytes,
	    .communicated_load_bytes = cta->communicated_load_bytes,
	    .communicated_store_bytes = cta->communicated_store_bytes,
	};

	return ct_shuffle_put(gathered->ctas, 0, partition_of(gathered, cta->superstep), &record);
}

/* After all ranks have put theirs; the error is the first of any. */
static int conclude(struct ct_shuffle *list, struct ct_ranks *ranks, int err)
{
	err = ct_ranks_agree(ranks, err);
	return err == 0 ? ct_shuffle_finish(list) : err;
}

int ctpost_gather(struct ctpost_gathered **out, struct ct_comm *comm,
		  const struct ct_comm_options *options, unsigned what)
{
	struct ctpost_gathered *gathered = calloc(1, sizeof(*gathered));
	const struct ct_superstep *supersteps;
	int err = gathered ? 0 : -ENOMEM;

	*out = gathered;
	err = ct_ranks_agree(options->ranks, err);
	if (err == 0) {
		gathered->ranks = options->ranks->size;
		gathered->supersteps = ct_order_supersteps(ct_comm_order(comm), &supersteps);
	}
	if (err == 0 && what & CTPOST_GATHER_TRANSFERS) {
		err = open_list(&gathered->transfers, options, sizeof(struct transfer_record));
		if (err == 0)
			err = ct_comm_each_transfer(comm, put_transfer, gathered);
		err = conclude(gathered->transfers, options->ranks, err);
	}
	if (err == 0 && what & CTPOST_GATHER_CTAS) {
		err = open_list(&gathered->ctas, options, sizeof(struct cta_record));
		if (err == 0)
			err = ct_comm_each_cta(comm, put_cta, gathered);
		err = conclude(gathered->ctas, options->ranks, err);
	}
	if (err != 0) {
		ctpost_gathered_close(gathered);
		*out = NULL;
	}
	return err;
}

void ctpost_gathered_close(struct ctpost_gathered *gathered)
{
	if (!gathered)
		return;
	ct_shuffle_close(gathered->transfers);
	ct_shuffle_close(gathered->ctas);
	free(gathered);
}

static int hand_transfers(void *user, void *records, size_t count)
{
	const struct ctpost_gathered *gathered = user;
	const struct transfer_record *record = records;
	int stop = 0;

	for (size_t i = 0; !stop && i < count; i++) {
		struct ct_comm_transfer transfer = {
		    .source_cta = (uint32_t)record[i].source,
		    .source_superstep = (uint32_t)(record[i].source >> 32),
		    .target_cta = (uint32_t)record[i].target,
		    .target_superstep = (uint32_t)(record[i].target >> 32),
		    .bytes = record[i].bytes,
		    .loads = record[i].loads,
		};

		stop = gathered->transfer(gathered->user, &transfer);
	}
	return stop;
}

static int hand_ctas(void *user, void *records, size_t count)
{
	const struct ctpost_gathered *gathered = user;
	const struct cta_record *record = records;
	int stop = 0;

	for (size_t i = 0; !stop && i < count; i++) {
		struct ct_comm_cta cta = {
		    .superstep = (uint32_t)(record[i].who >> 32),
		    .cta = (uint32_t)record[i].who,
		    .sm = (uint32_t)record[i].sm,
		    .load_bytes = record[i].load_bytes,
		    .store_bytes = record[i].store_bytes,
		    .communicated_load_bytes = record[i].communicated_load_bytes,
		    .communicated_store_bytes = record[i].communicated_store_bytes,
		};

		stop = gathered->cta(gathered->user, &cta);
	}
	return stop;
}

static int walk(struct ctpost_gathered *gathered, struct ct_shuffle *list,
		int (*take)(void *user, void *records, size_t count))
{
	int stop = 0;

	for (uint32_t p = 0; !stop && p < PARTITIONS; p++)
		stop = ct_shuffle_each(list, p * gathered->ranks, take, gathered);
	return stop;
}

static int each_transfer(void *user, int (*fn)(void *user, const struct ct_comm_transfer *transfer),
			 void *fn_user)
{
	struct ctpost_gathered *gathered = user;

	gathered->transfer = fn;
	gathered->user = fn_user;
	return walk(gathered, gathered->transfers, hand_transfers);
}

static int each_cta(void *user, int (*fn)(void *user, const struct ct_comm_cta *cta), void *fn_user)
{
	struct ctpost_gathered *gathered = user;

	gathered->cta = fn;
	gathered->user = fn_user;
	return walk(gathered, gathered->ctas, hand_ctas);
}

struct ct_comm_lists ctpost_gathered_lists(struct ctpost_gathered *gathered)
{
	return (struct ct_comm_lists){
	    .transfers = each_transfer, .ctas = each_cta, .user = gathered};
}
