/* SPDX-License-Identifier: Apache-2.0 */
/* Models as JSON: docs/json-schema.md. */
#include "base/json.h"
#include "postproc/render/model/model.h"
#include "postproc/render/model/ranking.h"

#define DIGITS 6

#define REAL(json, from, field) ct_json_put_real(json, #field, (from)->field, DIGITS)

static void put_machine(struct ct_json *json, const struct ct_machine *machine)
{
	ct_json_open_object(json, "machine", CT_JSON_LINES);
	ct_json_put_text(json, "name", machine->name);
	ct_json_put_text(json, "origin", machine->origin);
	ct_json_put_bool(json, "is_measured", machine->is_measured);
#define CT_MACHINE(name, unit, meaning) REAL(json, machine, name);
#include <cudatrace/machine.def>
#undef CT_MACHINE
	ct_json_close(json);
}

static void put_mix(struct ct_json *json, const struct ct_model_kernel *k)
{
	ct_json_open_object(json, "instructions", CT_JSON_INLINE);
#define CT_INSTRUCTION(id, name, text, flops)                                                      \
	if (k->executed[id] > 0)                                                                   \
		ct_json_put_real(json, text, k->executed[id], DIGITS);
#include <cudatrace/instructions.def>
#undef CT_INSTRUCTION
	ct_json_close(json);
}

static void put_perf(struct ct_json *json, const struct ct_model_kernel *k)
{
	const struct ct_gpuperf_kernel *i = &k->input;
	const struct ct_gpuperf *r = &k->perf;

	ct_json_open_object(json, "gpuperf", CT_JSON_LINES);
	REAL(json, i, ilp);
	REAL(json, i, mlp);
	REAL(json, i, transactions);
	REAL(json, i, miss_ratio);
	REAL(json, i, sm_warps);
	REAL(json, i, active_sms);
	REAL(json, i, warps);
	REAL(json, r, t_exec);
	REAL(json, r, t_comp);
	REAL(json, r, t_mem);
	REAL(json, r, t_overlap);
	REAL(json, r, w_parallel);
	REAL(json, r, w_serial);
	REAL(json, r, itilp);
	REAL(json, r, itilp_max);
	REAL(json, r, itmlp);
	REAL(json, r, o_sync);
	REAL(json, r, o_sfu);
	REAL(json, r, o_bank);
	REAL(json, r, amat);
	REAL(json, r, cwp);
	REAL(json, r, mwp);
	REAL(json, r, mwp_peak_bw);
	REAL(json, r, t_fp);
	REAL(json, r, t_mem_min);
	REAL(json, r, b_itilp);
	REAL(json, r, b_serial);
	REAL(json, r, b_fp);
	REAL(json, r, b_memlp);
	ct_json_close(json);
}

static void put_simulation(struct ct_json *json, const struct ct_model_kernel *k)
{
	const struct ct_simulation *s = &k->simulation;

	ct_json_open_object(json, "simulation", CT_JSON_LINES);
	REAL(json, s, cycles);
	REAL(json, s, ctas);
	REAL(json, k, change_ctas);
	REAL(json, s, chain);
	REAL(json, s, issue);
	REAL(json, s, memory);
	REAL(json, s, barrier);
	ct_json_put_real(json, "memory_seconds", s->memory * k->running, DIGITS);
	REAL(json, s, schedulers);
	REAL(json, s, accesses);
	REAL(json, s, l2);
	REAL(json, s, dram);
	ct_json_close(json);
}

static void put_rate(struct ct_json *json, const char *key, const struct ct_caches_rate *rate)
{
	ct_json_open_object(json, key, CT_JSON_INLINE);
	REAL(json, rate, mean);
	REAL(json, rate, deviation);
	REAL(json, rate, low);
	REAL(json, rate, high);
	ct_json_close(json);
}

static void put_caches(struct ct_json *json, const struct ct_model_kernel *k)
{
	const struct ct_caches *c = &k->caches;

	ct_json_open_object(json, "caches", CT_JSON_LINES);
	ct_json_put_number(json, "samples", c->samples);
	put_rate(json, "l1", &c->l1);
	put_rate(json, "l2", &c->l2);
	REAL(json, c, half_width);
	ct_json_put_bool(json, "is_reliable", c->is_reliable);
	ct_json_open_array(json, "lines", CT_JSON_LINES);
	for (uint32_t i = 0; i < c->lines; i++) {
		const struct ct_caches_counts *counts = &c->line[i].counts;

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_number(json, "line", c->line[i].line);
		REAL(json, counts, requests);
		REAL(json, counts, sectors);
		REAL(json, counts, l1_hits);
		REAL(json, counts, l2_accesses);
		REAL(json, counts, l2_hits);
		ct_json_put_real(json, "dram_bytes", counts->dram * 32, DIGITS);
		ct_json_close(json);
	}
	ct_json_close(json);
	ct_json_close(json);
}

static void put_theory(struct ct_json *json, const struct ct_model_kernel *k)
{
	REAL(json, k, work);
	REAL(json, k, depth);
	REAL(json, k, brent_seconds);
	ct_json_open_object(json, "balance", CT_JSON_INLINE);
	REAL(json, &k->balance, machine);
	REAL(json, &k->balance, little);
	REAL(json, &k->balance, intensity);
	REAL(json, &k->balance, amdahl);
	REAL(json, &k->balance, slack);
	REAL(json, &k->balance, twice_line);
	REAL(json, &k->balance, twice_bandwidth);
	ct_json_close(json);
	REAL(json, k, flops);
	REAL(json, k, peak_flops);
	ct_json_open_array(json, "roofline", CT_JSON_LINES);
	for (uint32_t i = 0; i < CT_MODEL_POINTS; i++) {
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "level", k->point[i].level);
		REAL(json, &k->point[i], bytes);
		REAL(json, &k->point[i], intensity);
		REAL(json, &k->point[i], roof);
		ct_json_close(json);
	}
	ct_json_close(json);
	ct_json_open_array(json, "ceilings", CT_JSON_LINES);
	for (uint32_t i = 0; i < CT_MODEL_CEILINGS; i++) {
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "what", k->ceiling[i].what);
		REAL(json, &k->ceiling[i], flops);
		REAL(json, &k->ceiling[i], bandwidth);
		ct_json_close(json);
	}
	ct_json_close(json);
	REAL(json, k, efficiency);
	REAL(json, k, utilization);
}

static void put_flow(struct ct_json *json, const struct ct_work_flow *flow)
{
	ct_json_open_object(json, "flow", CT_JSON_LINES);
	ct_json_put_number(json, "bottleneck", flow->bottleneck);
	ct_json_open_array(json, "nodes", CT_JSON_LINES);
	for (uint32_t i = 0; i < flow->nodes; i++) {
		const struct ct_flow_node *node = &flow->node[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "kind", ct_flow_kind_text(node->kind));
		ct_json_put_text(json, "file", node->file ? node->file : "");
		ct_json_put_number(json, "line", node->line);
		ct_json_put_number(json, "block", node->block);
		REAL(json, node, instructions);
		REAL(json, node, executions);
		REAL(json, node, weight);
		REAL(json, node, stall);
		ct_json_close(json);
	}
	ct_json_close(json);
	ct_json_open_array(json, "arcs", CT_JSON_LINES);
	for (uint32_t i = 0; i < flow->arcs; i++) {
		const struct ct_flow_arc *arc = &flow->arc[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_number(json, "from", arc->from);
		ct_json_put_number(json, "to", arc->to);
		ct_json_put_bool(json, "is_dependence", arc->is_dependence);
		REAL(json, arc, executions);
		ct_json_close(json);
	}
	ct_json_close(json);
	ct_json_close(json);
}

static void put_kernel(struct ct_json *json, const struct ct_model_kernel *k,
		       const struct ct_work_flow *flow)
{
	ct_json_open_object(json, NULL, CT_JSON_LINES);
	ct_json_put_text(json, "kernel", k->name);
	ct_json_put_text(json, "symbol", k->symbol);
	ct_json_put_text(json, "bound", k->bound);
	ct_json_put_text(json, "evidence", k->evidence);
	ct_json_put_real(json, "predicted_seconds", k->predicted, DIGITS);
	ct_json_put_real(json, "running_seconds", k->running, DIGITS);
	if (k->measured.count)
		ct_json_put_real(json, "measured_seconds", k->measured.seconds, DIGITS);
	else
		ct_json_put_null(json, "measured_seconds");
	ct_json_open_array(json, "changes", CT_JSON_LINES);
	for (uint32_t i = 0; i < k->changes; i++) {
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "what", k->change[i].what);
		ct_json_put_real(json, "saved_seconds", k->change[i].seconds, DIGITS);
		ct_json_put_real(json, "predicted_seconds", k->predicted - k->change[i].seconds,
				 DIGITS);
		ct_json_put_number(json, "line", k->change[i].line);
		ct_json_close(json);
	}
	ct_json_close(json);
	REAL(json, k, launches);
	REAL(json, k, ctas);
	REAL(json, k, cta_threads);
	ct_json_put_number(json, "registers", k->registers);
	ct_json_put_text(json, "registers_from", k->registers_from ? k->registers_from : "");
	ct_json_put_number(json, "shared_bytes", k->shared_bytes);
	ct_json_put_number(json, "machine_instructions", k->binary.instructions);
	ct_json_put_number(json, "loops", k->loops);
	ct_json_put_number(json, "machine_loops", k->machine_loops);
	REAL(json, k, machine_share);
	REAL(json, k, occupancy);
	REAL(json, k, active_lanes);
	ct_json_put_text(json, "pipeline", k->pipeline ? k->pipeline : "");
	put_mix(json, k);
	put_simulation(json, k);
	put_perf(json, k);
	put_caches(json, k);
	put_theory(json, k);
	put_flow(json, flow);
	ct_json_close(json);
}

int ct_model_write_json(FILE *out, const struct ct_model_output *output)
{
	struct ct_json json;

	ct_json_init(&json, out, 2, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "schema", "cudatrace-model-1");
	ct_json_put_text(&json, "trace", output->trace);
	put_machine(&json, output->machine);
	ct_json_open_array(&json, "kernels", CT_JSON_LINES);
	for (size_t i = 0; i < output->kernels; i++)
		put_kernel(&json, &output->kernel[i], &output->flow[i]);
	ct_json_close(&json);
	ct_json_put_number(&json, "kernels_without_blocks", output->silent);
	ct_json_close(&json);
	fputc('\n', out);
	return ct_json_error(&json);
}

int ct_model_write_ranking_json(FILE *out, const struct ct_machine *machine,
				struct ct_model_ranked *ranked, size_t count)
{
	struct ct_json json;

	ct_model_sort_ranking(ranked, count);
	ct_json_init(&json, out, 2, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "schema", "cudatrace-model-ranking-1");
	put_machine(&json, machine);
	ct_json_open_array(&json, "ranking", CT_JSON_LINES);
	for (size_t i = 0; i < count; i++) {
		ct_json_open_object(&json, NULL, CT_JSON_INLINE);
		ct_json_put_text(&json, "trace", ranked[i].trace);
		ct_json_put_real(&json, "predicted_seconds", ranked[i].predicted, DIGITS);
		if (ranked[i].measured > 0)
			ct_json_put_real(&json, "measured_seconds", ranked[i].measured, DIGITS);
		else
			ct_json_put_null(&json, "measured_seconds");
		ct_json_put_real(&json, "efficiency", ranked[i].efficiency, DIGITS);
		ct_json_put_real(&json, "utilization", ranked[i].utilization, DIGITS);
		ct_json_put_bool(&json, "is_kept", ct_model_is_kept(ranked, count, i));
		ct_json_put_text(&json, "bound", ranked[i].bound);
		ct_json_put_text(&json, "change",
				 ranked[i].change.what ? ranked[i].change.what : "");
		ct_json_close(&json);
	}
	ct_json_close(&json);
	if (ct_model_has_errors(ranked, count)) {
		ct_json_put_real(&json, "mean_error", ct_model_mean_error(ranked, count), DIGITS);
		ct_json_put_real(&json, "rank_correlation",
				 ct_model_rank_correlation(ranked, count), DIGITS);
	} else {
		ct_json_put_null(&json, "mean_error");
		ct_json_put_null(&json, "rank_correlation");
	}
	ct_json_close(&json);
	fputc('\n', out);
	return ct_json_error(&json);
}
