/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost model: what bounds each kernel, and what changes would bring. */
#include "postproc/render/model/model.h"
#include "postproc/analysis/model/tables.h"
#include "postproc/cmd/base/cubins.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EPSILON 0.01
#define SAMPLES 8u

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
    {.name = "machine",
     .argument = "FILE",
     .complete = CTPOST_COMPLETE_FILE,
     .help = "parameters of the device, as ctrun calibrate writes them (default: those that come "
	     "with cuda-trace for the device, else defaults)"},
    {.name = "times",
     .argument = "TRACE[,...]",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "a run with times of the untraced kernels (ctrun --calls=only), of each trace one "
	     "(default: what the traces have themselves)"},
    {.name = "cubin",
     .argument = "FILE[,...]",
     .complete = CTPOST_COMPLETE_FILE,
     .help = "the kernels' machine code (cuda-trace-clang++ --cuda-device-only -c -o FILE), for "
	     "registers and shared memory (default: what the driver reported, or a cubin in the "
	     "trace)"},
    {.name = "cold",
     .help = "the L2 is empty when a launch begins (default: it holds what one like "
	     "it left)"},
    {.name = "graph",
     .help = "write the work flow of the kernel that takes longest, for Graphviz (dot); see "
	     "--kernels"},
    {.name = "rank", .help = "only compare the traces: predicted times, the least first"},
    {.name = NULL},
};

static const struct ctpost_option *const options[] = {own, ctpost_selection_options,
						      ctpost_resource_options, NULL};

struct job {
	struct ct_model_job model;
	struct ct_task beside;
	struct ct_trace *trace, *times; /* times NULL: those of the trace itself */
	struct ct_model_all all;        /* of the trace at hand */
	const struct ct_table_format *format;
	struct ctpost_cubins cubins;
	struct ct_model_ranked *ranked; /* NULL: pages are written */
};

/* With all sectors, and times of any run, where findings have bounds. */
static void begin(struct ctpost_study *study, void *user)
{
	struct job *job = user;

	job->trace = study->trace;
	job->model = (struct ct_model_job){.trace = study->trace, .filter = study->inquiry.filter};
	job->beside = (struct ct_task){&ct_model_analysis, &job->model};
	study->beside = &job->beside;
	study->besides = 1;
}

static int read_machine(struct ctpost_call *call, struct job *job)
{
	const char *path = ctpost_value(call, "machine");
	char why[CT_MACHINE_TEXT_BYTES];

	if (!path) {
		/* The device whose times are known, or that the trace is of. */
		ct_machine_of_trace(&job->all.machine, job->times ? job->times : job->model.trace);
		return CTPOST_OK;
	}
	if (ct_machine_read(&job->all.machine, path, why) < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", path, why);
	return CTPOST_OK;
}

static int by_time(const void *a, const void *b)
{
	const struct ct_model_kernel *x = a, *y = b;
	double s = x->predicted * x->launches, t = y->predicted * y->launches;

	return (s < t) - (s > t);
}

static int model_all(struct job *job, bool is_cold)
{
	struct ct_trace *times = job->times ? job->times : job->trace;
	struct ct_model_all *all = &job->all;
	const struct ct_model_options how = {
	    .machine = &all->machine,
	    /* Times of CPU threads are none of a GPU. */
	    .times = ct_machine_is_cpu(times) ? NULL : times,
	    .cubin = job->cubins.of,
	    .cubins = job->cubins.count,
	    .is_cold = is_cold,
	    .epsilon = EPSILON,
	    .samples = SAMPLES,
	};

	all->kernel = calloc(job->model.results.kernels.count + 1u, sizeof(*all->kernel));
	if (!all->kernel)
		return -ENOMEM;
	for (uint32_t k = 0; k < job->model.results.kernels.count; k++) {
		struct ct_model_kernel *next = &all->kernel[all->kernels];
		int err = ct_model_kernel(next, &job->model, k, &how);

		if (err != 0)
			ct_model_kernel_fini(next);
		if (err < 0)
			return err;
		all->silent += err == 1;
		all->kernels += err == 0;
	}
	qsort(all->kernel, all->kernels, sizeof(*all->kernel), by_time);
	return 0;
}

static void rank(struct ct_model_ranked *ranked, const struct ct_model_all *models,
		 const char *trace)
{
	bool all = true;

	ranked->trace = trace;
	for (size_t i = 0; i < models->kernels; i++) {
		const struct ct_model_kernel *k = &models->kernel[i];

		ranked->predicted += k->predicted * k->launches;
		ranked->measured += k->measured.seconds * k->launches;
		all &= k->measured.count > 0;
	}
	ranked->measured = all ? ranked->measured : 0;
	snprintf(ranked->bound, sizeof(ranked->bound), "%s", models->kernel[0].bound);
	ranked->efficiency = models->kernel[0].efficiency;
	ranked->utilization = models->kernel[0].utilization;
	if (models->kernel[0].changes)
		ranked->change = models->kernel[0].change[0];
}

static int write_tables(struct ctpost_call *call, const struct job *job)
{
	const struct ct_model_all *all = &job->all;
	const struct ctpost_shown shown[] = {
	    {&ct_model_machine_table, all},
	    {&ct_model_parameters_table, all},
	    {&ct_model_kernels_table, all},
	    {&ct_model_changes_table, all},
	    {&ct_model_points_table, all},
	    {&ct_model_ceilings_table, all},
	    {&ct_model_instructions_table, all},
	    {&ct_model_simulations_table, all},
	    {&ct_model_gpuperf_table, all},
	    {&ct_model_balances_table, all},
	    {&ct_model_caches_table, all},
	    {&ct_model_cache_lines_table, all},
	    {&ct_model_nodes_table, all},
	    {&ct_model_arcs_table, all},
	    {NULL, NULL},
	};

	return ctpost_write_shown(call, job->format, job->trace, shown);
}

/* In what the call asks for. 0, a negative error or an exit status */
static int write_output(struct ctpost_call *call, struct job *job)
{
	struct ct_style style = ct_style_of_stdout();
	struct ct_model_all *all = &job->all;
	int err;

	all->flow = calloc(all->kernels + 1, sizeof(*all->flow));
	err = all->flow ? 0 : -ENOMEM;
	for (size_t i = 0; i < all->kernels && err == 0; i++)
		err = ct_flow_make(&all->flow[i], &all->kernel[i], &job->model, &all->machine);
	if (err == 0 && ctpost_value(call, "graph"))
		err = ct_model_write_graph(stdout, all->kernel->name, all->flow);
	else if (err == 0 && job->format)
		err = write_tables(call, job);
	else if (err == 0)
		err = ct_model_write(stdout, all, &style);
	for (size_t i = 0; all->flow && i < all->kernels; i++)
		ct_flow_fini(&all->flow[i]);
	free(all->flow);
	all->flow = NULL;
	return err;
}

static int show(struct ctpost_study *study, void *user)
{
	struct ctpost_call *call = study->call;
	struct job *job = user;
	int status, err;

	job->all = (struct ct_model_all){.silent = job->all.silent}; /* of all traces */
	status = read_machine(call, job);
	err = status == CTPOST_OK ? model_all(job, ctpost_value(call, "cold") != NULL) : 0;
	if (err == 0 && status == CTPOST_OK && !job->all.kernels)
		status =
		    ctpost_fail(call, CTPOST_FAILED,
				"%s: no basic blocks; compile with --ct-events=block, and trace "
				"with ctrun --tier=full",
				study->operand);
	else if (err == 0 && status == CTPOST_OK && job->ranked)
		rank(job->ranked, &job->all, study->operand);
	else if (err == 0 && status == CTPOST_OK)
		err = write_output(call, job);
	for (size_t i = 0; i < job->all.kernels; i++)
		ct_model_kernel_fini(&job->all.kernel[i]);
	free(job->all.kernel);
	job->all.kernel = NULL;
	job->all.kernels = 0;
	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", study->operand, ct_strerror(err));
	return err > 0 ? err : status;
}

/* One trace, with the times of its place in the list. */
static int model_trace(struct ctpost_call *call, int at, const char **times, struct job *job)
{
	static const struct ctpost_view view = {.begin = begin, .show = show};
	struct ctpost_study study = {.operand = call->operand[at]};
	char *name = NULL;
	int status;

	job->times = NULL;
	job->model = (struct ct_model_job){.trace = NULL};
	if (*times && **times) {
		size_t length = strcspn(*times, ",");

		name = strndup(*times, length);
		*times += length + ((*times)[length] == ',');
		job->times = name ? ctpost_open_trace(call, name) : NULL;
		if (!job->times) {
			free(name);
			return CTPOST_FAILED;
		}
	}
	status = ctpost_run_view(call, &view, &study, job);
	if (job->model.trace)
		ct_model_job_fini(&job->model);
	ctpost_study_close(&study);
	ct_trace_close(job->times);
	free(name);
	return status;
}

/* An exit status. */
static int write_ranking(struct ctpost_call *call, const struct job *job,
			 struct ct_model_ranked *ranked)
{
	const struct ct_model_ranking ranking = {&job->all.machine, ranked, (size_t)call->operands};
	const struct ctpost_shown shown[] = {{&ct_model_machine_table, &job->all},
					     {&ct_model_ranking_table, &ranking},
					     {&ct_model_errors_table, &ranking},
					     {NULL, NULL}};
	struct ct_style style = ct_style_of_stdout();

	ct_model_sort_ranking(ranked, ranking.count);
	if (job->format)
		return ctpost_write_shown(call, job->format, NULL, shown);
	ct_model_write_ranking(stdout, &ranking);
	return ctpost_show_tables(call, shown, SIZE_MAX, &style);
}

static int run(struct ctpost_call *call)
{
	bool ranks = ctpost_value(call, "rank") != NULL;
	const char *times = ctpost_value(call, "times");
	struct ct_model_ranked *ranked = calloc((size_t)call->operands + 1, sizeof(*ranked));
	struct job job = {.times = NULL};
	int status = ctpost_read_format(call, &job.format);

	if (!ranked)
		return ctpost_fail(call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
	if (status == CTPOST_OK && job.format && ctpost_value(call, "graph"))
		status = ctpost_fail(call, CTPOST_USAGE, "model: --graph is a format of its own");
	if (status == CTPOST_OK && !ranks && call->operands > 1)
		status = ctpost_fail(call, CTPOST_USAGE, "several traces are for --rank");
	if (status == CTPOST_OK)
		status = ctpost_read_cubins(call, &job.cubins);
	for (int i = 0; i < call->operands && status == CTPOST_OK; i++) {
		job.ranked = ranks ? &ranked[i] : NULL;
		status = model_trace(call, i, &times, &job);
	}
	if (ranks && status == CTPOST_OK && !call->is_reported_by_rank_0)
		status = write_ranking(call, &job, ranked);
	ctpost_cubins_fini(&job.cubins);
	free(ranked);
	return status;
}

const struct ctpost_command ctpost_model_command = {
    .name = "model",
    .summary = "show what bounds each kernel, how long it should take, what changes would bring",
    .description =
	"Predicts how long each kernel takes on a device, and says why: what a warp executes\n"
	"(from the program's basic blocks, compiled with --ct-events=block), what it loads and\n"
	"what of that the caches have (by drawing orders in which warps may have run), and how\n"
	"much of either the other hides (GPUPerf). Beside it work and depth, the balance of\n"
	"computation and memory, the roofline, and what single changes would bring.\n\n"
	"Traces of the CPU target are modelled as if on a GPU. docs/model.md says what each\n"
	"figure means, and where the models fail.",
    .operands = "TRACE...",
    .operands_min = 1,
    .operands_max = -1,
    .complete = CTPOST_COMPLETE_DIRECTORY,
    .options = options,
    .exit_status =
	"0 on success, 1 if a trace cannot be read or has no basic blocks, 2 for a wrong "
	"option.",
    .example = "ctpost model --times=plain.ctrace run.ctrace",
    .run = run,
};
