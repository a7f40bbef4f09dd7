/* SPDX-License-Identifier: Apache-2.0 */
/* The communication analysis of any trace: it ends, and with the same figures on any threads. */
#include "postproc/analysis/comm/comm.h"
#include "tests/fuzz/scratch.h"

#include <stdlib.h>
#include <string.h>

/* Traces that take long are sound, and found by nothing here. */
#define CTAS_MOST 100000.0
#define BYTES_MOST (1u << 26)

static int add_access(void *user, const struct ct_access *access)
{
	uint64_t *bytes = user;

	for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
		uint64_t here =
		    access->range ? access->range[__builtin_ctz(rest)] : access->info->bytes;

		if (here > BYTES_MOST)
			return 1;
		*bytes += here + 1; /* loops without end have sites without bytes, too */
	}
	return *bytes > BYTES_MOST;
}

static int has_long_transfer(const struct ct_trace *trace)
{
	const struct ct_transfer_info *transfers;
	size_t count = ct_trace_transfers(trace, &transfers);

	for (size_t i = 0; i < count; i++) {
		const struct ct_event_transfer *event = transfers[i].event;

		if ((double)event->height * (double)event->depth * ((double)event->width + 4096) >
		    BYTES_MOST)
			return 1;
	}
	return 0;
}

static int has_large_grid(const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	for (size_t i = 0; i < count; i++) {
		const uint32_t *grid = launches[i].event->grid;

		if ((double)grid[0] * grid[1] * grid[2] > CTAS_MOST)
			return 1;
	}
	return 0;
}

static int is_too_long(void)
{
	uint64_t bytes = 0;
	struct ct_scan scan = {.access = add_access, .user = &bytes};
	struct ct_trace *trace;
	char why[256];
	int is_long;

	if (ct_trace_open(&trace, scratch_directory(), why, sizeof(why)) < 0)
		return 0;
	is_long = has_long_transfer(trace) || has_large_grid(trace) ||
		  ct_trace_scan(trace, &scan, NULL) > 0;
	ct_trace_close(trace);
	return is_long;
}

static int add_transfer(void *user, const struct ct_comm_transfer *transfer)
{
	*(uint64_t *)user += transfer->bytes;
	return 0;
}

struct outcome {
	int err;
	struct ct_comm_volume volume;
	uint64_t transferred_bytes; /* of the single ones */
	uint64_t damaged_chunks, supersteps, line_pairs, objects;
};

static void analyse(struct outcome *outcome, struct ct_ranks *ranks, uint32_t threads)
{
	const struct ct_comm_options options = {
	    .memory_bytes = 16u << 20, .threads = threads, .transfers = true, .ranks = ranks};
	const struct ct_comm_figures *figures;
	struct ct_comm *comm;
	char why[CT_WHY_BYTES];

	memset(outcome, 0, sizeof(*outcome));
	outcome->err = ct_comm_open(&comm, scratch_directory(), &options, why);
	if (outcome->err < 0) {
		if (!*why)
			abort();
		return;
	}
	figures = ct_comm_figures(comm);
	outcome->volume = figures->volume;
	outcome->damaged_chunks = figures->damaged_chunks;
	outcome->supersteps = figures->supersteps;
	outcome->line_pairs = figures->line_pairs;
	outcome->objects = figures->objects;
	if (ct_comm_each_transfer(comm, add_transfer, &outcome->transferred_bytes) != 0)
		abort();
	if (outcome->transferred_bytes != outcome->volume.transferred_bytes)
		abort();
	ct_comm_close(comm);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ct_ranks *ranks;
	struct outcome one, three;
	char why[256];

	if (scratch_trace(data, size) < 0 || is_too_long())
		return -1;
	if (!ranks && ct_ranks_open(&ranks, why, sizeof(why)) < 0)
		abort();
	analyse(&one, ranks, 1);
	analyse(&three, ranks, 3);
	if (memcmp(&one, &three, sizeof(one)) != 0)
		abort();
	return 0;
}
