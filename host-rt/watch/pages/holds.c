/* SPDX-License-Identifier: Apache-2.0 */
/* A place for each function under way; what finds none holds everything. */
#include "host-rt/watch/pages/holds.h"

#define PLACES 256u
#define DEPTH_MAX 8u /* of functions of a thread: in signal handlers */
#define NO_PLACE PLACES

static struct {
	uint64_t start, end; /* end 0: free */
} held[PLACES];
static uint32_t used;       /* places that may be taken: those behind are free */
static uint32_t everything; /* functions without a place */

static _Thread_local uint32_t mine[DEPTH_MAX];
static _Thread_local uint32_t depth;

void ct_hold_begin(uint64_t start, uint64_t end)
{
	uint32_t place = 0;

	while (place < PLACES && held[place].end)
		place++;
	if (depth >= DEPTH_MAX)
		place = NO_PLACE;
	else
		mine[depth] = place;
	depth++;
	if (place == NO_PLACE) {
		everything++;
		return;
	}
	held[place].start = start;
	held[place].end = end;
	if (place >= used)
		used = place + 1;
}

void ct_hold_end(void)
{
	uint32_t place = --depth < DEPTH_MAX ? mine[depth] : NO_PLACE;

	if (place == NO_PLACE)
		everything--;
	else
		held[place].end = 0;
	while (used && !held[used - 1].end)
		used--;
}

bool ct_is_held(uint64_t start, uint64_t end)
{
	for (uint32_t i = 0; i < used && !everything; i++)
		if (held[i].start < end && held[i].end > start)
			return true;
	return everything;
}
