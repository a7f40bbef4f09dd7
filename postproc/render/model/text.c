/* SPDX-License-Identifier: Apache-2.0 */
/* A page for each kernel: what bounds it, why, how long it takes and should take, what changes
 * would bring. */
#include "postproc/render/model/model.h"

#include "postproc/facts/folded_name.h"
#include "postproc/tables/amount.h"

#include <errno.h>
#include <math.h>

static const char *amount(double value, const char *unit, char text[CT_AMOUNT_BYTES])
{
	struct ct_amount of = {value, unit};

	return ct_amount_text(&of, text);
}

static void write_time(FILE *out, const struct ct_model_kernel *k)
{
	char a[CT_AMOUNT_BYTES], b[CT_AMOUNT_BYTES];

	fprintf(out, "  predicted %s", amount(k->predicted, "s", a));
	if (k->measured.count)
		fprintf(out, ", measured %s (mean of %llu launches; predicted by measured %.2f)",
			amount(k->measured.seconds, "s", b), (unsigned long long)k->measured.count,
			k->predicted / k->measured.seconds);
	else
		fprintf(out, "; not measured: see --times");
	fprintf(out, "\n");
}

static void write_shape(FILE *out, const struct ct_model_kernel *k)
{
	fprintf(out,
		"  %.0f thread blocks of %.0f threads; %.0f warps of an SM at a time (%.0f %% of "
		"what it can "
		"hold)",
		k->ctas, k->cta_threads, k->input.warps, 100 * k->occupancy);
	if (k->registers)
		fprintf(out, "; %u registers (%s)", k->registers, k->registers_from);
	if (k->shared_bytes)
		fprintf(out, "; %llu B shared memory", (unsigned long long)k->shared_bytes);
	if (k->binary.instructions)
		fprintf(out, "; %llu machine instructions",
			(unsigned long long)k->binary.instructions);
	fprintf(out, "\n");
}

/* Writes what of the launch was simulated, if that was not all. */
static void write_parts(FILE *out, const struct ct_model_kernel *k)
{
	const struct ct_simulation *s = &k->simulation;

	if (s->ctas < k->ctas)
		fprintf(out,
			"    of %.0f of %.0f thread blocks, on as large a part of the machine\n",
			s->ctas, k->ctas);
	if (k->change_ctas > 0 && k->change_ctas < s->ctas)
		fprintf(out, "    changes: before and after of %.0f thread blocks\n",
			k->change_ctas);
}

static void write_simulation(FILE *out, const struct ct_model_kernel *k)
{
	const struct ct_simulation *s = &k->simulation;

	if (!(s->cycles > 0))
		return;
	fprintf(out,
		"  simulated: %.4g cycles; warps wait for memory %.0f %%, for their own results "
		"%.0f %%, for a turn %.0f %%, at barriers %.0f %% of their time\n"
		"    busy: schedulers %.0f %%, load-store units %.0f %%, L2 %.0f %%, memory %.0f "
		"%%\n",
		s->cycles, 100 * s->memory, 100 * s->chain, 100 * s->issue, 100 * s->barrier,
		100 * s->schedulers, 100 * s->accesses, 100 * s->l2, 100 * s->dram);
	write_parts(out, k);
}

static void write_model(FILE *out, const struct ct_model_kernel *k)
{
	const struct ct_gpuperf *r = &k->perf;
	const struct ct_gpuperf_kernel *i = &k->input;

	fprintf(
	    out,
	    "  a warp: %.0f instructions, %.1f loads of %.1f sectors, %.1f barriers, %.1f special "
	    "functions; ILP %.2f, MLP %.2f, %.1f lanes active\n",
	    i->instructions, i->memory_instructions, i->transactions, i->syncs, i->special, i->ilp,
	    i->mlp, k->active_lanes);
	fprintf(out,
		"  GPUPerf, cycles of an SM: %.4g = computation %.4g + memory %.4g - overlap %.4g\n"
		"    ITILP %.1f of %.1f, ITMLP %.1f, MWP %.1f, CWP %.1f; busiest: %s\n",
		r->t_exec, r->t_comp, r->t_mem, r->t_overlap, r->itilp, r->itilp_max, r->itmlp,
		r->mwp, r->cwp, k->pipeline ? k->pipeline : "nothing");
	fprintf(out,
		"  guidance: memory %.4g (ideal %.4g), computation %.4g (ideal %.4g); "
		"B_memlp %.4g, B_itilp %.4g, B_fp %.4g, B_serial %.4g\n",
		r->t_mem, r->t_mem_min, r->t_comp, r->t_fp, r->b_memlp, fmax(r->b_itilp, 0),
		fmax(r->b_fp, 0), r->b_serial);
}

static void write_memory(FILE *out, const struct ct_model_kernel *k)
{
	const struct ct_caches *c = &k->caches;
	char text[CT_AMOUNT_BYTES];

	if (c->samples)
		fprintf(
		    out,
		    "  caches: L1 %.1f %% of loads (%.1f to %.1f), L2 %.1f %% (%.1f to %.1f), from "
		    "memory %s; %u samples, %s\n",
		    100 * c->l1.mean, 100 * c->l1.low, 100 * c->l1.high, 100 * c->l2.mean,
		    100 * c->l2.low, 100 * c->l2.high, amount(k->point[2].bytes, "B", text),
		    c->samples, c->is_reliable ? "reliable" : "wide");
	if (k->flops > 0) {
		fprintf(out, "  roofline: %s of %s;",
			amount(k->measured.count ? k->flops / k->measured.seconds
						 : k->flops / k->predicted,
			       "flop/s", text),
			k->measured.count ? "those measured" : "those predicted");
		for (uint32_t i = 0; i < CT_MODEL_POINTS; i++)
			if (k->point[i].bytes > 0)
				fprintf(out, " %s %.3g flop/B (roof %.3g)%s", k->point[i].level,
					k->point[i].intensity, k->point[i].roof,
					i + 1 < CT_MODEL_POINTS ? "," : "");
		fprintf(out, "\n");
	}
	fprintf(out, "  work %.4g, depth %.4g, parallelism %.4g; balance: ", k->work, k->depth,
		ct_model_parallelism(k->work, k->depth));
	if (k->balance.slack > 0)
		fprintf(out,
			"slack %.3g (with lines twice as long %.3g, twice the bandwidth %.3g)\n",
			k->balance.slack, k->balance.twice_line, k->balance.twice_bandwidth);
	else
		fprintf(out, "nothing comes from memory\n");
}

static void write_flow(FILE *out, const struct ct_work_flow *flow)
{
	const struct ct_flow_node *n = &flow->node[flow->bottleneck];

	if (!flow->nodes)
		return;
	fprintf(out, "  work flow: most cycles of a warp in %s at line %u: %.4g times %.3g",
		n->kind == CT_FLOW_COMPUTE ? "computation" : ct_flow_kind_text(n->kind), n->line,
		n->executions, n->weight);
	if (n->stall > 0)
		fprintf(out, " and %.3g that it stalls", n->stall);
	fprintf(out, "\n");
}

/* Writes the shares of the predicted time, by what a warp of the mean does. */
static void write_shares(FILE *out, const struct ct_model_kernel *k)
{
	const struct ct_simulation *s = &k->simulation;
	char a[CT_AMOUNT_BYTES], b[CT_AMOUNT_BYTES], c[CT_AMOUNT_BYTES], d[CT_AMOUNT_BYTES],
	    e[CT_AMOUNT_BYTES];

	if (s->cycles > 0)
		fprintf(
		    out,
		    "  of this: waiting for memory %s, for results %s, for a turn %s, at "
		    "barriers %s; beginning and end %s\n",
		    amount(s->memory * k->running, "s", a), amount(s->chain * k->running, "s", b),
		    amount(s->issue * k->running, "s", c), amount(s->barrier * k->running, "s", d),
		    amount(k->predicted - k->running, "s", e));
}

static void write_changes(FILE *out, const struct ct_model_kernel *k)
{
	char text[CT_AMOUNT_BYTES], after[CT_AMOUNT_BYTES];

	for (uint32_t i = 0; i < k->changes; i++) {
		const struct ct_model_change *change = &k->change[i];

		fprintf(out, "    %s", change->what);
		if (change->line)
			fprintf(out, ", at line %u", change->line);
		fprintf(out, ": %s less, %s\n", amount(change->seconds, "s", text),
			amount(k->predicted - change->seconds, "s", after));
	}
}

/* Where what instructions take is from. */
static void write_origin(FILE *out, const struct ct_model_kernel *k)
{
	if (k->machine_loops)
		fprintf(
		    out,
		    "  instructions: of the machine (SASS) in %u of %u loops, %.0f %% of what is "
		    "issued; of LLVM's IR in the rest\n",
		    k->machine_loops, k->loops, 100 * k->machine_share);
	else
		fprintf(out, "  instructions: of LLVM's IR; --cubin has those of the machine\n");
}

static void write_kernel(FILE *out, const struct ct_model_kernel *k,
			 const struct ct_work_flow *flow, const struct ct_style *style)
{
	char name[CT_BRIEF_NAME_BYTES];

	fputc('\n', out);
	ct_emphasise(out, style, CT_BOLD, ct_shown_name(k->name, name));
	fprintf(out, ", bound by ");
	ct_emphasise(out, style, CT_BAD, k->bound);
	fprintf(out, "\n  %s\n", k->evidence);
	write_time(out, k);
	write_shares(out, k);
	write_changes(out, k);
	write_shape(out, k);
	write_origin(out, k);
	write_simulation(out, k);
	write_model(out, k);
	write_memory(out, k);
	write_flow(out, flow);
}

int ct_model_write(FILE *out, const struct ct_model_all *all, const struct ct_style *style)
{
	fprintf(out, "Machine: %s (%s)\n", all->machine.name, all->machine.origin);
	if (!all->machine.is_measured)
		fprintf(out, "Its parameters are not measured: times are of no more worth than "
			     "their order. ctrun calibrate measures them.\n");
	for (size_t i = 0; i < all->kernels; i++)
		write_kernel(out, &all->kernel[i], &all->flow[i], style);
	if (all->silent)
		fprintf(out, "\n%zu kernels have no blocks in the trace\n", all->silent);
	return ferror(out) ? -EIO : 0;
}

void ct_model_write_ranking(FILE *out, const struct ct_model_ranking *ranking)
{
	fprintf(out, "Machine: %s (%s)\n", ranking->machine->name, ranking->machine->origin);
	fprintf(out, "keep: no other has both more efficiency and more utilization (Ryoo's "
		     "metrics to prune variants by)\n");
	if (ct_model_has_errors(ranking->list, ranking->count))
		fprintf(out, "Mean error %.0f %%, rank correlation %.2f\n",
			100 * ct_model_mean_error(ranking->list, ranking->count),
			ct_model_rank_correlation(ranking->list, ranking->count));
}
