/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost report: what analyses found of a trace, or of a study, as one HTML file. */
#include "postproc/render/report/report.h"
#include "base/quantity.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/options/host_paths.h"
#include "postproc/cmd/options/sources.h"
#include "postproc/cmd/report_compare.h"
#include "postproc/cmd/study.h"
#include "postproc/render/comm/comm.h"
#include "postproc/render/findings/problems.h"
#include "postproc/render/info/tables.h"
#include "postproc/tables/output.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DENSITY_BINS 1024u
#define ROWS_MAX 5000u    /* of a list of what the trace says */
#define FRAMES_MAX 65536u /* of paths of the host */

static const struct ctpost_option own[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .complete = CTPOST_COMPLETE_FILE,
     .help = "where to write the report; of csv: directory to create (default of json: standard "
	     "output)"},
    {.name = "density",
     .argument = "A-B",
     .help = "the density map of blocks A to B (default: all)"},
    {.name = "list", .help = "also print the list of problems, as ctpost findings does"},
    {.name = "title", .argument = "TEXT", .help = "heading (default: the program's name)"},
    {.name = "format",
     .argument = "FORMAT",
     .choices = "html|text" CT_TABLE_FORMATS,
     .complete = CTPOST_COMPLETE_WORDS,
     .help = "html: a page (default); of others, the figures that several traces are compared "
	     "by"},
    {.name = "json", .help = "as --format=json (docs/tables.md)"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {
    own, ctpost_source_options, ctpost_known_options, CTPOST_STUDY_OPTIONS, NULL};

struct job {
	struct ctpost_call *call;
	struct ctpost_study study;
	struct ctpost_known known;
	struct ctpost_source_choice from;
	struct ct_output *output; /* of rank 0 */
};

static bool is_page(const struct ctpost_call *call)
{
	const char *format = ctpost_value(call, "format");

	return format ? strcmp(format, "html") == 0 : !ctpost_value(call, "json");
}

static int read_request(struct job *job)
{
	struct ct_comm_options *options = &job->study.options;
	struct ctpost_call *call = job->call;
	const char *density = ctpost_value(call, "density");
	uint64_t first = 0, last = 0;

	if (!ctpost_value(call, "output") && is_page(call))
		return ctpost_fail(call, CTPOST_USAGE,
				   "report: where to? Name the file with -o FILE.html");
	if (density &&
	    (ct_parse_range(density, &first, &last) < 0 || first == last || last > UINT32_MAX))
		return ctpost_wrong(call, "density", "A-B, two blocks");
	options->density_first = (uint32_t)first;
	options->density_last = (uint32_t)last;
	options->density_bins = DENSITY_BINS;
	options->views = true;
	job->study.wanted |= CT_STUDY_FINDINGS | CT_STUDY_PATHS;
	return ctpost_study_read(&job->study, call);
}

/* Before the analysis, which may take long. */
static int open_output(struct job *job)
{
	const char *path = ctpost_value(job->call, "output");
	char why[CTPOST_WHY_BYTES] = "";
	int err;

	if (job->study.ranks->rank != 0)
		return 0;
	err = ctpost_source_choice_check(&job->from, job->call);
	if (err < 0)
		return err;
	err = ct_output_open(&job->output, path, 0, why, sizeof(why));
	return ctpost_explain(job->call, err, path, why);
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

/* Rows of paths: empty where the host's are not known. */
static int write_with(struct job *job, const struct ct_comm_shown *shown,
		      struct ct_coverage *coverage, struct ct_host_path_rows *paths,
		      struct ct_source_store *sources)
{
	const struct ctpost_study *study = &job->study;
	const struct ct_trace_facts facts = {
	    .trace = study->trace, .summary = &study->summary, .kernels = shown->kernels};
	const struct ct_report_table others[] = {
	    {.table = &ct_processes_table, .from = &facts, .rows_max = ROWS_MAX},
	    {.table = &ct_devices_table, .from = &facts, .rows_max = ROWS_MAX},
	    {.table = &ct_losses_table, .from = &facts, .rows_max = ROWS_MAX},
	    {.table = &ct_warnings_table, .from = &facts, .rows_max = ROWS_MAX},
	    {.table = &ct_launch_paths_table, .from = paths, .rows_max = FRAMES_MAX},
	    {.table = &ct_host_paths_table,
	     .from = paths,
	     .rows_max = FRAMES_MAX,
	     .has_children = true},
	    {.table = NULL},
	};
	const struct ct_report report = {
	    .title = ctpost_value(job->call, "title"),
	    .trace = ct_trace_directory(study->trace),
	    .trace_bytes = ct_trace_bytes(study->trace),
	    .findings = &study->findings,
	    .sections = &study->sections,
	    .shown = shown,
	    .summary = &study->summary,
	    .coverage = coverage,
	    .others = others,
	    .selection = &study->selection,
	    .calls = study->inquiry.calls,
	    .call_paths = study->called_paths ? study->called_paths : study->paths,
	    .problems = &job->known.verdict.problems,
	    .verdict = &job->known.verdict,
	    .ffm = study->inquiry.ffm,
	    .sources = sources,
	};
	int err = ct_coverage_init(coverage, study->trace);

	if (err == 0 && shown->paths)
		err = ct_comm_path_rows(paths, shown);
	if (err == 0)
		err = write_file(job, &report);
	return err;
}

static int write_report(struct job *job)
{
	struct ctpost_study *study = &job->study;
	struct ct_numbered_kernels kernels = {.count = 0};
	struct ct_coverage coverage = {.count = 0};
	struct ct_host_path_rows paths = {.count = 0};
	struct ct_comm_shown shown = {
	    .figures = ct_comm_figures(study->comm),
	    .kernels = &kernels,
	    .paths = study->paths,
	    .sampling = &study->summary.sampling,
	    .program = study->summary.program,
	    .has_self = study->options.self,
	    .links = study->scaling ? &study->model : NULL,
	};
	struct ct_source_store *sources = NULL;
	int err = ct_numbered_kernels_init(&kernels, study->trace);

	shown.scaling = ct_scaling_rows(study->scaling, &shown.scaling_rows);
	if (err == 0)
		err = ctpost_study_sources(study, job->from.root[0], job->from.quoting, &sources);
	/* Comments that expect problems count whether lines are quoted or not. */
	if (err == 0)
		err = ctpost_study_judge(study, &job->known,
					 job->from.quoting == CT_QUOTE_NOTHING ? NULL : sources);
	if (err == 0)
		err = write_with(job, &shown, &coverage, &paths, sources);
	ct_source_store_close(sources);
	ct_host_path_rows_fini(&paths);
	ct_coverage_fini(&coverage);
	ct_numbered_kernels_fini(&kernels);
	return err;
}

static void write_list(const struct job *job)
{
	const struct ct_problem_list list = {.findings = &job->study.findings,
					     .verdict = &job->known.verdict};
	struct ct_style style = ct_style_of_stdout();

	ct_problem_list_write(stdout, &list, &style);
}

/* Rank 0 only. */
static int finish(struct job *job)
{
	int err;

	if (!ctpost_value(job->call, "list")) /* the list has limits of its own */
		ctpost_comm_warn(job->study.comm);
	err = write_report(job);
	if (err == 0) {
		err = ct_output_commit(job->output);
		job->output = NULL;
	}
	if (err == 0 && ctpost_value(job->call, "list"))
		write_list(job);
	return ctpost_explain(job->call, err, ctpost_value(job->call, "output"), "");
}

/* Options of the page of one trace say nothing of others. */
static int compare(struct job *job)
{
	static const char *const of_one[] = {"density", "bandwidth", "latency",
					     "times",   "list",      "suppressions"};
	const bool is_of_two = is_page(job->call) && job->call->operands == 2;
	struct ctpost_call *call = job->call;
	struct ctpost_panels panels = {
	    .is_page = is_page(call),
	    .output = ctpost_value(call, "output"),
	    .title = ctpost_value(call, "title"),
	    .from = &job->from,
	};

	for (size_t i = 0; i < sizeof(of_one) / sizeof(*of_one); i++)
		if (ctpost_value(call, of_one[i]))
			return ctpost_fail(call, CTPOST_USAGE,
					   "report: --%s belongs to the page of one trace",
					   of_one[i]);
	if (!is_of_two && (ctpost_value(call, "source-root") || ctpost_value(call, "sources")))
		return ctpost_fail(call, CTPOST_USAGE,
				   "report: --source-root and --sources belong to the page of one "
				   "or two traces");
	if (!panels.is_page) {
		int status = ctpost_read_format(call, &panels.format);

		if (status != CTPOST_OK)
			return status;
	}
	return ctpost_compare(call, &panels);
}

static int write_page(struct job *job)
{
	int status = ctpost_study_meet(&job->study), err;

	if (status != CTPOST_OK)
		return status;
	err = ct_ranks_agree(job->study.ranks, open_output(job));
	if (err == 0)
		err = ctpost_study_open(&job->study);
	if (err == 0)
		err = ctpost_study_run(&job->study);
	if (err == 0 && job->study.ranks->rank == 0)
		err = finish(job);
	status = ctpost_study_end(&job->study, err);
	ct_output_discard(job->output);
	return status;
}

static int run(struct ctpost_call *call)
{
	struct job job = {.call = call};
	int status = read_request(&job);

	if (status == CTPOST_OK)
		status = ctpost_known_read(&job.known, call);
	if (status == CTPOST_OK)
		status = ctpost_source_choice_read(&job.from, call, call->operands == 2 ? 2 : 1);
	if (status == CTPOST_OK)
		status = ctpost_study_read_runs(&job.study);
	if (status == CTPOST_OK)
		status = call->operands > 1 || !is_page(call) ? compare(&job) : write_page(&job);
	ctpost_known_close(&job.known);
	ctpost_source_choice_fini(&job.from);
	ctpost_study_close(&job.study);
	return status;
}

const struct ctpost_command ctpost_report_command = {
    .name = "report",
    .summary = "write a page to read in a browser: where the time went, what is wrong, what to do",
    .description =
	"Writes a page to read in a browser: where the time of the run went, what is wrong and\n"
	"what fixing it saves, the kernels that matter; then a time line, the sources with what\n"
	"is known of each line, and tables of all analyses. The file needs no network and nothing\n"
	"beside it.\n\n"
	"What is long is aggregated, and the page says where and how (docs/report.md). Under\n"
	"mpirun the work is shared by all ranks, and rank 0 writes.\n\n"
	"Several traces are compared: the figures of communication, a panel for each trace, as a\n"
	"page, or as tables of text or for programs (docs/tables.md). The page of two traces\n"
	"begins with what compare says of them.",
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
