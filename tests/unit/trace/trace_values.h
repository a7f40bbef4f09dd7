/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace with values, made by hand: one CTA of one warp, whose threads t (0 to 31) do each, in a
 * launch of its own, in this order:
 *
 *   reads       10 times load p[t] = t
 *   increments  10 times load p[t] and store p[t] + 1
 *   same        10 times q[t] = 7
 *   alternate   for i = 0 … 9: q[t] = i & 1
 *   times_one   load x[t] = t, store the same
 *   five        all store 5 to flag, in two launches
 *   number      thread t stores t to flag
 *   zeros       z[t] = 0; then a memset of z, then a second launch
 */
#ifndef CT_TRACE_VALUES_H
#define CT_TRACE_VALUES_H

#include <stdbool.h>

/* is_mixed: and a second launch of same, whose stores have no values. Returns what the writer's
 * close returned. */
int values_make(const char *directory, bool is_mixed);

/*
 * A run of the same program with times of its kernels, none of which is traced: reads take 4 and
 * 6 µs, same 9 µs.
 */
int times_make(const char *directory);

/*
 * A trace without values: seven matrices of 1 MiB are allocated, then three launches compute
 * E = A B, F = C D and G = E F, G is copied out, and all are freed. Then a buffer of 4 KiB that is
 * set and copied over, one that is copied in and out, one that is set twice by halves, one that
 * nothing uses, and one that is never freed.
 */
int lives_make(const char *directory);

/*
 * Of tier values: `same` twice, its store of 7 of a loop that is unrolled, so that two sites are at
 * its line, the second of which runs in the first launch alone; `reads` of 16 zeros and 16 ones.
 */
int summaries_make(const char *directory);

/*
 * A warp that fetches from a texture before anything else, and then twice copies asynchronously,
 * thread t from x, at whole sectors, all zeros:
 *
 *   line 6  16 bytes from 16 t             16 sectors,     512 bytes
 *   line 7  4 bytes from 4 t                4 sectors,     128 bytes
 *   line 8  8 of 16 bytes, from 16 t       16 sectors,     256 bytes
 *   line 9  16 bytes if t is even, else 4 of 16, from 32 t
 *                                          32 sectors,     320 bytes
 *   line 10 thread 0 copies 48 bytes in bulk, from 16
 *                                           2 sectors,      48 bytes
 */
int copies_make(const char *directory);

#endif
