/* SPDX-License-Identifier: Apache-2.0 */
/* Words of shared memory that lanes of a warp have accessed since they were together. */
#include "postproc/analysis/check/phases.h"
#include "postproc/analysis/races/launches.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
#define CT_INSTRUCTION(id, name, text, flops) IN_##name = id,
#include <cudatrace/instructions.def>
#undef CT_INSTRUCTION
};

#define WORD_BYTES 4u
#define WORDS 256u  /* of a warp that are remembered */
#define WARPS 1024u /* likewise; of more the first ones are forgotten */
#define SEVERAL 32u /* lanes; a lane's number is less */

/* Bytes of the word that lanes have last stored to, and loaded. */
struct word {
	uint64_t address;     /* of the word, in words */
	uint32_t phase;       /* of the warp; another one: nothing is known */
	uint32_t store, load; /* sites */
	uint8_t store_lane, store_bytes, load_lane, load_bytes;
};

struct warp {
	uint32_t phase; /* from 1 */
	struct word word[WORDS];
};

struct ct_check_phases {
	const struct ct_trace *trace;
	struct ct_check_causes *causes;
	const struct ct_launch_info *first_launch;
	uint8_t *is_known;    /* by launch: 1 it is, 2 it is not; 0: not looked at */
	struct ct_map number; /* of a warp, from 1; key: launch and warp, CTA */
	struct warp *warp;
	size_t count, room;
};

int ct_check_phases_open(struct ct_check_phases **out, const struct ct_trace *trace,
			 struct ct_check_causes *causes)
{
	struct ct_check_phases *phases = calloc(1, sizeof(*phases));
	size_t launches;

	*out = phases;
	if (!phases)
		return -ENOMEM;
	phases->trace = trace;
	phases->causes = causes;
	launches = ct_trace_launches(trace, &phases->first_launch);
	phases->is_known = calloc(launches + 1, 1);
	return phases->is_known ? 0 : -ENOMEM;
}

void ct_check_phases_close(struct ct_check_phases *phases)
{
	if (!phases)
		return;
	ct_map_fini(&phases->number);
	free(phases->is_known);
	free(phases->warp);
	free(phases);
}

/* Whether the kernel, or a function that it may call, has instructions between lanes. */
static bool has_exchanges(const struct ct_unit *unit, uint32_t kernel)
{
	for (uint32_t b = 0; b < unit->header->block_count; b++) {
		const struct ct_unit_block *block = &unit->blocks[b];

		if (block->kernel != kernel && block->kernel != CT_NONE)
			continue;
		for (uint32_t m = 0; m < block->mix_count; m++)
			if ((unit->mix[block->mix_first + m].instruction & ~CT_MIX_CHAIN) ==
			    IN_EXCHANGE)
				return true;
	}
	return !unit->header->block_count;
}

static bool is_known(struct ct_check_phases *phases, const struct ct_launch_info *launch)
{
	uint8_t *known = &phases->is_known[launch - phases->first_launch];

	if (!*known)
		*known = ct_races_launch_hides(launch) & CT_RACES_UNKNOWN_WARPS ||
				 has_exchanges(launch->unit, launch->kernel_index)
			     ? 2
			     : 1;
	return *known == 1;
}

/* NULL: memory is short. */
static struct warp *warp_of(struct ct_check_phases *phases, const struct ct_access *at)
{
	union ct_map_value *number;

	if (phases->count == WARPS) {
		ct_map_clear(&phases->number);
		phases->count = 0;
	}
	number =
	    ct_map_put(&phases->number,
		       (uint64_t)(at->launch - phases->first_launch) << 32 | at->warp, at->cta);
	if (!number)
		return NULL;
	if (!number->number) {
		if (ct_array_reserve(&phases->warp, &phases->room, phases->count + 1,
				     sizeof(*phases->warp)) < 0)
			return NULL;
		memset(&phases->warp[phases->count], 0, sizeof(*phases->warp));
		phases->warp[phases->count].phase = 1;
		number->number = ++phases->count;
	}
	return &phases->warp[number->number - 1];
}

static int report(struct ct_check_phases *phases, const struct ct_access *access, uint32_t store,
		  uint32_t load, uint64_t address)
{
	const struct ct_check_cause cause = {
	    .kind = CT_CHECK_SHARED_RACE,
	    .unit = access->unit,
	    .site = store,
	    .launch = access->launch,
	    .cta = access->cta,
	    .warp = access->warp,
	    .lane = CT_CHECK_NO_LANE,
	    .address = address,
	    .bytes = access->unit->sites[store].bytes,
	    .count = 1,
	    .other = {.unit = access->unit,
		      .site = load,
		      .cta = access->cta,
		      .warp = access->warp,
		      .who = "lanes of a warp"},
	    .fix = "Put a __syncwarp() between the store and the load.",
	};

	return ct_check_causes_add(phases->causes, &cause);
}

/* Where several lanes have stored, they may have stored one value. */
static bool is_other(uint32_t store, uint32_t load)
{
	return store != SEVERAL && (store != load || load == SEVERAL);
}

static uint8_t join_lane(uint8_t bytes, uint8_t known, uint32_t lane)
{
	return bytes && known != lane ? SEVERAL : (uint8_t)lane;
}

static int add_word(struct ct_check_phases *phases, struct warp *warp,
		    const struct ct_access *access, uint32_t lane, uint64_t address, uint8_t bytes)
{
	struct word *word = &warp->word[address % WORDS];
	bool stores = ct_operation_class(access->info->operation) == CT_CLASS_STORE;
	int err = 0;

	if (word->phase != warp->phase || word->address != address)
		*word = (struct word){.address = address, .phase = warp->phase};
	if (stores) {
		if (word->load_bytes & bytes && is_other(lane, word->load_lane))
			err =
			    report(phases, access, access->site, word->load, address * WORD_BYTES);
		word->store_lane =
		    join_lane(word->store == access->site ? word->store_bytes & bytes : 0,
			      word->store_lane, lane);
		word->store_bytes = bytes;
		word->store = access->site;
		return err;
	}
	if (word->store_bytes & bytes && is_other(word->store_lane, lane))
		err = report(phases, access, word->store, access->site, address * WORD_BYTES);
	word->load_lane = join_lane(word->load == access->site ? word->load_bytes & bytes : 0,
				    word->load_lane, lane);
	word->load_bytes = bytes;
	word->load = access->site;
	return err;
}

static int add_lane(struct ct_check_phases *phases, struct warp *warp,
		    const struct ct_access *access, uint32_t lane)
{
	uint64_t at = access->address[lane], end = at + access->info->bytes;
	int err = 0;

	while (at < end && err == 0) {
		uint64_t word = at / WORD_BYTES, next = (word + 1) * WORD_BYTES;
		uint64_t count = (next < end ? next : end) - at;
		uint8_t bytes = (uint8_t)(((1u << count) - 1) << at % WORD_BYTES);

		err = add_word(phases, warp, access, lane, word, bytes);
		at += count;
	}
	return err;
}

int ct_check_phases_add(struct ct_check_phases *phases, const struct ct_access *access)
{
	uint32_t operation = access->info->operation, lanes;
	struct warp *warp;
	int err = 0;

	if (access->range || access->unit != access->launch->unit ||
	    !(lanes = ct_lanes_in(access, CT_SPACE_SHARED)) || !is_known(phases, access->launch))
		return 0;
	warp = warp_of(phases, access);
	if (!warp)
		return -ENOMEM;
	/* Atomics may order, and of copies it is not known when they read. */
	if (operation != CT_OP_LOAD && operation != CT_OP_STORE) {
		warp->phase++;
		return 0;
	}
	for (; lanes && err == 0; lanes &= lanes - 1)
		err = add_lane(phases, warp, access, (uint32_t)__builtin_ctz(lanes));
	return err;
}

int ct_check_phases_add_event(struct ct_check_phases *phases, const struct ct_event *event)
{
	struct warp *warp;

	if (event->at->info->operation != CT_OP_BARRIER || !is_known(phases, event->at->launch))
		return 0;
	warp = warp_of(phases, event->at);
	if (!warp)
		return -ENOMEM;
	warp->phase++;
	return 0;
}
