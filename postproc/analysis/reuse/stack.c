/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The LRU stack as a table of lines and a bitmap of times: each access takes the next time, and the
 * bit of a time is set if the line that was accessed then was not accessed since. A line's distance
 * is the number of bits behind its time: of its own block of the bitmap they are counted, of the
 * others a Fenwick tree over blocks has the sum. When times run out, those that are set move
 * together.
 */
#include "postproc/analysis/reuse/stack.h"
#include "base/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_WORDS 8u /* of the bitmap */
#define BLOCK_TIMES (64u * BLOCK_WORDS)
#define LINES_FIRST 4096u
#define FREE 0xffffffffu
#define NOT_SAMPLED (-4096) /* no error of the system */

struct line {
	uint64_t key;
	uint32_t time; /* FREE: there is none */
	uint32_t launch;
};

struct ct_reuse_stack {
	uint32_t bound;     /* most lines */
	uint32_t room;      /* lines before the tables grow, or the limit is halved */
	uint32_t lines;     /* that are kept */
	uint32_t sampled;   /* lines whose hash has so many upper bits of 0 */
	uint32_t now;       /* the next time */
	uint32_t times;     /* 4 * room */
	struct line *line;  /* 2 * room, by hash */
	uint32_t *line_at;  /* by time: place in line, of times that are set */
	uint64_t *set;      /* bits, by time */
	uint32_t *tree;     /* over blocks, from 1: bits that are set */
	uint32_t set_count; /* of all */
};

static uint32_t mask_of(const struct ct_reuse_stack *stack)
{
	return 2 * stack->room - 1;
}

static bool is_sampled(const struct ct_reuse_stack *stack, uint64_t hash)
{
	return !stack->sampled || !(hash >> (64 - stack->sampled));
}

/* The lower bits choose the place: the upper ones are 0 of all that are kept. */
static uint32_t place_of(const struct ct_reuse_stack *stack, uint64_t key, uint64_t hash)
{
	uint32_t mask = mask_of(stack), at = (uint32_t)hash & mask;

	while (stack->line[at].time != FREE && stack->line[at].key != key)
		at = (at + 1) & mask;
	return at;
}

static void change(struct ct_reuse_stack *stack, uint32_t time, bool is_set)
{
	uint32_t blocks = stack->times / BLOCK_TIMES;
	uint64_t bit = (uint64_t)1 << time % 64;

	stack->set[time / 64] ^= bit;
	stack->set_count += is_set ? 1u : -1u;
	for (uint32_t block = time / BLOCK_TIMES + 1; block <= blocks; block += block & -block)
		stack->tree[block] += is_set ? 1u : -1u;
}

/* Bits that are set up to and with a time. */
static uint32_t count_through(const struct ct_reuse_stack *stack, uint32_t time)
{
	uint32_t count = 0, word = time / BLOCK_TIMES * BLOCK_WORDS;

	for (uint32_t block = time / BLOCK_TIMES; block; block &= block - 1)
		count += stack->tree[block];
	for (; word < time / 64; word++)
		count += (uint32_t)__builtin_popcountll(stack->set[word]);
	return count + (uint32_t)__builtin_popcountll(stack->set[word] << (63 - time % 64));
}

static void free_tables(struct ct_reuse_stack *stack)
{
	free(stack->line);
	free(stack->line_at);
	free(stack->set);
	free(stack->tree);
}

/* Empty tables for that many lines. */
static int make_tables(struct ct_reuse_stack *stack, uint32_t room)
{
	stack->room = room;
	stack->times = 4 * room;
	stack->lines = stack->now = stack->set_count = 0;
	stack->line = malloc(2 * (size_t)room * sizeof(*stack->line));
	stack->line_at = malloc(stack->times * sizeof(*stack->line_at));
	stack->set = calloc(stack->times / 64 + BLOCK_WORDS, sizeof(*stack->set));
	stack->tree = calloc(stack->times / BLOCK_TIMES + 2, sizeof(*stack->tree));
	if (!stack->line || !stack->line_at || !stack->set || !stack->tree)
		return -ENOMEM;
	for (size_t i = 0; i < 2 * (size_t)room; i++)
		stack->line[i].time = FREE;
	return 0;
}

/* The line that is, or is to be, at a place takes the next time; *touch, which may be NULL, is
 * given when it had its last one. */
static void put(struct ct_reuse_stack *stack, uint32_t at, uint64_t key, uint32_t launch,
		struct ct_reuse_touch *touch)
{
	struct line *line = &stack->line[at];

	if (line->time == FREE) {
		stack->lines++;
	} else {
		touch->launch = line->launch;
		touch->distance = (uint64_t)(stack->set_count - count_through(stack, line->time))
				  << stack->sampled;
		change(stack, line->time, false);
	}
	*line = (struct line){key, stack->now, launch};
	stack->line_at[stack->now] = at;
	change(stack, stack->now++, true);
}

/* Moves those lines that are sampled to tables of that room, in the order of their times. */
static int rebuild(struct ct_reuse_stack *stack, uint32_t room)
{
	struct ct_reuse_stack old = *stack;
	int err = make_tables(stack, room);

	for (uint32_t word = 0; err == 0 && word < old.times / 64; word++)
		for (uint64_t bits = old.set[word]; bits; bits &= bits - 1) {
			uint32_t time = word * 64 + (uint32_t)__builtin_ctzll(bits);
			const struct line *line = &old.line[old.line_at[time]];
			uint64_t hash = ct_map_hash(line->key, 0);

			if (is_sampled(stack, hash))
				put(stack, place_of(stack, line->key, hash), line->key,
				    line->launch, NULL);
		}
	if (err < 0) {
		free_tables(stack);
		*stack = old;
	} else {
		free_tables(&old);
	}
	return err;
}

int ct_reuse_stack_open(struct ct_reuse_stack **out, uint32_t lines)
{
	struct ct_reuse_stack *stack = calloc(1, sizeof(*stack));
	int err;

	*out = NULL;
	if (!stack)
		return -ENOMEM;
	stack->bound = lines;
	err = make_tables(stack, lines < LINES_FIRST ? lines : LINES_FIRST);
	if (err < 0) {
		ct_reuse_stack_close(stack);
		return err;
	}
	*out = stack;
	return 0;
}

void ct_reuse_stack_close(struct ct_reuse_stack *stack)
{
	if (stack)
		free_tables(stack);
	free(stack);
}

/* Room for one more line, or for less lines. */
static int make_room(struct ct_reuse_stack *stack)
{
	if (stack->room < stack->bound)
		return rebuild(stack, 2 * stack->room);
	stack->sampled++;
	return rebuild(stack, stack->room);
}

/* The place of a line that is sampled, with room for it and for one more time; -1: it is sampled
 * no more. */
static int64_t find_place(struct ct_reuse_stack *stack, uint64_t key, uint64_t hash)
{
	uint32_t at = place_of(stack, key, hash);
	int err = 0;

	while (stack->line[at].time == FREE && stack->lines == stack->room) {
		err = make_room(stack);
		if (err < 0)
			return err;
		if (!is_sampled(stack, hash))
			return NOT_SAMPLED;
		at = place_of(stack, key, hash);
	}
	if (stack->now < stack->times)
		return at;
	err = rebuild(stack, stack->room);
	return err < 0 ? err : (int64_t)place_of(stack, key, hash);
}

int ct_reuse_stack_touch(struct ct_reuse_stack *stack, uint64_t key, uint32_t launch,
			 struct ct_reuse_touch *touch)
{
	uint64_t hash = ct_map_hash(key, 0);
	int64_t at;

	if (!is_sampled(stack, hash))
		return 0;
	at = find_place(stack, key, hash);
	if (at < 0)
		return at == NOT_SAMPLED ? 0 : (int)at;
	*touch = (struct ct_reuse_touch){.weight = (uint64_t)1 << stack->sampled,
					 .launch = CT_REUSE_NO_LAUNCH,
					 .hash = (uint32_t)(hash >> 8)};
	put(stack, (uint32_t)at, key, launch, touch);
	return 1;
}

uint32_t ct_reuse_stack_sampled(const struct ct_reuse_stack *stack)
{
	return stack->sampled;
}
