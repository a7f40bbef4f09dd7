/* SPDX-License-Identifier: Apache-2.0 */
/* Work-flow graphs from blocks, their steps and their arcs. */
#include "postproc/analysis/model/flow.h"

#include "base/array.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

const char *ct_flow_kind_text(enum ct_flow_kind kind)
{
	static const char *const texts[CT_FLOW_KINDS] = {"entry",  "exit",   "compute",
							 "global", "shared", "barrier"};

	return texts[kind];
}

struct maker {
	struct ct_work_flow *flow;
	const struct ct_model_kernel *kernel;
	const struct ct_machine *machine;
	const struct ct_unit *unit;
	const struct ct_unit_block *block;  /* the function's first */
	const struct ct_model_count *count; /* of it */
	uint32_t blocks;
	uint32_t *first, *last; /* nodes of a block */
	double launch_warps;    /* of all launches */
	int err;
};

static uint32_t add_node(struct maker *m, struct ct_flow_node node)
{
	struct ct_work_flow *flow = m->flow;
	size_t room = flow->node_room;

	if (m->err == 0)
		m->err = ct_array_reserve(&flow->node, &room, flow->nodes + 1u, sizeof(node));
	flow->node_room = (uint32_t)room;
	if (m->err < 0)
		return 0;
	flow->node[flow->nodes] = node;
	return flow->nodes++;
}

static void add_arc(struct maker *m, uint32_t from, uint32_t to, bool is_dependence,
		    double executions)
{
	struct ct_work_flow *flow = m->flow;
	size_t room = flow->arc_room;

	if (m->err == 0)
		m->err = ct_array_reserve(&flow->arc, &room, flow->arcs + 1u, sizeof(*flow->arc));
	flow->arc_room = (uint32_t)room;
	if (m->err == 0)
		flow->arc[flow->arcs++] = (struct ct_flow_arc){from, to, is_dependence, executions};
}

static double executions_of(const struct maker *m, uint32_t block)
{
	return (double)m->count[block].warps / m->launch_warps;
}

/* Cycles that an SM issues n instructions of a warp for. */
static double issue(const struct maker *m, double n)
{
	return n * m->kernel->device.warp_size / fmax(m->kernel->device.simd_width, 1);
}

static double conflict_degree(const struct ct_model_kernel *kernel)
{
	return kernel->shared > 0 ? 1 + kernel->bank_wavefronts / kernel->shared : 1;
}

/* Latency that is not hidden: by what the warp does until it uses the value, and by what the other
 * warps of the SM do between two stalls of theirs. */
static double exposed(const struct maker *m, const struct ct_unit_step *step, double between)
{
	double latency =
	    step->space == CT_SPACE_SHARED ? m->machine->shared_latency : m->kernel->perf.amat;
	uint32_t until = step->until == CT_NONE ? 0 : step->until;

	if (step->instruction == CT_IN_STORE || step->until == CT_NONE)
		return 0;
	return fmax(latency - issue(m, until) - (m->kernel->input.warps - 1) * between, 0);
}

static uint32_t add_step(struct maker *m, const struct ct_unit_block *block,
			 const struct ct_unit_step *step, double between)
{
	bool is_shared = step->space == CT_SPACE_SHARED;
	struct ct_flow_node node = {
	    .kind = step->instruction == CT_IN_BARRIER ? CT_FLOW_BARRIER
		    : is_shared                        ? CT_FLOW_SHARED
						       : CT_FLOW_GLOBAL,
	    .block = block->number,
	    .line = step->line,
	    .file = ct_unit_string(m->unit, block->file),
	    .executions = executions_of(m, block->number),
	};

	if (node.kind == CT_FLOW_BARRIER) {
		node.weight = m->machine->barrier_cycles;
	} else {
		node.weight = issue(m, 1) * (is_shared ? conflict_degree(m->kernel)
						       : m->kernel->input.transactions);
		node.stall = exposed(m, step, between);
	}
	return add_node(m, node);
}

static uint32_t add_compute(struct maker *m, const struct ct_unit_block *block, double n)
{
	return add_node(m, (struct ct_flow_node){
			       .kind = CT_FLOW_COMPUTE,
			       .block = block->number,
			       .line = block->line,
			       .file = ct_unit_string(m->unit, block->file),
			       .instructions = n,
			       .executions = executions_of(m, block->number),
			       .weight = issue(m, n),
			   });
}

/* The stretch of a block that holds its instruction number at. */
static uint32_t node_at(const uint32_t *node, const uint32_t *begin, uint32_t count, uint32_t at)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < count; i++)
		if (begin[i] <= at)
			found = i;
	return node[found];
}

static void add_block(struct maker *m, uint32_t number)
{
	const struct ct_unit_block *block = &m->block[number];
	const struct ct_unit_step *step = m->unit->steps + block->step_first;
	uint32_t most = 2 * block->step_count + 2, count = 0, at = 0;
	uint32_t *node = calloc(most, sizeof(*node)), *begin = calloc(most, sizeof(*begin));
	double executions = executions_of(m, number);
	double between =
	    issue(m, block->instructions) / (block->load_waits ? block->load_waits : 1);

	if (!node || !begin)
		m->err = -ENOMEM;
	for (uint32_t s = 0; m->err == 0 && s < block->step_count; s++) {
		if (step[s].at > at) {
			begin[count] = at;
			node[count++] = add_compute(m, block, step[s].at - at);
		}
		begin[count] = step[s].at;
		node[count++] = add_step(m, block, &step[s], between);
		at = step[s].at + 1;
	}
	if (m->err == 0 && (block->instructions > at || count == 0)) {
		begin[count] = at;
		node[count++] =
		    add_compute(m, block, block->instructions > at ? block->instructions - at : 0);
	}
	for (uint32_t i = 1; m->err == 0 && i < count; i++)
		add_arc(m, node[i - 1], node[i], false, executions);
	for (uint32_t s = 0; m->err == 0 && s < block->step_count; s++)
		if (step[s].until != CT_NONE)
			add_arc(m, node_at(node, begin, count, step[s].at),
				node_at(node, begin, count, step[s].at + step[s].until), true,
				executions);
	if (m->err == 0) {
		m->first[number] = node[0];
		m->last[number] = node[count - 1];
	}
	free(node);
	free(begin);
}

/* A way from one block to another. */
struct way {
	uint32_t from, to;
	double executions; /* negative: not known yet */
};

/* Finds what is left of a block's executions for the only way out of it (or into it) that is not
 * known yet; false: there is none, or there are several. */
static bool find_rest(const struct maker *m, struct way *ways, uint32_t count, uint32_t block,
		      bool is_out)
{
	struct way *unknown = NULL;
	double rest = executions_of(m, block) - (!is_out && block == 0);

	for (uint32_t i = 0; i < count; i++) {
		if ((is_out ? ways[i].from : ways[i].to) != block)
			continue;
		if (ways[i].executions >= 0)
			rest -= ways[i].executions;
		else if (unknown)
			return false;
		else
			unknown = &ways[i];
	}
	if (unknown)
		unknown->executions = fmax(rest, 0);
	return unknown != NULL;
}

/* A block is left as often as it is entered, which says of most ways how often they are gone. What
 * is left open is shared out by the executions of where it leads. */
static void solve_ways(const struct maker *m, struct way *ways, uint32_t count)
{
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t b = 0; b < m->blocks; b++)
			if (m->count[b].warps && (find_rest(m, ways, count, b, true) ||
						  find_rest(m, ways, count, b, false)))
				more = true;
	}
	for (uint32_t i = 0; i < count; i++) {
		double all = 0;

		for (uint32_t k = 0; k < count; k++)
			if (ways[k].from == ways[i].from)
				all += executions_of(m, ways[k].to);
		if (ways[i].executions < 0)
			ways[i].executions =
			    executions_of(m, ways[i].from) * executions_of(m, ways[i].to) / all;
	}
}

static void add_transitions(struct maker *m, uint32_t exit)
{
	uint32_t count = 0, most = 0;
	struct way *ways;

	for (uint32_t b = 0; b < m->blocks; b++)
		most += m->block[b].next_count;
	ways = calloc(most + 1u, sizeof(*ways));
	if (!ways) {
		m->err = -ENOMEM;
		return;
	}
	for (uint32_t b = 0; b < m->blocks; b++) {
		const uint32_t *next = m->unit->next + m->block[b].next_first;

		if (!m->count[b].warps)
			continue;
		for (uint32_t i = 0; i < m->block[b].next_count; i++)
			if (m->count[next[i]].warps)
				ways[count++] = (struct way){b, next[i], -1};
		if (!m->block[b].next_count)
			add_arc(m, m->last[b], exit, false, executions_of(m, b));
	}
	solve_ways(m, ways, count);
	for (uint32_t i = 0; i < count; i++)
		add_arc(m, m->last[ways[i].from], m->first[ways[i].to], false, ways[i].executions);
	free(ways);
}

/* The kernel's blocks, of its unit; false: they are not there. */
static bool find_blocks(struct maker *m, const struct ct_model_job *job)
{
	const struct ct_launch_info *launch = m->kernel->launch;
	const struct ct_model_results *results = &job->results;
	uint32_t first;

	m->unit = launch->unit;
	if (!m->unit || launch->kernel_index == CT_NONE)
		return false;
	for (first = 0; first < m->unit->header->block_count; first++)
		if (m->unit->blocks[first].kernel == launch->kernel_index)
			break;
	m->block = &m->unit->blocks[first];
	while (first + m->blocks < m->unit->header->block_count &&
	       m->block[m->blocks].kernel == launch->kernel_index)
		m->blocks++;
	m->count = &results->count[(size_t)m->kernel->kernel * results->blocks +
				   results->first_block[m->unit - results->units] + first];
	return m->blocks > 0;
}

static void find_bottleneck(struct ct_work_flow *flow)
{
	double most = -1;

	for (uint32_t i = 0; i < flow->nodes; i++) {
		const struct ct_flow_node *node = &flow->node[i];
		double cycles = node->executions * (node->weight + node->stall);

		if (cycles > most) {
			most = cycles;
			flow->bottleneck = i;
		}
	}
}

int ct_flow_make(struct ct_work_flow *flow, const struct ct_model_kernel *kernel,
		 const struct ct_model_job *job, const struct ct_machine *machine)
{
	struct maker m = {.flow = flow, .kernel = kernel, .machine = machine};
	uint32_t exit;

	*flow = (struct ct_work_flow){0};
	if (!find_blocks(&m, job))
		return 0;
	m.launch_warps = kernel->launches * kernel->warps;
	m.first = calloc(m.blocks, sizeof(*m.first));
	m.last = calloc(m.blocks, sizeof(*m.last));
	if (!m.first || !m.last)
		m.err = -ENOMEM;
	add_node(&m, (struct ct_flow_node){.kind = CT_FLOW_ENTRY, .executions = 1});
	for (uint32_t b = 0; b < m.blocks && m.err == 0; b++)
		if (m.count[b].warps)
			add_block(&m, b);
	exit = add_node(&m, (struct ct_flow_node){.kind = CT_FLOW_EXIT, .executions = 1});
	if (m.err == 0 && m.count[0].warps)
		add_arc(&m, 0, m.first[0], false, executions_of(&m, 0));
	if (m.err == 0)
		add_transitions(&m, exit);
	find_bottleneck(flow);
	free(m.first);
	free(m.last);
	return m.err;
}

void ct_flow_fini(struct ct_work_flow *flow)
{
	free(flow->node);
	free(flow->arc);
	*flow = (struct ct_work_flow){0};
}
