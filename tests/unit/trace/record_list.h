/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what the decoder hands on of a stream of records with what it should. */
#ifndef CT_RECORD_LIST_H
#define CT_RECORD_LIST_H

#include "trace/codec/decode.h"

#define UNWANTED_LAUNCH 99u
#define UNKNOWN_SITE 77u
#define ACCESSES_MAX 20000u

struct access {
	uint64_t site;
	uint32_t mask;
	uint32_t warp;
	uint64_t cta;
	uint64_t address[CT_WARP_LANES];
	bool is_linear;
	int64_t stride;
};

/* A list of what was handed on, or should be. */
struct list {
	struct access *item;
	uint32_t count;
	uint32_t stop_at; /* 0: never */
	struct ct_segment segment;
	uint32_t segments;
	uint64_t address[CT_WARP_LANES];
};

extern struct list decoded, expected;

void make_lists(void);
void free_lists(void);

/* Sites have different sizes. */
uint32_t bytes_of(uint64_t site);

void append(struct list *list, uint64_t site, uint32_t mask, uint64_t cta,
	    const uint64_t address[CT_WARP_LANES]);

/* To `decoded`. Returns as ct_decode. */
int decode(const uint64_t *words, size_t count, size_t *position);

/* `decoded` is what is expected, and what is said to be linear is. */
void compare(void);

/* A random number below that. */
uint64_t draw(uint64_t below);

#endif
