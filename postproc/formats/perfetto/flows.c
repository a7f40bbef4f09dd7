/* SPDX-License-Identifier: Apache-2.0 */
/* Arrows of the time line: from a launch to a later one that reads what it wrote. */
#include "postproc/formats/perfetto/perfetto.h"
#include "postproc/shuffle/sums.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FLOWS_MAX 2000 /* more hide the picture */

static int add_transfer(void *user, const struct ct_comm_transfer *transfer)
{
	return ct_sums_add(user, transfer->source_superstep, transfer->target_superstep,
			   transfer->bytes, 1);
}

static int by_bytes(const void *a, const void *b)
{
	const struct ct_sum *x = a, *y = b;

	if (x->value[0] != y->value[0])
		return x->value[0] > y->value[0] ? -1 : 1;
	return memcmp(x->key, y->key, sizeof(x->key));
}

static void write_end(struct ct_perfetto *perfetto, const struct ct_sum *flow, size_t id,
		      int is_target)
{
	const struct ct_timeline_step *when = &perfetto->timeline.step[flow->key[is_target]];
	const struct ct_timeline_track *track = &perfetto->timeline.track[when->track];
	struct ct_json *args =
	    ct_perfetto_open(&perfetto->out, &(struct ct_perfetto_event){
						 .name = "communication",
						 .category = "communication",
						 .phase = is_target ? "f" : "s",
						 .id = id,
						 .pid = ct_perfetto_host(perfetto, track->part),
						 .tid = track->number,
						 .begin_ns = when->start_ns,
					     });

	ct_json_put_number(args, "bytes", flow->value[0]);
	ct_json_put_number(args, "transfers", flow->value[1]);
	ct_perfetto_close(&perfetto->out);
}

/* The largest ones. An arrow does not go back in time, where the host noticed an end late. */
static void write_arrows(struct ct_perfetto *perfetto, const struct ct_sum *flow, size_t count)
{
	const struct ct_timeline_step *step = perfetto->timeline.step;

	for (size_t i = 0; i < count && i < FLOWS_MAX; i++) {
		if (step[flow[i].key[0]].start_ns > step[flow[i].key[1]].start_ns) {
			perfetto->left_out++;
			continue;
		}
		write_end(perfetto, &flow[i], i + 1, 0);
		write_end(perfetto, &flow[i], i + 1, 1);
		ct_perfetto_put(perfetto);
	}
	if (count > FLOWS_MAX)
		perfetto->left_out += count - FLOWS_MAX;
}

int ct_perfetto_write_flows(struct ct_perfetto *perfetto)
{
	struct ct_sum *flow = NULL;
	const struct ct_sum *sum;
	struct ct_sums *sums;
	size_t count = 0;
	int err = ct_sums_open(&sums);

	if (err < 0)
		return err;
	err = perfetto->lists.transfers(perfetto->lists.user, add_transfer, sums);
	sum = err == 0 ? ct_sums_sorted(sums, &count) : NULL;
	flow = malloc((count + 1) * sizeof(*flow));
	if (err == 0 && (!sum || !flow))
		err = -ENOMEM;
	if (err == 0) {
		memcpy(flow, sum, count * sizeof(*flow));
		qsort(flow, count, sizeof(*flow), by_bytes);
		write_arrows(perfetto, flow, count);
	}
	free(flow);
	ct_sums_close(sums);
	return err;
}
