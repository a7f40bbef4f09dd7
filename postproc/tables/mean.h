/* SPDX-License-Identifier: Apache-2.0 */
/* Quotients as cells: missing where there is nothing to divide by. */
#ifndef CT_POSTPROC_TABLES_MEAN_H
#define CT_POSTPROC_TABLES_MEAN_H

#include <math.h>
#include <stdint.h>

/* Also of a part and the whole: a share. */
static inline double ct_mean(uint64_t sum, uint64_t count)
{
	return count ? (double)sum / (double)count : NAN;
}

/* 0 of nothing. */
static inline double ct_share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static inline double ct_seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

#endif
