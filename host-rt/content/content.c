/* SPDX-License-Identifier: Apache-2.0 */
/* Who looks at a copy's bytes when. */
#include "host-rt/content/content.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/symbols.h"
#include "host-rt/content/blocks.h"
#include "host-rt/content/digest.h"
#include "host-rt/content/rows.h"
#include "host-rt/content/staging.h"
#include "host-rt/events/session.h"
#include "host-rt/streams/streams.h"
#include "host-rt/watch/pages/past.h"
#include <stdlib.h>

/* Rows of bytes on one side. */
struct side {
	const unsigned char *start;
	uint64_t row, slice; /* bytes from one to the next */
};

struct ct_content {
	struct ct_blocks *moved, *held; /* the copy's bytes; those of the target before */
	struct side host, device;
	uint64_t width, height, depth;
	cudaStream_t stream;
	struct ct_staging *staging;
	void *digests; /* memory of it */
	bool is_to_device;
	bool is_digested;    /* the device hashes its side */
	bool is_one_piece;   /* of the target: it stands in the staging memory until it is taken */
	bool is_over;        /* when the call returns, the host's side has been read or written */
	uint32_t references; /* atomic: the caller's, and those of functions in the stream */
	uint32_t has_failed; /* atomic */
	uint32_t number;
};

bool ct_contents_are_on;

static uint64_t bytes_of(const struct ct_content *content)
{
	return content->width * content->height * content->depth;
}

static void tell(const struct ct_content *content)
{
	struct ct_row_content row = {.bytes = bytes_of(content),
				     .same_bytes = ct_blocks_same(content->moved, content->held),
				     .transfer = content->number,
				     .copy = content->is_to_device ? CT_COPY_TO_DEVICE
								   : CT_COPY_TO_HOST};
	uint64_t hash[2];

	ct_blocks_hash(content->moved, hash);
	row.hash_low = hash[0];
	row.hash_high = hash[1];
	ct_contents_add(&row);
}

static void drop(struct ct_content *content)
{
	if (__atomic_sub_fetch(&content->references, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	if (__atomic_load_n(&content->has_failed, __ATOMIC_RELAXED))
		ct_contents_lose(content->number != 0);
	else if (content->number)
		tell(content);
	ct_staging_give(content->staging);
	ct_blocks_free(content->moved);
	ct_blocks_free(content->held);
	free(content);
}

static void fail(struct ct_content *content)
{
	__atomic_store_n(&content->has_failed, 1, __ATOMIC_RELAXED);
}

static void add_piece(void *blocks, const void *piece, size_t bytes)
{
	ct_blocks_add(blocks, piece, bytes);
}

/* The host's side, row by row. */
static void read_host(const struct ct_content *content, struct ct_blocks *blocks)
{
	for (uint64_t z = 0; z < content->depth; z++)
		for (uint64_t y = 0; y < content->height; y++)
			ct_past_read(content->host.start + z * content->host.slice +
					 y * content->host.row,
				     (size_t)content->width, add_piece, blocks);
}

/* In the stream, on a thread of CUDA's: what it reads is no access of the program's. */
static void CUDART_CB read_moved(void *user)
{
	struct ct_content *content = user;

	ct_quiet_depth++;
	read_host(content, content->moved);
	ct_quiet_depth--;
	drop(content);
}

static void CUDART_CB read_held(void *user)
{
	struct ct_content *content = user;

	ct_quiet_depth++;
	read_host(content, content->held);
	ct_quiet_depth--;
	drop(content);
}

/* The staging memory holds the next bytes of the target. */
static void take_staged(struct ct_content *content)
{
	size_t bytes;
	const void *staged;

	if (__atomic_load_n(&content->has_failed, __ATOMIC_RELAXED))
		return;
	staged = ct_staging_next(content->staging, &bytes);
	ct_blocks_add(content->held, staged, bytes);
}

static void CUDART_CB read_staged(void *user)
{
	take_staged(user);
	drop(user);
}

/* Where hashes of the device's side come to: what the target held, and what is moved. */
enum place { HELD, MOVED, PLACES };

static uint64_t (*place_of(const struct ct_content *content, enum place place))[2]
{
	uint64_t blocks = ct_blocks_count(bytes_of(content));

	return (uint64_t(*)[2])content->digests + (place == MOVED ? blocks : 0);
}

/* Into the stream: hashes of what the device's side holds then. */
static void digest(struct ct_content *content, enum place place)
{
	struct ct_digest digest = {
	    .start = ct_transfer_address(content->device.start),
	    .row = content->device.row,
	    .slice = content->device.slice,
	    .width = content->width,
	    .height = content->height,
	    .bytes = bytes_of(content),
	    .hashes = ct_transfer_address(place_of(content, place)),
	};

	if (content->height * content->depth == 1)
		digest.width = digest.bytes;
	if (!ct_digest_begin(&digest, content->stream))
		fail(content);
}

/* They have come. */
static void take_digests(struct ct_content *content)
{
	if (!content->number || __atomic_load_n(&content->has_failed, __ATOMIC_RELAXED))
		return;
	ct_blocks_take(content->moved, (const uint64_t(*)[2])place_of(content, MOVED));
	if (content->is_to_device)
		ct_blocks_take(content->held, (const uint64_t(*)[2])place_of(content, HELD));
}

static void CUDART_CB read_digests(void *user)
{
	take_digests(user);
	drop(user);
}

/* Behind the copy: what the call has left to do. */
static void CUDART_CB read_behind(void *user)
{
	struct ct_content *content = user;

	if (content->is_one_piece)
		take_staged(content);
	if (content->number && !content->is_over)
		read_moved(content);
	else
		drop(content);
}

static void call_in_stream(struct ct_content *content, cudaHostFn_t function)
{
	__atomic_add_fetch(&content->references, 1, __ATOMIC_RELAXED);
	if (__real_cudaLaunchHostFunc(content->stream, function, content) != cudaSuccess) {
		fail(content);
		drop(content);
	}
}

/* So many rows of so many bytes; they come one after another, in the stream. */
static bool stage(struct ct_content *content, const unsigned char *from, size_t width, size_t rows)
{
	void *to = ct_staging_put(content->staging, width * rows);

	if (!to || __real_cudaMemcpy2DAsync(to, width, from, rows > 1 ? content->device.row : width,
					    width, rows, cudaMemcpyDeviceToHost,
					    content->stream) != cudaSuccess) {
		fail(content);
		return false;
	}
	/* One piece stays where it is until the copy is asked for. */
	if (!content->is_one_piece)
		call_in_stream(content, read_staged);
	return true;
}

/* A slice of the target: rows together, as many as there is room for; of long ones pieces. */
static bool stage_slice(struct ct_content *content, const unsigned char *from, uint64_t width,
			uint64_t height)
{
	uint64_t rows = CT_STAGING_BYTES / width;

	for (uint64_t y = 0; rows && y < height; y += rows) {
		uint64_t some = height - y < rows ? height - y : rows;

		if (!stage(content, from + y * content->device.row, (size_t)width, (size_t)some))
			return false;
	}
	for (uint64_t y = 0; !rows && y < height; y++)
		for (uint64_t x = 0; x < width; x += CT_STAGING_BYTES) {
			uint64_t some = width - x < CT_STAGING_BYTES ? width - x : CT_STAGING_BYTES;

			if (!stage(content, from + y * content->device.row + x, (size_t)some, 1))
				return false;
		}
	return true;
}

static void read_device(struct ct_content *content)
{
	for (uint64_t z = 0; z < content->depth; z++)
		if (!stage_slice(content, content->device.start + z * content->device.slice,
				 content->width, content->height))
			return;
}

static bool set_sides(struct ct_content *content, const struct ct_event_transfer *event,
		      enum cudaMemcpyKind direction)
{
	const struct side to = {(const unsigned char *)(uintptr_t)event->target, event->target_row,
				event->target_slice};
	const struct side from = {(const unsigned char *)(uintptr_t)event->source,
				  event->source_row, event->source_slice};

	if (event->kind != CT_TRANSFER_COPY || !event->target || !event->source || !event->width ||
	    !event->height || !event->depth ||
	    (direction != cudaMemcpyHostToDevice && direction != cudaMemcpyDeviceToHost))
		return false;
	content->is_to_device = direction == cudaMemcpyHostToDevice;
	content->host = content->is_to_device ? from : to;
	content->device = content->is_to_device ? to : from;
	content->width = event->width;
	content->height = event->height;
	content->depth = event->depth;
	return true;
}

/* The host's side of a call that will fail for its size must not be read. */
static bool is_on_device(const struct ct_content *content)
{
	const unsigned char *last =
	    content->device.start + (content->depth - 1) * content->device.slice +
	    (content->height - 1) * content->device.row + content->width - 1;

	return ct_transfer_is_device(ct_transfer_address(content->device.start)) &&
	       ct_transfer_is_device(ct_transfer_address(last));
}

/* Compares hashes of both places, where the device makes them. */
static bool has_room(struct ct_content *content)
{
	uint64_t blocks = ct_blocks_count(bytes_of(content));

	if (content->is_digested)
		content->digests =
		    ct_staging_whole(content->staging, blocks * PLACES * sizeof(uint64_t[2]));
	return !content->is_digested || content->digests;
}

/* It may be given up as long as nothing has been asked for. */
static struct ct_content *open_content(struct ct_transfer transfer)
{
	struct ct_content *content = calloc(1, sizeof(*content));
	bool needs_staging;
	uint64_t bytes;

	if (content && ct_transfer_resolve(&transfer) &&
	    set_sides(content, &transfer.event, ct_transfer_direction(&transfer)) &&
	    is_on_device(content)) {
		bytes = bytes_of(content);
		content->references = 1;
		content->stream = ct_streams_meant(transfer.stream, transfer.per_thread);
		content->is_over =
		    transfer.is_synchronous ||
		    ct_transfer_is_pageable(ct_transfer_address(content->host.start));
		content->is_one_piece =
		    content->is_to_device && content->depth == 1 && bytes <= CT_STAGING_BYTES;
		content->moved = ct_blocks_new(bytes);
		content->held = ct_blocks_new(bytes);
		content->is_digested = bytes >= CT_DIGEST_LEAST &&
				       ct_digest_serves(content->stream, content->device.start);
		needs_staging = content->is_to_device || content->is_digested;
		content->staging = needs_staging ? ct_staging_take() : NULL;
		if (content->moved && content->held && (!needs_staging || content->staging) &&
		    has_room(content))
			return content;
		ct_contents_lose(1);
		ct_blocks_free(content->moved);
		ct_blocks_free(content->held);
		ct_staging_give(content->staging);
	}
	free(content);
	return NULL;
}

/* In a call that returns when it is done a function in the stream is two more waits, and who asks
 * need not be reported by one. An error of the program's must stay pending. */
static bool is_idle(const struct ct_content *content, const struct ct_quiet *quiet)
{
	return content->is_over && quiet->pending == (int)cudaSuccess &&
	       __real_cudaStreamQuery(content->stream) == cudaSuccess;
}

static void look_before(struct ct_content *content, const struct ct_quiet *quiet)
{
	bool was_idle = !content->is_to_device && is_idle(content, quiet);

	if (content->is_digested)
		digest(content, content->is_to_device ? HELD : MOVED);
	else if (content->is_to_device)
		read_device(content);
	if (was_idle)
		read_host(content, content->held);
	else if (!content->is_to_device)
		call_in_stream(content, read_held);
}

static void look_behind(struct ct_content *content, const struct ct_quiet *quiet)
{
	bool is_reported = content->number != 0;

	if (content->is_digested) {
		if (is_reported && content->is_to_device)
			digest(content, MOVED);
		if (is_idle(content, quiet))
			take_digests(content);
		else
			call_in_stream(content, read_digests);
		return;
	}
	if (is_reported && content->is_over)
		read_host(content, content->moved);
	if (content->is_one_piece && is_idle(content, quiet))
		take_staged(content);
	else if (content->is_one_piece || (is_reported && !content->is_over))
		call_in_stream(content, read_behind);
}

struct ct_content *ct_content_begin(const struct ct_transfer *transfer)
{
	struct ct_content *content = NULL;
	struct ct_quiet quiet;

	if (!ct_contents_are_on || !ct_session_is_active() || ct_quiet_depth)
		return NULL;
	ct_quiet_begin(&quiet);
	if (!ct_streams_are_capturing(transfer->stream, transfer->per_thread))
		content = open_content(*transfer);
	if (content)
		look_before(content, &quiet);
	ct_quiet_end(&quiet);
	return content;
}

void ct_content_end(struct ct_content *content, uint32_t number)
{
	struct ct_quiet quiet;

	if (!content)
		return;
	ct_quiet_begin(&quiet);
	content->number = number;
	look_behind(content, &quiet);
	drop(content);
	ct_quiet_end(&quiet);
}
