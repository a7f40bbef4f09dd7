/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost model: what bounds each kernel, and what changes would bring. */
#include "postproc/render/model/model.h"
#include "postproc/cmd/base/cubins.h"
#include "postproc/cmd/base/trace_file.h"
#include "postproc/cmd/comm_options.h"
#include "postproc/cmd/one_analysis.h"
#include "postproc/cmd/options/selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EPSILON 0.01
#define SAMPLES 8u

static const struct ctpost_option own[] = {
    {.name = "json", .help = "write JSON (docs/json-schema.md)"},
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
	     "registers and shared memory (default: what the driver told, or a cubin in the "
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
	struct ct_trace *trace, *times; /* times NULL: those of the trace itself */
	struct ct_machine machine;
	struct ctpost_cubins cubins;
	struct ct_model_ranked *ranked; /* NULL: pages are written */
};

static size_t begin(void *user, struct ct_trace *trace, const struct ct_filter *filter,
		    struct ct_task tasks[CTPOST_TASKS_MAX])
{
	struct job *job = user;

	job->trace = trace;
	job->model = (struct ct_model_job){.trace = trace, .filter = filter};
	tasks[0] = (struct ct_task){&ct_model_analysis, &job->model};
	return 1;
}

static void end(void *user)
{
	struct job *job = user;

	ct_model_job_fini(&job->model);
}

static int read_machine(struct ctpost_call *call, struct job *job)
{
	const char *path = ctpost_value(call, "machine");
	char why[CT_MACHINE_TEXT_BYTES];

	if (!path) {
		/* The device whose times are known, or that the trace is of. */
		ct_machine_of_trace(&job->machine, job->times ? job->times : job->model.trace);
		return CTPOST_OK;
	}
	if (ct_machine_read(&job->machine, path, why) < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", path, why);
	return CTPOST_OK;
}

static int by_time(const void *a, const void *b)
{
	const struct ct_model_kernel *x = a, *y = b;
	double s = x->predicted * x->launches, t = y->predicted * y->launches;

	return (s < t) - (s > t);
}

static int model_all(struct job *job, struct ct_model_output *output,
		     struct ct_model_kernel *kernel, bool is_cold)
{
	struct ct_trace *times = job->times ? job->times : job->trace;
	const struct ct_model_options how = {
	    .machine = &job->machine,
	    /* Times of CPU threads are none of a GPU. */
	    .times = ct_machine_is_cpu(times) ? NULL : times,
	    .cubin = job->cubins.of,
	    .cubins = job->cubins.count,
	    .is_cold = is_cold,
	    .epsilon = EPSILON,
	    .samples = SAMPLES,
	};

	for (uint32_t k = 0; k < job->model.results.kernels.count; k++) {
		struct ct_model_kernel *next = &kernel[output->kernels];
		int err = ct_model_kernel(next, &job->model, k, &how);

		if (err != 0)
			ct_model_kernel_fini(next);
		if (err < 0)
			return err;
		output->silent += err == 1;
		output->kernels += err == 0;
	}
	qsort(kernel, output->kernels, sizeof(*kernel), by_time);
	return 0;
}

static void rank(struct ct_model_ranked *ranked, const struct ct_model_output *output)
{
	bool all = true;

	ranked->trace = output->trace;
	for (size_t i = 0; i < output->kernels; i++) {
		const struct ct_model_kernel *k = &output->kernel[i];

		ranked->predicted += k->predicted * k->launches;
		ranked->measured += k->measured.seconds * k->launches;
		all &= k->measured.count > 0;
	}
	ranked->measured = all ? ranked->measured : 0;
	snprintf(ranked->bound, sizeof(ranked->bound), "%s", output->kernel[0].bound);
	ranked->efficiency = output->kernel[0].efficiency;
	ranked->utilization = output->kernel[0].utilization;
	if (output->kernel[0].changes)
		ranked->change = output->kernel[0].change[0];
}

/* In what the call asks for. */
static int write_output(struct ctpost_call *call, const struct job *job,
			struct ct_model_output *output)
{
	struct ct_style style = ct_style_of_stdout();
	struct ct_work_flow *flow = calloc(output->kernels + 1, sizeof(*flow));
	int err = flow ? 0 : -ENOMEM;

	output->flow = flow;
	for (size_t i = 0; i < output->kernels && err == 0; i++)
		err = ct_flow_make(&flow[i], &output->kernel[i], &job->model, &job->machine);
	if (err == 0 && ctpost_value(call, "graph"))
		err = ct_model_write_graph(stdout, output->kernel->name, flow);
	else if (err == 0 && ctpost_value(call, "json"))
		err = ct_model_write_json(stdout, output);
	else if (err == 0)
		err = ct_model_write(stdout, output, &style);
	for (size_t i = 0; flow && i < output->kernels; i++)
		ct_flow_fini(&flow[i]);
	free(flow);
	return err;
}

static int show(struct ctpost_call *call, void *user)
{
	struct job *job = user;
	uint32_t count = job->model.results.kernels.count;
	struct ct_model_kernel *kernel = calloc(count + 1u, sizeof(*kernel));
	struct ct_model_output output = {.trace = call->operand[0], .machine = &job->machine};
	int status = read_machine(call, job), err = kernel ? 0 : -ENOMEM;

	output.kernel = kernel;
	if (err == 0 && status == CTPOST_OK)
		err = model_all(job, &output, kernel, ctpost_value(call, "cold") != NULL);
	if (err == 0 && status == CTPOST_OK && !output.kernels)
		status =
		    ctpost_fail(call, CTPOST_FAILED,
				"%s: no basic blocks; compile with --ct-events=block, and trace "
				"with ctrun --tier=full",
				call->operand[0]);
	else if (err == 0 && status == CTPOST_OK && job->ranked)
		rank(job->ranked, &output);
	else if (err == 0 && status == CTPOST_OK)
		err = write_output(call, job, &output);
	for (size_t i = 0; i < output.kernels; i++)
		ct_model_kernel_fini(&kernel[i]);
	free(kernel);
	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", call->operand[0],
				   ct_strerror(err));
	return status;
}

/* One trace, with the times of its place in the list. */
static int model_trace(struct ctpost_call *call, int at, const char **times, struct job *job)
{
	static const struct ctpost_one_analysis one = {.begin = begin, .show = show, .end = end};
	struct ctpost_call alone = *call;
	char *name = NULL;
	int status;

	job->times = NULL;
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
	alone.operand = call->operand + at;
	alone.operands = 1;
	status = ctpost_run_one_analysis(&alone, &one, job);
	memcpy(call->why, alone.why, sizeof(call->why));
	call->is_told_by_rank_0 = alone.is_told_by_rank_0;
	call->damaged_chunks += alone.damaged_chunks;
	ct_trace_close(job->times);
	free(name);
	return status;
}

static int run(struct ctpost_call *call)
{
	bool ranks = ctpost_value(call, "rank") != NULL;
	const char *times = ctpost_value(call, "times");
	struct ct_style style = ct_style_of_stdout();
	struct ct_model_ranked *ranked = calloc((size_t)call->operands + 1, sizeof(*ranked));
	struct job job = {.times = NULL};
	int status = CTPOST_OK, err = 0;

	if (!ranked)
		return ctpost_fail(call, CTPOST_FAILED, "%s", ct_strerror(-ENOMEM));
	if (!ranks && call->operands > 1) {
		free(ranked);
		return ctpost_fail(call, CTPOST_USAGE, "several traces are for --rank");
	}
	status = ctpost_read_cubins(call, &job.cubins);
	for (int i = 0; i < call->operands && status == CTPOST_OK; i++) {
		job.ranked = ranks ? &ranked[i] : NULL;
		status = model_trace(call, i, &times, &job);
	}
	if (ranks && status == CTPOST_OK)
		err = ctpost_value(call, "json")
			  ? ct_model_write_ranking_json(stdout, &job.machine, ranked,
							(size_t)call->operands)
			  : ct_model_write_ranking(stdout, &job.machine, ranked,
						   (size_t)call->operands, &style);
	ctpost_cubins_fini(&job.cubins);
	free(ranked);
	return err < 0 ? ctpost_fail(call, CTPOST_FAILED, "%s", ct_strerror(err)) : status;
}

const struct ctpost_command ctpost_model = {
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
