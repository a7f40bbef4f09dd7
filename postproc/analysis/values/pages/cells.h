/* SPDX-License-Identifier: Apache-2.0 */
/* Where cells stand, and bytes of a page: what cells.c and finish.c share. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_PAGES_CELLS_H
#define CT_POSTPROC_ANALYSIS_VALUES_PAGES_CELLS_H

#include "postproc/analysis/values/pages/page.h"

#include <string.h>

/* Marks in cover a store whose value is not known. */
#define CT_COVER_BLIND 0xffu

static inline uint64_t ct_value_read_bytes(const uint8_t *from, uint32_t bytes)
{
	uint64_t value = 0;

	switch (bytes) {
	case 4: {
		uint32_t word;

		memcpy(&word, from, sizeof(word));
		return word;
	}
	case 8:
		memcpy(&value, from, sizeof(value));
		return value;
	default:
		memcpy(&value, from, bytes);
		return value;
	}
}

/* The compiler makes one store of each of the first two. */
static inline void ct_value_write_bytes(uint8_t *to, uint64_t value, uint32_t bytes)
{
	switch (bytes) {
	case 4:
		memcpy(to, &value, 4);
		break;
	case 8:
		memcpy(to, &value, 8);
		break;
	default:
		memcpy(to, &value, bytes);
	}
}

/* By binary logarithm of the bytes: what cover has below a store of them. Each byte names its
 * place in the element and the element's size. */
static const uint64_t ct_cover_of[] = {
    0x01,
    0x0602,
    0x0f0b0703,
    0x201c1814100c0804,
};

enum ct_held { CT_HELD_UNKNOWN, CT_HELD_SAME, CT_HELD_OTHER };

/* Looks up what memory held there before the run, beside the value. */
static inline enum ct_held ct_cell_look_up(const struct ct_value_page *page, uint32_t offset,
					   uint32_t bytes, uint32_t floor, uint64_t value)
{
	if (!page->remembers)
		return CT_HELD_UNKNOWN;
	for (uint32_t i = 0; i < bytes; i++)
		if (page->known[offset + i] <= floor)
			return CT_HELD_UNKNOWN;
	return ct_value_read_bytes(page->content + offset, bytes) == value ? CT_HELD_SAME
									   : CT_HELD_OTHER;
}

/* Before the words of these bytes change, unless is_changed says that anything may. */
static inline void ct_page_keep(struct ct_value_page *page, uint32_t offset, uint32_t bytes)
{
	uint32_t last = (offset + bytes - 1) / CT_PAGE_WORD;

	for (uint32_t word = offset / CT_PAGE_WORD; word <= last && word < CT_PAGE_WORDS; word++) {
		const uint32_t *known = page->known + (size_t)word * CT_PAGE_WORD;
		uint64_t bit = (uint64_t)1 << word % 64;
		struct ct_value_was *was = &page->was[page->kept];

		if (page->is_kept[word / 64] & bit)
			continue;
		page->is_kept[word / 64] |= bit;
		was->word = word;
		was->since = known[0];
		for (uint32_t i = 1; i < CT_PAGE_WORD; i++)
			was->since = known[i] < was->since ? known[i] : was->since;
		memcpy(&was->content, page->content + (size_t)word * CT_PAGE_WORD, CT_PAGE_WORD);
		page->kept++;
	}
}

/* Returns the number of an element at that offset. */
static inline uint32_t ct_cell_number(uint32_t offset, uint32_t log2)
{
	if (offset & ((1u << log2) - 1))
		return CT_CELLS_UNALIGNED + offset;
	return CT_CELLS_OF(log2) + (offset >> log2);
}

/* Returns a size of ct_value_page.sizes. */
static inline uint32_t ct_cell_size(uint32_t number, uint32_t log2)
{
	return number >= CT_CELLS_UNALIGNED ? 16u : 1u << log2;
}

static inline uint32_t ct_cell_offset(uint32_t number)
{
	uint32_t log2 = 0;

	if (number >= CT_CELLS_UNALIGNED)
		return number - CT_CELLS_UNALIGNED;
	while (number >= CT_CELLS_OF(log2 + 1))
		log2++;
	return (number - CT_CELLS_OF(log2)) << log2;
}

/* Bytes that another load has left otherwise are not known. */
static inline void ct_page_agree(struct ct_value_page *page, uint32_t offset, uint32_t bytes,
				 const uint8_t *value)
{
	for (uint32_t i = 0; i < bytes; i++)
		if (page->content[offset + i] != value[i])
			page->known[offset + i] = 0;
}

#endif
