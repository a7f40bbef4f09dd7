/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, sizes, times and ranges as users write and read them. */
#ifndef CT_BASE_QUANTITY_H
#define CT_BASE_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Parsing: the whole text must be what is asked for, without a sign or blanks. Each returns 0,
 * or -EINVAL if it is not, or too large; what was pointed to is then undefined.
 */

/* Decimal digits. */
int ct_parse_count(const char *text, uint64_t *count);
/* A count, or two joined by '-', the smaller one first: "7", "3-9". */
int ct_parse_range(const char *text, uint64_t *first, uint64_t *last);
/* As a range, of numbers that are decimal or begin with 0x. */
int ct_parse_addresses(const char *text, uint64_t *first, uint64_t *last);
/* Bytes, in powers of 1024: "4096", "512M", "2g"; K, M, G or T. */
int ct_parse_size(const char *text, uint64_t *bytes);
/* Bytes, or "7%" of something, at most 100; the other is 0. */
int ct_parse_share(const char *text, uint64_t *bytes, unsigned *percent);
/* Seconds, with at most nine digits behind a point, below 2^32: "2", "0.25". Exact. */
int ct_parse_seconds(const char *text, uint64_t *ns);
/* A time with its unit, s, ms, us or ns; none: s. "2us", "0.5". */
int ct_parse_time(const char *text, double *seconds);
/* Bytes a second, in powers of 1000: "450G", "1.5GB"; none: B. */
int ct_parse_rate(const char *text, double *per_second);
/* text is one of the words of "a|b|c". */
bool ct_is_choice(const char *choices, const char *text);

/*
 * Printing: each returns a place in buffer.
 */
#define CT_NUMBER_BYTES 32u

/* "1 842 331" */
const char *ct_number(uint64_t number, char buffer[CT_NUMBER_BYTES]);
/* Bytes in powers of 1000, as far as people read them: "512 B", "1.2 GB". */
const char *ct_size(uint64_t bytes, char buffer[CT_NUMBER_BYTES]);

#endif
