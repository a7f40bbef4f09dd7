/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All models of one kernel: from what a trace says it executes (analysis.h) on a machine
 * (machine.h) to what bounds it, how long it should take, and what changes would bring. Figures are
 * of one launch, the mean of those that are traced; docs/model.md says what each means.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_KERNEL_H
#define CT_POSTPROC_ANALYSIS_MODEL_KERNEL_H

#include "postproc/analysis/model/analysis.h"
#include "postproc/analysis/model/binary.h"
#include "postproc/analysis/model/caches.h"
#include "postproc/analysis/model/gpuperf.h"
#include "postproc/analysis/model/machine.h"
#include "postproc/analysis/model/theory.h"
#include "postproc/analysis/model/times.h"
#include "postproc/facts/finding.h"

enum ct_instruction {
#define CT_INSTRUCTION(id, name, text, flops) CT_IN_##name = id,
#include <cudatrace/instructions.def>
#undef CT_INSTRUCTION
	CT_INSTRUCTIONS
};

#define CT_MODEL_TEXT_BYTES 256u
#define CT_MODEL_CHANGES 8u

/* Says what a change would bring: by a simulation of the launch after it (whatif.h); of blocks
 * that are only counted by GPUPerf. */
struct ct_model_change {
	const char *what;      /* in the imperative */
	double seconds;        /* less */
	uint32_t line;         /* of the source that it is of; 0: of the whole kernel */
	enum ct_change change; /* CT_CHANGE_NONE: another */
	bool is_advice; /* it is for the programmer to make; else it shows what something costs */
};

/* One point of the roofline: by the bytes that one level moves. */
struct ct_model_point {
	const char *level;
	double bytes, intensity, roof; /* roof: floating-point operations per second */
};
#define CT_MODEL_POINTS 4u

/* A line of the roofline: one of both is 0. */
struct ct_model_ceiling {
	const char *what;
	double flops, bandwidth; /* per second: operations; bytes */
};
#define CT_MODEL_CEILINGS 7u

/* simulate.h */
struct ct_simulation {
	double cycles;  /* from the first CTA's begin to the last one's end; 0: not known */
	double ctas;    /* that were simulated */
	uint64_t items; /* of their streams: requests, blocks, sectors */
	/* The parts of all their time that warps wait: for results of their own instructions, for
	 * a scheduler or the load-store unit, for memory, for other warps at barriers. */
	double chain, issue, memory, barrier;
	/* Parts of the time in which these are busy: schedulers and load-store units of SMs that
	 * have CTAs, the L2, memory. */
	double schedulers, accesses, l2, dram;
};

struct ct_model_kernel {
	const char *name, *symbol;
	uint32_t kernel;                     /* of results.kernels */
	const struct ct_launch_info *launch; /* the first that is traced */
	double launches;                     /* that are */
	double recorded; /* of their CTAs, the part whose blocks are: not 1 with --sample-blocks */
	double ctas, cta_threads, warps; /* of a launch */
	uint32_t registers;              /* 0: not known */
	const char *registers_from;      /* who says so; NULL: none */
	struct ct_model_binary binary;   /* of a cubin; zero: there is none of it */
	struct ct_model_cubin cubin;     /* that it is of; NULL: none */
	/* Loops that were executed, the whole among them, and those of them that times have from
	 * machine code (lowered.h); what these have of all that is issued. 0: all is of the IR. */
	uint32_t loops, machine_loops;
	double machine_share;
	uint64_t shared_bytes;
	uint32_t resident; /* CTAs of an SM */
	double occupancy;  /* of the warps that an SM can hold */

	double executed[CT_INSTRUCTIONS]; /* by warps, without what costs.def makes of them */
	double lanes[CT_INSTRUCTIONS];    /* by lanes */
	double active_lanes;              /* of a warp's instruction, mean */
	double flops, requested_bytes;    /* of global memory, by lanes */
	double global, loads;             /* instructions of warps: accesses, and those that wait */
	double shared, shared_words; /* those of shared memory; words of a lane that they take */
	double work, depth;          /* instructions of all lanes; of a thread's chain */
	double bank_wavefronts;      /* beyond the ideal */
	const char *pipeline;        /* that is the busiest */
	double pipeline_share;       /* of the cycles that issuing all instructions takes */

	struct ct_caches caches;
	double scale;                    /* launch by what of it was driven through caches */
	struct ct_streams_extent extent; /* of that */
	double distinct_bytes;           /* of global memory, in sectors */
	struct ct_gpuperf_kernel input;
	struct ct_gpuperf_machine device;
	struct ct_gpuperf perf;
	struct ct_simulation simulation;
	struct ct_model_balance balance;
	double brent_seconds; /* work and depth alone */
	double peak_flops;    /* of the precision that most of its operations have */
	struct ct_model_point point[CT_MODEL_POINTS];
	struct ct_model_ceiling ceiling[CT_MODEL_CEILINGS];
	double efficiency, utilization;                  /* Ryoo's */
	struct ct_model_change change[CT_MODEL_CHANGES]; /* the most first */
	uint32_t changes;
	double change_ctas; /* that changes were simulated of; 0: none was */
	double running;     /* seconds of predicted: without those of an empty kernel */
	double predicted;   /* seconds: by simulation; without accesses by perf */
	struct ct_model_time measured;
	char bound[CT_MODEL_TEXT_BYTES], evidence[CT_MODEL_TEXT_BYTES];
};

struct ct_model_options {
	const struct ct_machine *machine;
	struct ct_trace *times;             /* that has pristine times; NULL: none is known */
	const struct ct_model_cubin *cubin; /* of the kernels */
	size_t cubins;                      /* 0: those that the trace has */
	bool is_cold;                       /* the L2 is empty when a launch begins */
	double epsilon;                     /* of hit rates */
	uint32_t samples;                   /* at most */
};

/* 0; 1 if the kernel has no traced launch with blocks: nothing can be said; -ENOMEM. */
int ct_model_kernel(struct ct_model_kernel *kernel, const struct ct_model_job *job, uint32_t number,
		    const struct ct_model_options *options);
struct ct_simulate_change;
/* Computes what a change of the launch saves, in seconds. Likewise */
int ct_model_kernel_change(double *saved, const struct ct_model_kernel *kernel,
			   const struct ct_model_job *job, const struct ct_model_options *options,
			   const struct ct_simulate_change *change);
void ct_model_kernel_fini(struct ct_model_kernel *kernel);

#endif
