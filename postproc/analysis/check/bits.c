/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of bits, made when a page is written in part. */
#include "postproc/analysis/check/bits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PAGE CT_CHECK_PAGE_BYTES
#define PAGE_BITS_BYTES (PAGE / 8)

static uint8_t all_written; /* stands for the bits of a page that is written */
#define WRITTEN (&all_written)

struct object {
	uint64_t bytes;
	uint8_t **page; /* NULL of a page: nothing is written; NULL of all: not made yet */
};

struct ct_check_bits {
	struct object *object;
	size_t objects;
	uint64_t used_bytes, limit_bytes;
};

int ct_check_bits_open(struct ct_check_bits **out, const uint64_t *bytes, size_t objects,
		       uint64_t limit_bytes)
{
	struct ct_check_bits *bits = calloc(1, sizeof(*bits));

	*out = bits;
	if (!bits)
		return -ENOMEM;
	bits->object = calloc(objects + 1, sizeof(*bits->object));
	if (!bits->object)
		return -ENOMEM;
	bits->objects = objects;
	bits->limit_bytes = limit_bytes;
	for (size_t i = 0; i < objects; i++)
		bits->object[i].bytes = bytes[i];
	return 0;
}

static size_t pages_of(const struct object *object)
{
	return (size_t)((object->bytes + PAGE - 1) / PAGE);
}

void ct_check_bits_close(struct ct_check_bits *bits)
{
	if (!bits)
		return;
	for (size_t i = 0; bits->object && i < bits->objects; i++) {
		struct object *object = &bits->object[i];

		for (size_t p = 0; object->page && p < pages_of(object); p++)
			if (object->page[p] != WRITTEN)
				free(object->page[p]);
		free(object->page);
	}
	free(bits->object);
	free(bits);
}

/* Zeros, counted. NULL: *err says why. */
static void *take(struct ct_check_bits *bits, size_t count, size_t bytes, int *err)
{
	void *memory = NULL;

	*err = -EDQUOT;
	if (bits->used_bytes + count * bytes <= bits->limit_bytes) {
		memory = calloc(count, bytes);
		*err = memory ? 0 : -ENOMEM;
	}
	bits->used_bytes += memory ? count * bytes : 0;
	return memory;
}

/* The bits of a page, for changes. */
static uint8_t *open_page(struct ct_check_bits *bits, uint8_t **page, int *err)
{
	bool is_written = *page == WRITTEN;

	if (*page && !is_written)
		return *page;
	*page = take(bits, 1, PAGE_BITS_BYTES, err);
	if (*page && is_written)
		memset(*page, 0xff, PAGE_BITS_BYTES);
	else if (!*page && is_written)
		*page = WRITTEN;
	return *page == WRITTEN ? NULL : *page;
}

static void set_bits(uint8_t *page, uint32_t first, uint32_t count, bool is_written)
{
	for (uint32_t at = first; at < first + count;) {
		if (at % 8 == 0 && first + count - at >= 8) {
			page[at / 8] = is_written ? 0xff : 0;
			at += 8;
			continue;
		}
		page[at / 8] = (uint8_t)(is_written ? page[at / 8] | 1u << at % 8
						    : page[at / 8] & ~(1u << at % 8));
		at++;
	}
}

static bool is_full(const uint8_t *page)
{
	for (size_t i = 0; i < PAGE_BITS_BYTES; i++)
		if (page[i] != 0xff)
			return false;
	return true;
}

/* Part of a page. */
static int set_part(struct ct_check_bits *bits, uint8_t **page, uint32_t first, uint32_t count,
		    bool is_written)
{
	uint8_t *open;
	int err = 0;

	if (*page == (is_written ? WRITTEN : NULL))
		return 0;
	if (count == PAGE) {
		if (*page && *page != WRITTEN) {
			free(*page);
			bits->used_bytes -= PAGE_BITS_BYTES;
		}
		*page = is_written ? WRITTEN : NULL;
		return 0;
	}
	open = open_page(bits, page, &err);
	if (!open)
		return err;
	set_bits(open, first, count, is_written);
	if (is_written && first + count == PAGE && is_full(open)) {
		free(open);
		bits->used_bytes -= PAGE_BITS_BYTES;
		*page = WRITTEN;
	}
	return 0;
}

/* Returns how many of the bytes are in the object. */
static uint64_t clip(const struct object *object, uint64_t offset, uint64_t bytes)
{
	uint64_t room = offset < object->bytes ? object->bytes - offset : 0;

	return bytes < room ? bytes : room;
}

int ct_check_bits_set(struct ct_check_bits *bits, size_t number, uint64_t offset, uint64_t bytes,
		      bool is_written)
{
	struct object *object = &bits->object[number];
	int err = 0;

	bytes = clip(object, offset, bytes);
	if (bytes && !object->page)
		object->page = take(bits, pages_of(object), sizeof(*object->page), &err);
	while (bytes && err == 0) {
		uint32_t first = (uint32_t)(offset % PAGE);
		uint32_t count = bytes < PAGE - first ? (uint32_t)bytes : PAGE - first;

		err = set_part(bits, &object->page[offset / PAGE], first, count, is_written);
		offset += count;
		bytes -= count;
	}
	return err;
}

static const uint8_t *page_at(const struct object *object, uint64_t offset)
{
	return !object->bytes ? WRITTEN : object->page ? object->page[offset / PAGE] : NULL;
}

static bool is_set(const uint8_t *page, uint32_t at)
{
	return page == WRITTEN || (page && page[at / 8] >> at % 8 & 1);
}

int ct_check_bits_copy(struct ct_check_bits *bits, size_t to, uint64_t to_offset, size_t from,
		       uint64_t from_offset, uint64_t bytes)
{
	const struct object *source = &bits->object[from];
	int err = 0;

	if (!source->bytes)
		return ct_check_bits_set(bits, to, to_offset, bytes, true);
	bytes = clip(source, from_offset, clip(&bits->object[to], to_offset, bytes));
	while (bytes && err == 0) {
		const uint8_t *page = page_at(source, from_offset);
		uint32_t first = (uint32_t)(from_offset % PAGE);
		uint64_t room = bytes < PAGE - first ? bytes : PAGE - first, count = 1;
		bool is_written = is_set(page, first);

		/* Bytes of one state together. */
		if (!page || page == WRITTEN)
			count = room;
		while (count < room && is_set(page, (uint32_t)(first + count)) == is_written)
			count++;
		err = ct_check_bits_set(bits, to, to_offset, count, is_written);
		to_offset += count;
		from_offset += count;
		bytes -= count;
	}
	return err;
}

bool ct_check_bits_are_clear(const struct ct_check_bits *bits, size_t number, uint64_t offset,
			     uint64_t bytes)
{
	const struct object *object = &bits->object[number];

	if (!bytes || clip(object, offset, bytes) != bytes)
		return false;
	for (; bytes; offset++, bytes--)
		if (is_set(page_at(object, offset), (uint32_t)(offset % PAGE)))
			return false;
	return true;
}
