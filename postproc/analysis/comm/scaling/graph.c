/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions of the graph of CTAs by METIS, never worse than blocks or turns. */
#include "postproc/analysis/comm/scaling/graph.h"
#include <errno.h>
#include <metis.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SEED 1
#define IMBALANCE_PERMILLE 10 /* that the partitioner may leave */
#define TRIES_OF_SMALL 8      /* the partitioner's, of which it takes the best */
#define SMALL_EDGES (1u << 15)

int ct_cta_graph_init(struct ct_cta_graph *graph)
{
	*graph = (struct ct_cta_graph){0};
	return ct_sums_open(&graph->edge);
}

void ct_cta_graph_fini(struct ct_cta_graph *graph)
{
	ct_sums_close(graph->edge);
	*graph = (struct ct_cta_graph){0};
}

static int add_edge(struct ct_cta_graph *graph, uint64_t a, uint64_t b, uint64_t bytes)
{
	uint64_t first = a < b ? a : b, second = a < b ? b : a;

	if (a == b)
		return 0;
	graph->edges += !ct_sums_find(graph->edge, first, second);
	return ct_sums_add(graph->edge, first, second, bytes, 0);
}

/* Two vertices become one. */
static int halve(struct ct_cta_graph *graph)
{
	struct ct_cta_graph half = {.shift = graph->shift + 1};
	const struct ct_sum *edge;
	size_t edges;
	int err = ct_sums_open(&half.edge);

	if (err < 0)
		return err;
	edge = ct_sums_sorted(graph->edge, &edges);
	if (!edge)
		err = -ENOMEM;
	for (size_t i = 0; i < edges && err == 0; i++)
		err = add_edge(&half, edge[i].key[0] >> 1, edge[i].key[1] >> 1, edge[i].value[0]);
	if (err < 0) {
		ct_sums_close(half.edge);
		return err;
	}
	ct_sums_close(graph->edge);
	*graph = half;
	return 0;
}

int ct_cta_graph_add(struct ct_cta_graph *graph, uint64_t cta, uint64_t other, uint64_t bytes)
{
	int err = add_edge(graph, cta >> graph->shift, other >> graph->shift, bytes);

	while (err == 0 && graph->edges > CT_CTA_GRAPH_EDGES_MAX)
		err = halve(graph);
	return err;
}

int ct_cta_graph_coarsen(struct ct_cta_graph *graph, uint32_t shift, uint64_t ctas)
{
	int err = ct_sums_sorted(graph->edge, &graph->edges) ? 0 : -ENOMEM;

	while (err == 0 && (graph->shift < shift || graph->edges > CT_CTA_GRAPH_EDGES_MAX ||
			    ct_cta_graph_vertices(graph, ctas) > CT_CTA_GRAPH_VERTICES_MAX))
		err = halve(graph);
	return err;
}

/* As METIS takes it: the neighbours of vertex v are adjacent[first[v]] and on. */
struct csr {
	idx_t *first, *adjacent, *weight;
	idx_t *vertex_weight; /* CTAs */
};

static void free_csr(struct csr *csr)
{
	free(csr->first);
	free(csr->adjacent);
	free(csr->weight);
	free(csr->vertex_weight);
}

/* Bytes as weights whose sum over both directions fits: scaled down if need be, never to 0. */
static idx_t weight_of(uint64_t bytes, double scale)
{
	double scaled = scale < 1 ? (double)bytes * scale : (double)bytes;

	return scaled < 1 ? 1 : (idx_t)scaled;
}

static int make_csr(struct csr *csr, const struct ct_sum *edge, size_t edges, uint64_t vertices,
		    const struct ct_cta_graph *graph, uint64_t ctas)
{
	double total = 1, limit = (double)(INT32_MAX / 2) - (double)edges;
	idx_t *next;

	csr->first = calloc(vertices + 2, sizeof(*csr->first));
	csr->adjacent = calloc(2 * edges + 1, sizeof(*csr->adjacent));
	csr->weight = calloc(2 * edges + 1, sizeof(*csr->weight));
	csr->vertex_weight = calloc(vertices + 1, sizeof(*csr->vertex_weight));
	if (!csr->first || !csr->adjacent || !csr->weight || !csr->vertex_weight)
		return -ENOMEM;
	/* Counted two places on, so that filling leaves the starts where they belong. */
	next = csr->first + 1;
	for (size_t i = 0; i < edges; i++) {
		total += (double)edge[i].value[0];
		for (uint32_t end = 0; end < 2; end++)
			if (edge[i].key[end] + 1 < vertices)
				next[edge[i].key[end] + 1]++;
	}
	for (uint64_t v = 1; v < vertices; v++)
		next[v] += next[v - 1];
	for (size_t i = 0; i < edges; i++) {
		for (uint32_t end = 0; end < 2; end++) {
			idx_t at = next[edge[i].key[end]]++;

			csr->adjacent[at] = (idx_t)edge[i].key[!end];
			csr->weight[at] = weight_of(edge[i].value[0], limit / total);
		}
	}
	for (uint64_t v = 0; v < vertices; v++)
		csr->vertex_weight[v] = (idx_t)1 << graph->shift;
	csr->vertex_weight[vertices - 1] = (idx_t)(ctas - ((vertices - 1) << graph->shift));
	return 0;
}

static int run_metis(struct csr *csr, uint64_t vertices, size_t edges, uint32_t parts,
		     uint8_t *part)
{
	idx_t count = (idx_t)vertices, constraints = 1, wanted = (idx_t)parts, cut;
	idx_t options[METIS_NOPTIONS];
	idx_t *found = calloc(vertices, sizeof(*found));
	int err = 0;

	if (!found)
		return -ENOMEM;
	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = SEED;
	options[METIS_OPTION_UFACTOR] = IMBALANCE_PERMILLE;
	options[METIS_OPTION_NCUTS] = edges <= SMALL_EDGES ? TRIES_OF_SMALL : 1;
	switch (METIS_PartGraphKway(&count, &constraints, csr->first, csr->adjacent,
				    csr->vertex_weight, NULL, csr->weight, &wanted, NULL, NULL,
				    options, &cut, found)) {
	case METIS_OK:
		break;
	case METIS_ERROR_MEMORY:
		err = -ENOMEM;
		break;
	default:
		err = -EIO;
	}
	for (uint64_t v = 0; v < vertices && err == 0; v++) {
		if (found[v] < 0 || found[v] >= wanted)
			err = -EIO;
		part[v] = (uint8_t)found[v];
	}
	free(found);
	return err;
}

static uint64_t cut_of(const struct ct_sum *edge, size_t edges, const uint8_t *part)
{
	uint64_t cut = 0;

	for (size_t i = 0; i < edges; i++)
		if (part[edge[i].key[0]] != part[edge[i].key[1]])
			cut += edge[i].value[0];
	return cut;
}

/* Vertices of the fullest part at most 2 % above what equal parts have, rounded up. */
static bool is_balanced(const uint8_t *part, uint64_t vertices, uint32_t parts)
{
	uint64_t count[256] = {0}, equal = (vertices + parts - 1) / parts;

	for (uint64_t v = 0; v < vertices; v++)
		if (++count[part[v]] > equal + equal / 50)
			return false;
	return true;
}

static void place(uint8_t *part, uint64_t vertices, uint32_t parts, bool in_turn)
{
	for (uint64_t v = 0; v < vertices; v++)
		part[v] = (uint8_t)(in_turn ? v % parts : v * parts / vertices);
}

/* The best of what is in part, if that is balanced, of blocks and of turns. */
static int keep_best(const struct ct_sum *edge, size_t edges, uint64_t vertices, uint32_t parts,
		     uint8_t *part)
{
	bool is_usable = is_balanced(part, vertices, parts);
	uint64_t best = is_usable ? cut_of(edge, edges, part) : UINT64_MAX;
	uint8_t *simple = malloc(vertices);

	if (!simple)
		return -ENOMEM;
	for (int in_turn = 0; in_turn < 2; in_turn++) {
		uint64_t cut;

		place(simple, vertices, parts, in_turn);
		cut = cut_of(edge, edges, simple);
		if (cut < best) {
			best = cut;
			memcpy(part, simple, vertices);
		}
	}
	free(simple);
	return 0;
}

int ct_cta_graph_partition(struct ct_cta_graph *graph, uint64_t ctas, uint32_t parts, uint8_t *part)
{
	uint64_t vertices = ct_cta_graph_vertices(graph, ctas);
	struct csr csr = {0};
	const struct ct_sum *edge;
	size_t edges;
	int err;

	edge = ct_sums_sorted(graph->edge, &edges);
	if (!edge)
		return -ENOMEM;
	if (vertices <= parts || !edges) {
		place(part, vertices, parts, false);
		return 0;
	}
	err = make_csr(&csr, edge, edges, vertices, graph, ctas);
	if (err == 0)
		err = run_metis(&csr, vertices, edges, parts, part);
	if (err == 0)
		err = keep_best(edge, edges, vertices, parts, part);
	free_csr(&csr);
	return err;
}
