/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a trace, in sentences. */
#include "postproc/analysis/verify/findings.h"
#include "postproc/base/grow.h"
#include "postproc/facts/summary.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

int ct_findings_add(struct ct_findings *findings, const struct ct_launch_info *launch,
		    const char *format, ...)
{
	void *list = findings->list;
	int err = ct_grow(&list, findings->count, sizeof(*findings->list));
	va_list values;
	char *text;

	findings->list = list;
	if (err < 0)
		return err;
	va_start(values, format);
	err = vasprintf(&text, format, values);
	va_end(values);
	if (err < 0)
		return -ENOMEM;
	findings->list[findings->count++] = (struct ct_finding){launch, text};
	return 0;
}

void ct_findings_fini(struct ct_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		free(findings->list[i].text);
	free(findings->list);
}

static int add_warnings(struct ct_findings *findings, const struct ct_trace *trace,
			uint64_t damaged)
{
	const char *const *warnings;
	size_t count = ct_trace_warnings(trace, &warnings);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++)
		err = ct_findings_add(findings, NULL, "%s", warnings[i]);
	if (err == 0 && damaged)
		err = ct_findings_add(findings, NULL, "%" PRIu64 " chunks are damaged", damaged);
	return err;
}

static const struct ct_launch_info *find_launch(const struct ct_trace *trace, uint32_t part,
						uint32_t number)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	for (size_t i = 0; number && i < count; i++)
		if (launches[i].part == part && launches[i].event->launch == number)
			return &launches[i];
	return NULL;
}

static int add_losses(struct ct_findings *findings, const struct ct_trace *trace)
{
	const struct ct_loss_info *losses;
	size_t count = ct_trace_losses(trace, &losses);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_event_loss *event = losses[i].event;
		const struct ct_launch_info *launch =
		    find_launch(trace, losses[i].part, event->launch);

		if (event->chunks == UINT64_MAX)
			err = ct_findings_add(findings, launch, "records are lost: %s",
					      losses[i].reason);
		else
			err = ct_findings_add(findings, launch,
					      "%" PRIu64 " chunks of records are lost: %s",
					      event->chunks, losses[i].reason);
	}
	return err;
}

static int add_launches(struct ct_findings *findings, const struct ct_trace *trace,
			const struct ct_tally *tally)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_tally_launch *launch = ct_tally_launch(tally, i);

		if (launch->gaps)
			err = ct_findings_add(findings, &launches[i],
					      "segments are missing in %" PRIu64
					      " places, first of CTA %" PRIu64 " warp %u",
					      launch->gaps, launch->gap_cta, launch->gap_warp);
		if (err == 0 && launches[i].event->flags & CT_LAUNCH_TRACED && !launches[i].done)
			err =
			    ct_findings_add(findings, &launches[i], "its end is not in the trace");
	}
	return err;
}

static int add_manifests(struct ct_findings *findings, const struct ct_trace *trace)
{
	const struct ct_process_info *processes;
	size_t count = ct_trace_processes(trace, &processes);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		json_t *manifest = json_loads(processes[i].manifest, 0, NULL);

		if (!json_is_true(json_object_get(manifest, "complete")))
			err = ct_findings_add(findings, NULL,
					      "process %u: no manifest says that it is complete",
					      processes[i].part);
		json_decref(manifest);
	}
	return err;
}

int ct_findings_integrity(struct ct_findings *findings, const struct ct_trace *trace,
			  const struct ct_tally *tally, uint64_t damaged_chunks)
{
	int err = add_warnings(findings, trace, damaged_chunks);

	if (err == 0)
		err = add_losses(findings, trace);
	if (err == 0)
		err = add_launches(findings, trace, tally);
	return err == 0 ? add_manifests(findings, trace) : err;
}
