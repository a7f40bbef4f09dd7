/* SPDX-License-Identifier: Apache-2.0 */
/* Times on several devices. */
#include "postproc/analysis/comm/scaling/speedup.h"

static double greater(double a, double b)
{
	return a > b ? a : b;
}

double ct_speedup_alone(const struct ct_speedup_program *program)
{
	double seconds = program->to_device + program->to_host;

	for (uint64_t s = 0; s < program->supersteps; s++)
		seconds += program->kernel[s];
	return seconds;
}

static void one(struct ct_speedup *speedup, const struct ct_scaling_row *row,
		const struct ct_speedup_program *program, const struct ct_scaling_options *options)
{
	double devices = row->devices, part = row->balance / devices, before = 0, hidden = 0;
	double alone = ct_speedup_alone(program);

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
		before = kernel;
	}
	speedup->seconds = speedup->kernels + speedup->exchange +
			   (program->to_device + program->to_host) / devices;
	speedup->replicated =
	    speedup->kernels + speedup->exchange + program->to_device + program->to_host / devices;
	speedup->overlapped = speedup->seconds - hidden;
	speedup->speedup = speedup->seconds > 0 ? alone / speedup->seconds : 0;
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
