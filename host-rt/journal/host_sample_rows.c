/* SPDX-License-Identifier: Apache-2.0 */
/* Where host threads were, as rows of CPU_SAMPLE; their stacks before them. */
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/journal/rows.h"
#include "host-rt/samples/host.h"
#include "trace/write/writer.h"

/* Who samples, at the end, when it is known what is missing. */
static void tell(void)
{
	struct ct_event_sampling event;

	ct_session_lock();
	if (ct_session_is_open()) {
		event = (struct ct_event_sampling){.source = ct_events_string(CT_SAMPLING_OF_HOST),
						   .missing =
						       ct_events_string(ct_host_samples_missing())};
		ct_events_write(ct_event_sampling_header(&event));
	}
	ct_session_unlock();
}

int ct_journal_write_host_samples(bool is_last)
{
	const struct ct_options *options = ct_session_options();
	const struct ct_row_cpu_sample *rows;
	size_t count;
	int err = 0;

	if (!options->sample_exponent || !options->samples_host)
		return 0;
	if (is_last)
		tell();
	count = ct_host_samples_take(&rows);
	if (count)
		err = ct_journal_write_stacks();
	if (err == 0 && count)
		err = ct_session_check(
		    ct_writer_rows(ct_session_writer(), CT_TABLE_CPU_SAMPLE, rows, count, NULL));
	return err;
}
