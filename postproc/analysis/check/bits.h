/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bit for each byte of each object: whether anything has written it. Objects are sequences of
 * pages; a page that nothing has written, or all of whose bytes are written, has no bits of its
 * own. Of an object that is not looked at, all is written.
 */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_BITS_H
#define CT_POSTPROC_ANALYSIS_CHECK_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_CHECK_PAGE_BYTES 4096u

struct ct_check_bits;

/* bytes: of each object, 0 of those that are not looked at. limit_bytes: the memory that it may
 * take. 0 or -ENOMEM */
int ct_check_bits_open(struct ct_check_bits **out, const uint64_t *bytes, size_t objects,
		       uint64_t limit_bytes);
void ct_check_bits_close(struct ct_check_bits *bits); /* NULL is allowed */

/* Bytes from offset on are written, or are not. What is behind the object's end is left out. 0,
 * -ENOMEM, or -EDQUOT: the limit is reached. */
int ct_check_bits_set(struct ct_check_bits *bits, size_t object, uint64_t offset, uint64_t bytes,
		      bool is_written);
/* They are as those of another object, or of the same one, are. Likewise */
int ct_check_bits_copy(struct ct_check_bits *bits, size_t to, uint64_t to_offset, size_t from,
		       uint64_t from_offset, uint64_t bytes);

/* Whether none of the bytes is written; false of what is not all in the object. */
bool ct_check_bits_are_clear(const struct ct_check_bits *bits, size_t object, uint64_t offset,
			     uint64_t bytes);

#endif
