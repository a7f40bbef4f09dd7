/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost info: what ran, what was seen, what was not and why. */
#include "postproc/render/info/info.h"
#include "base/quantity.h"
#include "postproc/analysis/totals/analysis.h"
#include "postproc/cmd/pass.h"
#include "postproc/cmd/trace_file.h"
#include "postproc/facts/limits.h"
#include <errno.h>
#include <stdlib.h>

enum { OPT_JSON, OPT_SITES, OPT_LAUNCH, OPT_THREADS };

static const struct ctpost_option options[] = {
    [OPT_JSON] = {.name = "json", .help = "write JSON (docs/json-schema.md)"},
    [OPT_SITES] = {.name = "sites",
		   .help = "also list every site, and the coverage of kernels not launched"},
    [OPT_LAUNCH] = {.name = "launch",
		    .argument = "N",
		    .help = "only launch number N, counted from 1"},
    [OPT_THREADS] = CTPOST_THREADS_OPTION,
    {.name = NULL},
};

static int launch_exists(const struct ct_trace *trace, uint64_t number)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	for (size_t i = 0; i < count; i++)
		if (launches[i].event->launch == number)
			return 1;
	return 0;
}

/* 1 for each launch of that number: one of every process. */
static uint8_t *select_launch(const struct ct_trace *trace, uint32_t number)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);
	uint8_t *selected = calloc(count + 1, 1);

	for (size_t i = 0; selected && i < count; i++)
		selected[i] = launches[i].event->launch == number;
	return selected;
}

static int write_info(struct ctpost_call *call, struct ct_trace *trace, uint32_t launch,
		      uint32_t threads)
{
	const struct ct_pass_options pass = {.threads = threads};
	uint8_t *launches = launch ? select_launch(trace, launch) : NULL;

	struct ct_style style = ct_style_of_stdout();
	struct ct_totals_job totals = {.trace = trace, .launches = launches};
	const struct ct_task task = {&ct_totals_analysis, &totals};
	struct ct_summary summary;
	struct ct_coverage coverage = {.count = 0};
	struct ct_regions regions = {.count = 0};
	struct ct_findings findings = {.count = 0};
	struct ct_info info = {
	    .trace = trace,
	    .summary = &summary,
	    .coverage = &coverage,
	    .regions = &regions,
	    .findings = &findings,
	    .launch = launch,
	    .with_sites = call->option[OPT_SITES] != NULL,
	};
	int err = ct_summary_init(&summary, trace);

	if (err < 0 || (launch && !launches)) {
		free(launches);
		return err < 0 ? err : -ENOMEM;
	}
	err = ct_coverage_init(&coverage, trace);
	if (!launch && ct_sampling_is_sampled(&summary.sampling))
		totals.sampling = &summary.sampling;
	if (err == 0)
		err = ctpost_pass_aloud(call, trace, &task, 1, &pass);
	if (err == 0)
		err = ct_regions_init(&regions, trace, totals.totals);
	ct_limits_find(&findings, trace, &summary, call->damaged_chunks);
	err = err < 0 ? err : findings.err;
	info.totals = totals.totals;
	info.estimates = totals.estimates;
	if (err == 0 && call->option[OPT_JSON])
		err = ct_info_write_json(stdout, &info);
	else if (err == 0)
		err = ct_info_write_text(stdout, &info, &style);
	ct_findings_fini(&findings);
	ct_regions_fini(&regions);
	ct_totals_job_fini(&totals);
	ct_coverage_fini(&coverage);
	ct_summary_fini(&summary);
	free(launches);
	return err;
}

static int run(struct ctpost_call *call)
{
	uint64_t launch = 0;
	struct ct_trace *trace;
	uint32_t threads;
	int err;

	if (ctpost_read_threads(call, "info", call->option[OPT_THREADS], &threads) != CTPOST_OK)
		return CTPOST_USAGE;
	if (call->option[OPT_LAUNCH] && (ct_parse_count(call->option[OPT_LAUNCH], &launch) < 0 ||
					 !launch || launch > UINT32_MAX))
		return ctpost_fail(call, CTPOST_USAGE,
				   "info: --launch='%s' is not a launch number (1, 2, …)",
				   call->option[OPT_LAUNCH]);
	trace = ctpost_open_trace(call, call->operand[0]);
	if (!trace)
		return CTPOST_FAILED;
	if (launch && !launch_exists(trace, launch)) {
		ctpost_fail(call, 0, "%s: there is no launch %llu", call->operand[0],
			    (unsigned long long)launch);
		ct_trace_close(trace);
		return CTPOST_FAILED;
	}
	err = write_info(call, trace, (uint32_t)launch, threads);
	if (err < 0 && !call->why[0])
		ctpost_fail(call, 0, "%s: %s", call->operand[0], ct_strerror(err));
	ct_trace_close(trace);
	return err < 0 ? CTPOST_FAILED : CTPOST_OK;
}

const struct ctpost_command ctpost_info = {
    .name = "info",
    .summary = "show what ran, what was traced and what was not",
    .description =
	"Shows the program, the devices, every kernel launch with its accesses and bytes,\n"
	"what of each kernel's code is recorded, and what was not traced and why.\n\n"
	"Accesses are counted once per thread; bytes are those the program asked for.\n"
	"A site is one load, store or atomic instruction of the source program; --sites\n"
	"shows how often warps and threads executed each.",
    .operands = "TRACE",
    .operands_min = 1,
    .operands_max = 1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be read, 2 for a wrong option.",
    .example = "ctpost info --sites run.ctrace",
    .run = run,
};
