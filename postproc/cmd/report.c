/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost report: the communication analysis as one HTML file. */
#include "postproc/render/report/report.h"
#include "base/quantity.h"
#include "postproc/cmd/comm_options.h"
#include "postproc/cmd/report_compare.h"
#include "postproc/cmdline/progress.h"
#include "postproc/render/base/output.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DENSITY_BINS 1024u
#define DEVICES_MIN 2u

static const struct ctpost_option own[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .complete = CTPOST_COMPLETE_FILE,
     .help = "where to write the report; a page needs it (default of other formats: standard "
	     "output)"},
    {.name = "density", .argument = "A-B", .help = "the density map of CTAs A to B (default: all)"},
    {.name = "source-root",
     .argument = "DIR",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "look for source files under DIR first"},
    {.name = "title", .argument = "TEXT", .help = "heading (default: the program's name)"},
    {.name = "format",
     .argument = "FORMAT",
     .choices = "html|text|csv|json",
     .complete = CTPOST_COMPLETE_WORDS,
     .help = "html: a page (default); of others, the figures that several traces are compared "
	     "by"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {
    own,
    ctpost_selection_options,
    ctpost_comm_options,
    ctpost_resource_options,
    ctpost_link_options,
    NULL,
};

struct job {
	struct ctpost_call *call;
	struct ct_comm_options options;
	struct ct_selection selection;
	struct ct_scaling_options model;
	struct ct_ranks *ranks;
	struct ctpost_progress progress;
	struct ct_output *output; /* of rank 0 */
	struct ct_comm *comm;
	struct ct_scaling *scaling;
};

static bool is_page(const struct ctpost_call *call)
{
	const char *format = ctpost_value(call, "format");

	return !format || strcmp(format, "html") == 0;
}

static int read_request(struct job *job)
{
	struct ctpost_call *call = job->call;
	const char *density = ctpost_value(call, "density");
	uint64_t first = 0, last = 0;
	int status;

	if (!ctpost_value(call, "output") && is_page(call))
		return ctpost_fail(call, CTPOST_USAGE,
				   "report: where to? Name the file with -o FILE.html");
	if (density &&
	    (ct_parse_range(density, &first, &last) < 0 || first == last || last > UINT32_MAX))
		return ctpost_wrong(call, "density", "A-B, two CTAs");
	job->options.density_first = (uint32_t)first;
	job->options.density_last = (uint32_t)last;
	job->options.density_bins = DENSITY_BINS;
	job->options.deliveries = true;
	job->options.views = true;
	job->model = (struct ct_scaling_options){.devices_min = DEVICES_MIN,
						 .devices_max = CT_SCALING_DEVICES_MAX};
	status = ctpost_read_link_options(call, &job->model);
	if (status != CTPOST_OK)
		return status;
	return ctpost_read_comm_options(call, &job->options, &job->selection);
}

static int show_progress(void *user, uint64_t done, uint64_t total)
{
	return ctpost_progress_update(&((struct job *)user)->progress, done, total);
}

/* call->why, unless something better stands there; err is returned. */
static int explain(struct job *job, int err, const char *what, const char *why)
{
	if (err != 0 && !job->call->why[0]) {
		if (*why)
			ctpost_fail(job->call, 0, "%s", why);
		else
			ctpost_fail(job->call, 0, "%s: %s", what, ct_strerror(err));
	}
	return err;
}

/* Before the analysis, which may take long. */
static int open_output(struct job *job)
{
	const char *root = ctpost_value(job->call, "source-root");
	char why[CTPOST_WHY_BYTES] = "";
	struct stat status;
	int err = 0;

	if (job->ranks->rank == 0 && root && (stat(root, &status) < 0 || !S_ISDIR(status.st_mode)))
		err = ctpost_fail(job->call, -ENOTDIR, "%s: not a directory", root);
	if (job->ranks->rank == 0 && err == 0)
		err = explain(job,
			      ct_output_open(&job->output, ctpost_value(job->call, "output"), 0,
					     why, sizeof(why)),
			      ctpost_value(job->call, "output"), why);
	return ct_ranks_agree(job->ranks, err);
}

static int analyse(struct job *job)
{
	const char *trace = job->call->operand[0];
	char why[CTPOST_WHY_BYTES] = "";
	int err = ct_comm_open(&job->comm, trace, &job->options, why, sizeof(why));

	if (err != 0)
		return explain(job, err, trace, why);
	return explain(job, ct_scaling_open(&job->scaling, job->comm, &job->model), trace, "");
}

static uint32_t *kernels_of(const struct job *job)
{
	const struct ct_comm_figures *f = ct_comm_figures(job->comm);
	uint32_t *kernel_of = malloc((f->supersteps + 1) * sizeof(*kernel_of));

	for (uint32_t s = 0; kernel_of && s < f->supersteps; s++)
		kernel_of[s] = f->superstep[s].launch ? ct_comm_kernel_of(job->comm, s) : CT_NONE;
	return kernel_of;
}

static int write_file(struct job *job, const struct ct_report *report)
{
	FILE *file = ct_output_file(job->output, NULL);
	int err;

	if (!file)
		return -errno;
	err = ct_report_write(file, report);
	if (fclose(file) != 0 && err == 0)
		err = -errno;
	return err;
}

static int write_report(struct job *job)
{
	struct ct_trace *trace = ct_comm_trace(job->comm);
	uint32_t *kernel_of = kernels_of(job);
	struct ct_coverage coverage = {.count = 0};
	struct ct_findings findings = {.count = 0};
	struct ct_summary summary;
	struct ct_report report = {
	    .title = ctpost_value(job->call, "title"),
	    .trace = ct_trace_directory(trace),
	    .trace_bytes = ct_trace_bytes(trace),
	    .findings = &findings,
	    .figures = ct_comm_figures(job->comm),
	    .kernel_of = kernel_of,
	    .summary = &summary,
	    .coverage = &coverage,
	    .model = &job->model,
	    .selection = &job->selection,
	    .self = job->options.self,
	    .source_root = ctpost_value(job->call, "source-root"),
	};
	int err = ct_summary_init(&summary, trace);

	if (err < 0)
		goto free_kernels;
	report.device_count = ct_trace_devices(trace, &report.devices);
	report.loss_count = ct_trace_losses(trace, &report.losses);
	report.warning_count = ct_trace_warnings(trace, &report.warnings);
	report.scaling = ct_scaling_rows(job->scaling, &report.scaling_rows);
	err = kernel_of ? ct_coverage_init(&coverage, trace) : -ENOMEM;
	if (err == 0)
		err = ctpost_comm_find(&findings, job->comm, job->scaling, &summary);
	if (err == 0)
		err = write_file(job, &report);
	ct_findings_fini(&findings);
	ct_coverage_fini(&coverage);
	ct_summary_fini(&summary);

free_kernels:
	free(kernel_of);
	return err;
}

/* Rank 0 only. */
static int finish(struct job *job)
{
	const char *path = ctpost_value(job->call, "output");
	int err;

	ctpost_comm_warn(job->comm);
	err = explain(job, write_report(job), path, "");
	if (err != 0)
		return err;
	err = explain(job, ct_output_commit(job->output), path, "");
	job->output = NULL;
	return err;
}

/* Options of the page of one trace say nothing of others. */
static int compare(struct job *job)
{
	static const char *const of_one[] = {"density", "bandwidth", "latency", "source-root"};
	struct ctpost_call *call = job->call;
	const struct ctpost_comparison comparison = {
	    .format = is_page(call) ? "html" : ctpost_value(call, "format"),
	    .output = ctpost_value(call, "output"),
	    .title = ctpost_value(call, "title"),
	    .options = job->options,
	};

	for (size_t i = 0; i < sizeof(of_one) / sizeof(*of_one); i++)
		if (ctpost_value(call, of_one[i]))
			return ctpost_fail(call, CTPOST_USAGE,
					   "report: --%s belongs to the page of one trace",
					   of_one[i]);
	return ctpost_compare(call, &comparison);
}

static int run(struct ctpost_call *call)
{
	struct job job = {.call = call};
	char why[CTPOST_WHY_BYTES] = "";
	int status = read_request(&job), err;

	if (status != CTPOST_OK)
		return status;
	if (call->operands > 1 || !is_page(call)) {
		status = compare(&job);
		ct_selection_fini(&job.selection);
		return status;
	}
	err = ct_ranks_open(&job.ranks, why, sizeof(why));
	if (err < 0) {
		ct_selection_fini(&job.selection);
		return ctpost_fail(call, CTPOST_FAILED, "%s", why);
	}
	job.options.ranks = job.model.ranks = job.ranks;
	job.options.user = &job;
	if (job.ranks->rank == 0)
		job.options.progress = show_progress;
	ctpost_progress_start(&job.progress, call->operand[0]);
	err = open_output(&job);
	if (err == 0)
		err = analyse(&job);
	ctpost_progress_stop(&job.progress);
	if (job.ranks->rank == 0 && err == 0)
		err = finish(&job);
	err = explain(&job, ct_ranks_agree(job.ranks, err), call->operand[0], "");
	if (job.ranks->rank != 0)
		ctpost_leave_to_rank_0(call);
	ct_output_discard(job.output);
	ct_scaling_close(job.scaling);
	ct_comm_close(job.comm);
	ct_ranks_close(job.ranks);
	ct_selection_fini(&job.selection);
	return err == 0 ? CTPOST_OK : CTPOST_FAILED;
}

const struct ctpost_command ctpost_report = {
    .name = "report",
    .summary = "write how CTAs communicate as one HTML file, of several traces side by side",
    .description =
	"Writes the communication analysis (see comm) as a page to read in a browser: what\n"
	"stands out, the thesis' figures, tables that sort and filter, the source lines behind\n"
	"the numbers, and what the trace does not hold. The file needs no network and nothing\n"
	"beside it.\n\n"
	"What is long is aggregated, and the page says where and how (docs/report.md). Under\n"
	"mpirun the work is shared by all ranks, and rank 0 writes.\n\n"
	"Several traces are compared: the figures of the thesis' evaluation, a panel for each\n"
	"trace, as a page, as tables of text, or all their points as CSV or JSON.",
    .operands = "TRACE...",
    .operands_min = 1,
    .operands_max = -1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status = "0 on success, 1 if the trace cannot be analysed or the file not be written, 2 "
		   "for a wrong option.",
    .example = "ctpost report run.ctrace -o run.html",
    .run = run,
};
