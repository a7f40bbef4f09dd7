/* SPDX-License-Identifier: Apache-2.0 */
/* Times on several devices. */
#include "postproc/analysis/comm/scaling/speedup.h"

static double greater(double a, double b)
{
	return a > b ? a : b;
}

struct ct_speedup ct_speedup_alone(const struct ct_speedup_program *program)
{
	struct ct_speedup alone = {.kernels = 0};

	for (uint64_t s = 0; s < program->supersteps; s++) {
		alone.kernels += program->kernel[s];
		alone.host += program->kernel[s] > 0 ? program->launch : 0;
	}
	alone.seconds = greater(alone.kernels, alone.host) + program->to_device + program->to_host;
	return alone;
}

static void one(struct ct_speedup *speedup, const struct ct_scaling_row *row,
		const struct ct_speedup_program *program, const struct ct_scaling_options *options)
{
	double devices = row->devices, part = row->balance / devices, before = 0, hidden = 0;
	double work, copies;

	*speedup = (struct ct_speedup){.kernels = 0};
	for (uint64_t s = 0; s < program->supersteps; s++) {
		double fixed =
		    program->kernel[s] < program->fixed ? program->kernel[s] : program->fixed;
		double kernel = fixed + (program->kernel[s] - fixed) * part;
		double exchange =
		    row->superstep_bytes[s]
			? options->latency + (double)row->superstep_most[s] / options->bandwidth
			: 0;

		hidden += exchange < before ? exchange : before;
		speedup->kernels += kernel;
		speedup->exchange += exchange;
		if (exchange > 0)
			speedup->host += devices * program->issue;
		else if (kernel > 0)
			speedup->host += devices * program->launch;
		before = kernel;
	}
	work = speedup->kernels + speedup->exchange;
	copies = (program->to_device + program->to_host) / devices;
	speedup->seconds = greater(work, speedup->host) + copies;
	speedup->replicated =
	    greater(work, speedup->host) + program->to_device + program->to_host / devices;
	speedup->overlapped = greater(work - hidden, speedup->host) + copies;
	speedup->speedup =
	    speedup->seconds > 0 ? ct_speedup_alone(program).seconds / speedup->seconds : 0;
	speedup->efficiency = speedup->speedup / greater(devices, 1);
}

void ct_speedup_of(struct ct_speedup *speedup, const struct ct_scaling_row *row, size_t rows,
		   const struct ct_speedup_program *program,
		   const struct ct_scaling_options *options)
{
	for (size_t i = 0; i < rows; i++)
		one(&speedup[i], &row[i], program, options);
	for (size_t i = 0; i < rows; i += CT_PLACEMENTS) {
		struct ct_speedup *best = &speedup[i];

		for (size_t p = 1; p < CT_PLACEMENTS && i + p < rows; p++)
			if (speedup[i + p].seconds < best->seconds)
				best = &speedup[i + p];
		best->is_best = true;
	}
}
