/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that are read one behind the other: past the end there are zeros, and is_bad says so. */
#ifndef CT_POSTPROC_SASS_CURSOR_H
#define CT_POSTPROC_SASS_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct ct_cursor {
	const char *begin; /* of the whole, for offsets */
	const char *next;
	size_t left;
	bool is_bad;
};

static inline struct ct_cursor ct_cursor_of(const void *bytes, size_t count)
{
	return (struct ct_cursor){.begin = bytes, .next = bytes, .left = count};
}

static inline uint64_t ct_cursor_offset(const struct ct_cursor *cursor)
{
	return (uint64_t)(cursor->next - cursor->begin);
}

static inline void ct_cursor_copy(struct ct_cursor *cursor, void *out, size_t bytes)
{
	memset(out, 0, bytes);
	if (cursor->left < bytes) {
		cursor->is_bad = true;
		cursor->left = 0;
		return;
	}
	memcpy(out, cursor->next, bytes);
	cursor->next += bytes;
	cursor->left -= bytes;
}

static inline uint8_t ct_cursor_u8(struct ct_cursor *cursor)
{
	uint8_t value;

	ct_cursor_copy(cursor, &value, sizeof(value));
	return value;
}

static inline uint16_t ct_cursor_u16(struct ct_cursor *cursor)
{
	uint16_t value;

	ct_cursor_copy(cursor, &value, sizeof(value));
	return value;
}

static inline uint32_t ct_cursor_u32(struct ct_cursor *cursor)
{
	uint32_t value;

	ct_cursor_copy(cursor, &value, sizeof(value));
	return value;
}

static inline uint64_t ct_cursor_u64(struct ct_cursor *cursor)
{
	uint64_t value;

	ct_cursor_copy(cursor, &value, sizeof(value));
	return value;
}

/* Bits past the 64th are left out. */
static inline uint64_t ct_cursor_uleb(struct ct_cursor *cursor)
{
	uint64_t value = 0;
	uint8_t byte;

	for (unsigned shift = 0;; shift += 7) {
		byte = ct_cursor_u8(cursor);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80) || cursor->is_bad)
			return value;
	}
}

static inline int64_t ct_cursor_sleb(struct ct_cursor *cursor)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = ct_cursor_u8(cursor);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !cursor->is_bad);
	if (shift < 64 && byte & 0x40)
		value |= ~(uint64_t)0 << shift;
	return (int64_t)value;
}

/* A text that ends with a zero; "" if it has no end. */
static inline const char *ct_cursor_text(struct ct_cursor *cursor)
{
	const char *text = cursor->next;
	const char *end = cursor->left ? memchr(text, 0, cursor->left) : NULL;

	if (!end) {
		cursor->is_bad = true;
		cursor->left = 0;
		return "";
	}
	cursor->left -= (size_t)(end - text) + 1;
	cursor->next = end + 1;
	return text;
}

/* The next bytes, as a cursor with the same offsets; this one goes on behind them. */
static inline struct ct_cursor ct_cursor_part(struct ct_cursor *cursor, uint64_t bytes)
{
	struct ct_cursor part = *cursor;

	if (bytes > cursor->left) {
		part.is_bad = cursor->is_bad = true;
		bytes = cursor->left;
	}
	part.left = bytes;
	cursor->next += bytes;
	cursor->left -= bytes;
	return part;
}

#endif
