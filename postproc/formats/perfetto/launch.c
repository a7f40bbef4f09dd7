/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what is known of a launch, as arguments of a slice. */
#include "postproc/facts/words.h"
#include "postproc/formats/perfetto/perfetto.h"

#define TEXT_BYTES 1200

static void put_extent(struct ct_json *json, const char *key, const uint32_t extent[3])
{
	ct_json_open_array(json, key, CT_JSON_COMPACT);
	for (int d = 0; d < 3; d++)
		ct_json_put_number(json, NULL, extent[d]);
	ct_json_close(json);
}

void ct_perfetto_put_launch(struct ct_json *args, const struct ct_perfetto *perfetto, size_t i,
			    const char *kernel, bool has_call)
{
	const struct ct_launch_info *launch = perfetto->figures->superstep[i].launch;
	const struct ct_comm_superstep *figures = &perfetto->figures->of_superstep[i];
	char site[TEXT_BYTES];

	ct_json_put_text(args, "kernel", kernel);
	ct_json_put_number(args, "launch", launch->event->launch);
	ct_json_put_number(args, "superstep", i);
	put_extent(args, "grid", launch->event->grid);
	put_extent(args, "block", launch->event->block);
	ct_json_put_bool(args, "traced", launch->event->flags & CT_LAUNCH_TRACED);
	ct_json_put_number(args, "load_bytes", figures->load_bytes);
	ct_json_put_number(args, "store_bytes", figures->store_bytes);
	ct_json_put_number(args, "communicated_load_bytes", figures->communicated_load_bytes);
	ct_json_put_number(args, "communicated_store_bytes", figures->communicated_store_bytes);
	ct_json_put_text(args, "source", ct_words_descriptor(launch->site, site, sizeof(site)));
	if (*launch->region)
		ct_json_put_text(args, "region", launch->region);
	if (!has_call)
		return;
	ct_perfetto_put_time(args, "called_us", perfetto->timeline.step[i].called_ns);
	if (launch->done)
		ct_perfetto_put_time(args, "end_noticed_us",
				     launch->done_ns > perfetto->start_ns
					 ? launch->done_ns - perfetto->start_ns
					 : 0);
	else
		ct_json_put_text(args, "end", "not seen");
}
