/* SPDX-License-Identifier: Apache-2.0 */
/* GPUPerf, in an order in which nothing is used before it is known. */
#include "postproc/analysis/model/gpuperf.h"

#include <math.h>

static void memory(struct ct_gpuperf *r, const struct ct_gpuperf_kernel *k,
		   const struct ct_gpuperf_machine *m)
{
	double request = m->transaction_bytes * (m->wide_requests ? k->transactions : 1);

	r->dram_latency = m->dram_latency + (k->transactions - 1) * m->departure_delay;
	r->amat = r->dram_latency * k->miss_ratio + m->hit_latency;
	r->itilp_max = m->instruction_latency / (m->warp_size / m->simd_width);
	r->itilp = fmin(k->ilp * k->warps, r->itilp_max);
	r->comp_cycles = k->instructions * m->instruction_latency / r->itilp;
	r->mem_cycles = k->memory_instructions * r->amat / k->mlp;
	r->cwp_full =
	    r->comp_cycles > 0 ? (r->mem_cycles + r->comp_cycles) / r->comp_cycles : INFINITY;
	r->cwp = fmin(r->cwp_full, k->warps);
	r->bandwidth_per_warp = m->clock_hz * request / r->dram_latency;
	r->mwp_peak_bw = m->bandwidth / (r->bandwidth_per_warp * k->active_sms);
	r->mwp = fmin(m->departure_delay > 0 ? r->dram_latency / m->departure_delay : INFINITY,
		      fmin(r->mwp_peak_bw, k->warps));
	r->mwp_cp = fmin(fmax(1, r->cwp - 1), r->mwp);
	r->itmlp = fmin(k->mlp * r->mwp_cp, r->mwp_peak_bw);
	r->t_mem =
	    fmax(k->memory_instructions * k->sm_warps / r->itmlp * r->amat, k->least_memory_cycles);
}

static void computation(struct ct_gpuperf *r, const struct ct_gpuperf_kernel *k,
			const struct ct_gpuperf_machine *m)
{
	r->f_sync = k->instructions > 0 ? m->barrier_factor * r->dram_latency *
					      (k->memory_instructions / k->instructions)
					: 0;
	r->o_sync = k->syncs * k->sm_warps * r->f_sync;
	r->f_sfu =
	    k->instructions > 0
		? fmin(fmax(k->special / k->instructions - m->sfu_width / m->simd_width, 0), 1)
		: 1;
	r->o_sfu = k->special * k->sm_warps * (m->warp_size / m->sfu_width) * r->f_sfu;
	r->o_divergence = k->divergence_cycles;
	r->o_bank = k->bank_cycles;
	r->w_serial = r->o_sync + r->o_sfu + r->o_divergence + r->o_bank;
	r->w_parallel = k->instructions * k->sm_warps * (m->instruction_latency / r->itilp);
	r->t_comp = r->w_parallel + r->w_serial;
}

static void benefits(struct ct_gpuperf *r, const struct ct_gpuperf_kernel *k,
		     const struct ct_gpuperf_machine *m)
{
	r->t_fp = k->floats * k->sm_warps * m->float_latency / r->itilp;
	r->t_mem_min = k->data_bytes * m->clock_hz / m->bandwidth;
	r->b_itilp =
	    r->w_parallel - k->instructions * k->sm_warps * m->instruction_latency / r->itilp_max;
	r->b_serial = r->w_serial;
	r->b_fp = r->t_comp - r->t_fp - r->b_itilp - r->b_serial;
	r->b_memlp = fmax(r->t_mem - r->t_overlap - r->t_mem_min, 0);
}

void ct_gpuperf(struct ct_gpuperf *result, const struct ct_gpuperf_kernel *kernel,
		const struct ct_gpuperf_machine *machine)
{
	*result = (struct ct_gpuperf){0};
	memory(result, kernel, machine);
	computation(result, kernel, machine);
	result->f_overlap = (kernel->warps - (result->cwp <= result->mwp)) / kernel->warps;
	result->t_overlap = fmin(result->t_comp * result->f_overlap, result->t_mem);
	result->t_exec = result->t_comp + result->t_mem - result->t_overlap;
	benefits(result, kernel, machine);
	result->seconds = result->t_exec / machine->clock_hz;
}
