/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A series of accesses (__ct_series of hooks.def): what the pass reports about each, in a word of a
 * table.
 *
 *   63                                24 23    16 15            0
 *  +------------------------------------+--------+---------------+
 *  |  distance from the first, signed   | bytes  | its site - s  |    s: the first one's
 *  +------------------------------------+--------+---------------+
 */
#ifndef CUDATRACE_SERIES_H
#define CUDATRACE_SERIES_H

#include <stdint.h>

#define CT_SERIES_DISTANCE_BITS 40
#define CT_SERIES_BYTES_MAX 0xffu
#define CT_SERIES_SITES_MAX 0x10000u /* site - s is less */

#define CT_SERIES_WORD(site, bytes, distance)                                                      \
	((uint64_t)(distance) << 24 | (uint64_t)(bytes) << 16 | (uint64_t)(site))
#define CT_SERIES_SITE(word) ((uint32_t)(word)&0xffffu)
#define CT_SERIES_BYTES(word) ((uint32_t)(word) >> 16 & 0xffu)
#define CT_SERIES_DISTANCE(word) ((uint64_t)((int64_t)(word) >> 24))

#endif
