/* SPDX-License-Identifier: Apache-2.0 */
/* Sampled program counters, as rows of LOOK and SAMPLE; the code that they are of before them. */
#include "host-rt/base/registry.h"
#include "host-rt/events/device.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/rows.h"
#include "host-rt/samples/samples.h"
#include "trace/write/writer.h"

static int write_cubins(void)
{
	struct ct_code_header header = {.kind = CT_CODE_CUBIN};
	const void *cubin;
	size_t bytes;
	int err = 0;

	while (err == 0 && (cubin = ct_samples_cubin(&header.id, &bytes)))
		err = ct_session_check(ct_writer_code(ct_session_writer(), &header, cubin, bytes));
	return err;
}

/* Writes the places of all units: a cubin does not say which it was linked from. */
static int write_places(void)
{
	struct ct_code_header header = {.kind = CT_CODE_PLACES};
	int err = 0;

	for (struct ct_registered_places *p = ct_registry_places(); p && err == 0; p = p->next) {
		if (p->written || p->bytes > CT_CHUNK_RAW_MAX - sizeof(header))
			continue;
		p->written = true;
		err = ct_session_check(
		    ct_writer_code(ct_session_writer(), &header, p->blob, p->bytes));
	}
	return err;
}

static void name_strings(struct ct_samples_taken *taken, uint64_t first_look)
{
	for (size_t i = 0; i < taken->sample_count; i++) {
		struct ct_row_sample *row = &taken->samples[i];

		row->look += (uint32_t)(first_look - 1);
		row->function = ct_events_string(ct_samples_text(row->function));
		row->reason = ct_events_string(ct_samples_text(row->reason));
	}
}

/* Where it was asked for: who samples, once, and why not, when that is known. */
static void tell(void)
{
	static bool has_reported;
	const char *missing = ct_samples_refusal();
	struct ct_event_sampling event;

	if (!ct_session_options()->sample_exponent || (has_reported && !missing))
		return;
	has_reported = true;
	ct_session_lock();
	if (ct_session_is_open()) {
		event = (struct ct_event_sampling){
		    .source = ct_events_string(ct_device_is_cpu_target() ? NULL : "CUPTI")};
		event.missing = ct_events_string(missing);
		ct_events_write(ct_event_sampling_header(&event));
	}
	ct_session_unlock();
}

int ct_journal_write_samples(void)
{
	struct ct_samples_taken taken;
	uint64_t first_look = 1;
	int err;

	tell();
	ct_samples_take(&taken);
	if (!taken.look_count)
		return 0;
	err = write_places();
	if (err == 0)
		err = write_cubins();
	if (err == 0)
		err = ct_session_check(ct_writer_rows(ct_session_writer(), CT_TABLE_LOOK,
						      taken.looks, taken.look_count, &first_look));
	if (err == 0)
		name_strings(&taken, first_look);
	/* Names first: a row may be read as soon as it is written. */
	if (err == 0)
		err = ct_session_check(ct_writer_flush(ct_session_writer()));
	if (err == 0 && taken.sample_count)
		err = ct_session_check(ct_writer_rows(ct_session_writer(), CT_TABLE_SAMPLE,
						      taken.samples, taken.sample_count, NULL));
	return err;
}
