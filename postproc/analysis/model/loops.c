/* SPDX-License-Identifier: Apache-2.0 */
/* Natural loops, by walking back from what leads to their headers. */
#include "postproc/analysis/model/loops.h"

#include <errno.h>
#include <stdlib.h>

struct finder {
	const struct ct_block_graph *graph;
	uint32_t *stack, *edge; /* where the walk is, and which edge of each is next */
	uint8_t *state;         /* of a block: 0 not seen, 1 on the stack, 2 left */
	bool *is_back;          /* by edge */
	bool *body;             /* by loop and block */
	uint32_t *size;         /* blocks of a loop */
};

static void walk(struct finder *f)
{
	const struct ct_block_graph *g = f->graph;
	uint32_t depth = 1;

	f->stack[0] = 0;
	f->edge[0] = g->first[0];
	f->state[0] = 1;
	while (depth) {
		uint32_t block = f->stack[depth - 1], to;

		if (f->edge[depth - 1] == g->first[block + 1]) {
			f->state[block] = 2;
			depth--;
			continue;
		}
		to = g->next[f->edge[depth - 1]];
		if (to < g->blocks && f->state[to] == 1)
			f->is_back[f->edge[depth - 1]] = true;
		f->edge[depth - 1]++;
		if (to >= g->blocks || f->state[to])
			continue;
		f->state[to] = 1;
		f->stack[depth] = to;
		f->edge[depth++] = g->first[to];
	}
}

/* All from which a back edge to the header is reached without passing it. */
static uint32_t fill(const struct finder *f, uint32_t header, bool *body)
{
	const struct ct_block_graph *g = f->graph;
	uint32_t size = 1;
	bool grows = true;

	body[header] = true;
	for (uint32_t b = 0; b < g->blocks; b++)
		for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++)
			if (f->is_back[e] && g->next[e] == header && !body[b]) {
				body[b] = true;
				size++;
			}
	while (grows) {
		grows = false;
		for (uint32_t b = g->blocks; b-- > 0;)
			for (uint32_t e = g->first[b]; e < g->first[b + 1] && !body[b]; e++)
				if (f->state[b] && g->next[e] < g->blocks && g->next[e] != header &&
				    body[g->next[e]]) {
					body[b] = grows = true;
					size++;
				}
	}
	return size;
}

/* The smallest loop that has the block, of those that are larger than `than`: two that have each
 * other's header, as some do of a graph that cannot be reduced, are not one in the other. */
static uint32_t innermost(const struct finder *f, const struct ct_loops *loops, uint32_t block,
			  uint32_t than)
{
	uint32_t best = 0;

	for (uint32_t l = 1; l < loops->loops; l++)
		if (f->size[l] > f->size[than] && f->body[(size_t)l * f->graph->blocks + block] &&
		    (best == 0 || f->size[l] < f->size[best]))
			best = l;
	return best;
}

static int nest(struct finder *f, struct ct_loops *loops)
{
	const struct ct_block_graph *g = f->graph;

	f->body = calloc((size_t)loops->loops * g->blocks, sizeof(*f->body));
	f->size = calloc(loops->loops, sizeof(*f->size));
	if (!f->body || !f->size)
		return -ENOMEM;
	for (uint32_t l = 1; l < loops->loops; l++)
		f->size[l] = fill(f, loops->loop[l].header, f->body + (size_t)l * g->blocks);
	for (uint32_t l = 1; l < loops->loops; l++)
		loops->loop[l].parent = innermost(f, loops, loops->loop[l].header, l);
	for (uint32_t b = 0; b < g->blocks; b++)
		loops->of[b] = f->state[b] ? innermost(f, loops, b, 0) : CT_LOOPS_NONE;
	return 0;
}

static void find_headers(const struct finder *f, struct ct_loops *loops)
{
	const struct ct_block_graph *g = f->graph;
	bool *is_header = f->body; /* of which there is one for each block so far */

	for (uint32_t b = 0; b < g->blocks; b++)
		for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++)
			if (f->is_back[e])
				is_header[g->next[e]] = true;
	loops->loops = 1;
	for (uint32_t b = 0; b < g->blocks; b++)
		if (is_header[b])
			loops->loop[loops->loops++].header = b;
}

int ct_loops_find(struct ct_loops *loops, const struct ct_block_graph *graph)
{
	uint32_t n = graph->blocks;
	struct finder f = {.graph = graph};
	int err = -ENOMEM;

	*loops = (struct ct_loops){0};
	if (n == 0 || n > CT_LOOPS_BLOCKS)
		return 1;
	loops->loop = calloc(n + 1u, sizeof(*loops->loop));
	loops->of = calloc(n, sizeof(*loops->of));
	f.stack = calloc(n + 1u, sizeof(*f.stack));
	f.edge = calloc(n + 1u, sizeof(*f.edge));
	f.state = calloc(n, sizeof(*f.state));
	f.is_back = calloc(graph->first[n] + 1u, sizeof(*f.is_back));
	f.body = calloc(n, sizeof(*f.body));
	if (loops->loop && loops->of && f.stack && f.edge && f.state && f.is_back && f.body) {
		walk(&f);
		find_headers(&f, loops);
		free(f.body);
		err = nest(&f, loops);
	}
	free(f.stack);
	free(f.edge);
	free(f.state);
	free(f.is_back);
	free(f.body);
	free(f.size);
	return err;
}

void ct_loops_fini(struct ct_loops *loops)
{
	free(loops->loop);
	free(loops->of);
	*loops = (struct ct_loops){0};
}
