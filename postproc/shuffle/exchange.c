/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Foreign partitions to their owners, in rounds of bounded size. What one rank
 * sends another in a round is a row of parcels:
 *
 *   | partition, bytes | records |  | partition, bytes | records | …
 */
#include "postproc/shuffle/state.h"

#include <errno.h>

struct parcel {
	uint64_t partition, bytes;
};

/* Keeps what goes to one rank. */
struct mail {
	unsigned char *buffer;
	size_t bytes;
	uint32_t partition; /* to look at next */
};

struct exchange {
	struct ct_shuffle *shuffle;
	size_t room; /* of a buffer */
	struct mail *mail;
};

/* The newest records of a partition, as many as fit; they leave it. */
static int take_records(struct ct_shuffle *shuffle, struct ct_partition *from, unsigned char *to,
			size_t room, size_t *bytes)
{
	struct ct_shuffle_state *state = shuffle->state;
	uint64_t in_file = from->bytes;
	size_t taken = 0;

	if (from->blocks > 0)
		in_file -=
		    (((uint64_t)from->blocks - 1) * state->block_records + from->last_count) *
		    shuffle->record_bytes;
	while (from->blocks > 0) {
		uint32_t block = from->first;
		uint32_t count = from->blocks == 1 ? from->last_count : state->block_records;
		size_t part = count * shuffle->record_bytes;

		if (taken + part > room)
			break;
		memcpy(to + taken, ct_shuffle_block(state, block), part);
		taken += part;
		from->first = state->next[block];
		from->blocks--;
		state->next[block] = CT_NO_BLOCK;
		ct_shuffle_free_blocks(state, block);
	}
	from->bytes -= taken;
	*bytes = taken;
	if (from->blocks > 0 || in_file == 0)
		return 0;
	room = (room - taken) / shuffle->record_bytes * shuffle->record_bytes;
	if (in_file > room)
		in_file = room;
	from->bytes -= in_file;
	*bytes += in_file;
	return ct_shuffle_file_read_back(state, &from->spilled, to + taken, in_file);
}

static int fill_mail(struct exchange *exchange, uint32_t rank)
{
	struct ct_shuffle *shuffle = exchange->shuffle;
	const struct ct_shuffle_options *options = &shuffle->state->options;
	size_t least = sizeof(struct parcel) + shuffle->state->block_bytes;
	struct mail *mail = &exchange->mail[rank];
	int err = 0;

	mail->bytes = 0;
	while (err == 0 && mail->partition < options->partitions &&
	       exchange->room - mail->bytes >= least) {
		struct ct_partition *from = &shuffle->state->partition[mail->partition];
		struct parcel parcel = {.partition = mail->partition};
		unsigned char *to = mail->buffer + mail->bytes;
		size_t bytes = 0;

		if (from->bytes == 0) {
			mail->partition += options->ranks->size;
			continue;
		}
		err = take_records(shuffle, from, to + sizeof(parcel),
				   exchange->room - mail->bytes - sizeof(parcel), &bytes);
		parcel.bytes = bytes;
		memcpy(to, &parcel, sizeof(parcel));
		mail->bytes += sizeof(parcel) + bytes;
	}
	return err;
}

static int take_mail(void *user, uint32_t from, const void *data, size_t bytes)
{
	struct exchange *exchange = user;
	const unsigned char *at = data, *end = at + bytes;
	int err = 0;

	(void)from;
	while (err == 0 && at < end) {
		struct parcel parcel;

		memcpy(&parcel, at, sizeof(parcel));
		at += sizeof(parcel);
		err = ct_shuffle_append(exchange->shuffle, (uint32_t)parcel.partition, at,
					parcel.bytes);
		at += parcel.bytes;
	}
	return err;
}

/* *more: some rank has records left. */
static int trade_round(struct exchange *exchange, uint64_t *more)
{
	const struct ct_shuffle_options *options = &exchange->shuffle->state->options;
	struct ct_ranks *ranks = options->ranks;
	const void *data[ranks->size];
	size_t bytes[ranks->size];
	uint64_t left = 0;
	int err = 0;

	for (uint32_t rank = 0; rank < ranks->size; rank++) {
		if (err == 0 && rank != ranks->rank)
			err = fill_mail(exchange, rank);
		data[rank] = exchange->mail[rank].buffer;
		bytes[rank] = exchange->mail[rank].bytes;
		left |= rank != ranks->rank && exchange->mail[rank].partition < options->partitions;
	}
	err = ct_ranks_agree(ranks, err);
	if (err == 0)
		err = ranks->trade(ranks, data, bytes, take_mail, exchange);
	*more = ranks->greatest(ranks, left);
	return err;
}

/* Half of the scratch is for what is sent, the other for what the ranks layer receives. */
int ct_shuffle_exchange(struct ct_shuffle *shuffle)
{
	struct ct_shuffle_state *state = shuffle->state;
	struct ct_ranks *ranks = state->options.ranks;
	struct mail mail[ranks->size];
	struct exchange exchange = {.shuffle = shuffle, .mail = mail};
	unsigned char *buffer = state->arena + state->pool_bytes;
	uint64_t more = 1;
	int err;

	exchange.room = (state->arena_bytes - state->pool_bytes) / 2 / ranks->size / 8 * 8;
	for (uint32_t rank = 0; rank < ranks->size; rank++, buffer += exchange.room)
		mail[rank] = (struct mail){.buffer = buffer, .partition = rank};
	err = ct_ranks_agree(
	    ranks, exchange.room < sizeof(struct parcel) + state->block_bytes ? -EINVAL : 0);
	while (err == 0 && more)
		err = trade_round(&exchange, &more);
	return err;
}
