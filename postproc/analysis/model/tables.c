/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels, what changes would bring, their points in the roofline and its lines as tables. */
#include "postproc/analysis/model/tables.h"
#include "postproc/analysis/model/all.h"
#include "postproc/analysis/model/flow.h"
#include "postproc/analysis/model/ranking.h"
#include "postproc/tables/sink.h"

#include <math.h>

struct row_model_kernels {
	const struct ct_model_kernel *k;
	const struct ct_simulation *s; /* NULL: not simulated */
};

struct row_model_changes {
	uint64_t number;
	const struct ct_model_kernel *k;
	const struct ct_model_change *change;
};

struct row_model_points {
	uint64_t number;
	const struct ct_model_kernel *k;
	const struct ct_model_point *point;
};

struct row_model_ceilings {
	const struct ct_model_ceiling *ceiling;
};

#define row_model_machine ct_model_all
#define row_model_simulations row_own
#define row_model_gpuperf row_own
#define row_model_balances row_own
#define row_model_caches row_own
struct row_own {
	const struct ct_model_kernel *k;
};

struct row_model_parameters {
	const char *name, *unit, *meaning;
	double value;
};

struct row_model_instructions {
	const struct ct_model_kernel *k;
	const char *text;
	double executed;
};

struct row_model_cache_lines {
	const struct ct_model_kernel *k;
	const struct ct_caches_line *line;
};

struct row_model_nodes {
	const struct ct_model_kernel *k;
	uint64_t number;
	const struct ct_flow_node *node;
	bool is_bottleneck;
};

struct row_model_arcs {
	const struct ct_model_kernel *k;
	uint64_t number;
	const struct ct_flow_arc *arc;
};

struct row_model_ranking {
	uint64_t number;
	const struct ct_model_ranked *ranked;
	bool is_kept;
};

struct row_model_errors {
	double mean_error, rank_correlation;
};

#define CT_DESCRIBED "postproc/analysis/model/tables.def"
#include "postproc/tables/described.h"

static int rows_model_kernels(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_all *list = from;
	int err = 0;

	for (size_t i = 0; i < list->kernels && err == 0; i++) {
		const struct ct_model_kernel *k = &list->kernel[i];
		const struct row_model_kernels row = {k, k->simulation.cycles > 0 ? &k->simulation
										  : NULL};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_model_changes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_all *list = from;
	int err = 0;

	for (size_t i = 0; i < list->kernels; i++)
		for (uint32_t c = 0; c < list->kernel[i].changes && err == 0; c++) {
			const struct row_model_changes row = {sink->given++, &list->kernel[i],
							      &list->kernel[i].change[c]};

			err = ct_table_put_row(sink, &row);
		}
	return err;
}

static int rows_model_points(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_all *list = from;
	int err = 0;

	for (size_t i = 0; i < list->kernels; i++)
		for (uint32_t p = 0; p < CT_MODEL_POINTS && err == 0; p++) {
			const struct ct_model_kernel *k = &list->kernel[i];
			const struct row_model_points row = {sink->given, k, &k->point[p]};

			if (!(k->point[p].bytes > 0 && k->flops > 0))
				continue;
			sink->given++;
			err = ct_table_put_row(sink, &row);
		}
	return err;
}

static int rows_model_ceilings(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_all *list = from;
	int err = 0;

	for (uint32_t i = 0; list->kernels && i < CT_MODEL_CEILINGS && err == 0; i++) {
		const struct row_model_ceilings row = {&list->kernel[0].ceiling[i]};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_model_machine(const void *from, struct ct_table_sink *sink)
{
	return ct_table_put_row(sink, from);
}

static int rows_model_parameters(const void *from, struct ct_table_sink *sink)
{
	const struct ct_machine *machine = &((const struct ct_model_all *)from)->machine;
	const struct row_model_parameters parameter[] = {
#define CT_MACHINE(name, unit, meaning) {#name, unit, meaning, machine->name},
#include <cudatrace/machine.def>
#undef CT_MACHINE
	};
	int err = 0;

	for (size_t i = 0; i < sizeof(parameter) / sizeof(*parameter) && err == 0; i++)
		err = ct_table_put_row(sink, &parameter[i]);
	return err;
}

static int put_kernels(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_all *list = from;
	int err = 0;

	for (size_t i = 0; i < list->kernels && err == 0; i++)
		err = ct_table_put_row(sink, &(struct row_own){&list->kernel[i]});
	return err;
}
#define rows_model_simulations put_kernels
#define rows_model_gpuperf put_kernels
#define rows_model_balances put_kernels
#define rows_model_caches put_kernels

static int rows_model_instructions(const void *from, struct ct_table_sink *sink)
{
	static const char *const name[CT_INSTRUCTIONS] = {
#define CT_INSTRUCTION(id, name, text, flops) [id] = text,
#include <cudatrace/instructions.def>
#undef CT_INSTRUCTION
	};
	const struct ct_model_all *list = from;
	int err = 0;

	for (size_t k = 0; k < list->kernels; k++)
		for (unsigned i = 0; i < CT_INSTRUCTIONS && err == 0; i++)
			if (name[i] && list->kernel[k].executed[i] > 0)
				err = ct_table_put_row(sink, &(struct row_model_instructions){
								 &list->kernel[k], name[i],
								 list->kernel[k].executed[i]});
	return err;
}

static int rows_model_cache_lines(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_all *list = from;
	int err = 0;

	for (size_t k = 0; k < list->kernels; k++)
		for (uint32_t i = 0; i < list->kernel[k].caches.lines && err == 0; i++)
			err = ct_table_put_row(
			    sink, &(struct row_model_cache_lines){&list->kernel[k],
								  &list->kernel[k].caches.line[i]});
	return err;
}

static int rows_model_nodes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_all *list = from;
	int err = 0;

	for (size_t k = 0; list->flow && k < list->kernels; k++)
		for (uint32_t i = 0; i < list->flow[k].nodes && err == 0; i++)
			err = ct_table_put_row(
			    sink,
			    &(struct row_model_nodes){&list->kernel[k], i, &list->flow[k].node[i],
						      list->flow[k].bottleneck == i});
	return err;
}

static int rows_model_arcs(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_all *list = from;
	int err = 0;

	for (size_t k = 0; list->flow && k < list->kernels; k++)
		for (uint32_t i = 0; i < list->flow[k].arcs && err == 0; i++)
			err =
			    ct_table_put_row(sink, &(struct row_model_arcs){&list->kernel[k], i,
									    &list->flow[k].arc[i]});
	return err;
}

static int rows_model_ranking(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_ranking *ranking = from;
	int err = 0;

	for (size_t i = 0; i < ranking->count && err == 0; i++)
		err =
		    ct_table_put_row(sink, &(struct row_model_ranking){
					       i, &ranking->list[i],
					       ct_model_is_kept(ranking->list, ranking->count, i)});
	return err;
}

static int rows_model_errors(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_ranking *ranking = from;
	struct row_model_errors row = {NAN, NAN};

	if (ct_model_has_errors(ranking->list, ranking->count)) {
		row.mean_error = ct_model_mean_error(ranking->list, ranking->count);
		row.rank_correlation = ct_model_rank_correlation(ranking->list, ranking->count);
	}
	return ct_table_put_row(sink, &row);
}

const struct ct_table_def ct_model_machine_table = {CT_TABLE_PARTS(model_machine, NULL)};
const struct ct_table_def ct_model_parameters_table = {CT_TABLE_PARTS(model_parameters, NULL)};
const struct ct_table_def ct_model_instructions_table = {CT_TABLE_PARTS(model_instructions, NULL)};
const struct ct_table_def ct_model_simulations_table = {CT_TABLE_PARTS(model_simulations, NULL)};
const struct ct_table_def ct_model_gpuperf_table = {CT_TABLE_PARTS(model_gpuperf, NULL)};
const struct ct_table_def ct_model_balances_table = {CT_TABLE_PARTS(model_balances, NULL)};
const struct ct_table_def ct_model_caches_table = {CT_TABLE_PARTS(model_caches, NULL)};
const struct ct_table_def ct_model_cache_lines_table = {CT_TABLE_PARTS(model_cache_lines, NULL)};
const struct ct_table_def ct_model_nodes_table = {CT_TABLE_PARTS(model_nodes, NULL)};
const struct ct_table_def ct_model_arcs_table = {CT_TABLE_PARTS(model_arcs, NULL)};
const struct ct_table_def ct_model_ranking_table = {CT_TABLE_SHOWN(model_ranking, NULL)};
const struct ct_table_def ct_model_errors_table = {CT_TABLE_PARTS(model_errors, NULL)};
const struct ct_table_def ct_model_kernels_table = {CT_TABLE_SHOWN(model_kernels, NULL)};
const struct ct_table_def ct_model_changes_table = {CT_TABLE_SHOWN(model_changes, NULL)};
const struct ct_table_def ct_model_points_table = {CT_TABLE_SHOWN(model_points, NULL)};
const struct ct_table_def ct_model_ceilings_table = {CT_TABLE_SHOWN(model_ceilings, NULL)};
