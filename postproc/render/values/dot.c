/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what flows between those who write and read objects, for Graphviz. */
#include "base/quantity.h"
#include "postproc/render/values/values.h"
#include "postproc/tables/amount.h"

#include <errno.h>
#include <string.h>

/* Within double quotes. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("\"\\", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void put_name(FILE *out, uint32_t node)
{
	if (node == CT_NODE_ALLOC)
		fputs("alloc", out);
	else
		fprintf(out, "n%u", node);
}

static void put_flow(FILE *out, const struct ct_values_figures *figures,
		     const struct ct_values_flow *flow)
{
	const struct ct_amount bytes = {(double)(flow->read > flow->over ? flow->read : flow->over),
					"B"};
	double same = flow->over ? (double)flow->same / (double)flow->over : 0;
	char amount[CT_AMOUNT_BYTES];

	fputc('\t', out);
	put_name(out, flow->from);
	fputs(" -> ", out);
	put_name(out, flow->to);
	fputs(" [label=\"", out);
	put_text(out, ct_values_group_text(figures, flow->group));
	fprintf(out, ": %s%s", ct_amount_text(&bytes, amount),
		flow->read ? (flow->over ? ", read and overwritten" : "") : ", overwritten");
	if (same > 0)
		fprintf(out, ", %.0f %% as they were", 100 * same);
	/* Red: what was there already. */
	fprintf(out, "\", color=\"%.3f 1.000 %.3f\"%s];\n", 0.0, same,
		flow->read ? "" : ", style=dashed");
}

int ct_values_write_dot(FILE *out, const struct ct_values_figures *figures)
{
	char text[CT_VALUES_NODE_BYTES];
	bool has_alloc = false;

	fputs("digraph values {\n\tnode [shape=box];\n", out);
	for (size_t i = 0; i < figures->flows; i++)
		has_alloc |= figures->flow[i].from == CT_NODE_ALLOC;
	if (has_alloc)
		fputs("\talloc [label=\"the allocation\", shape=ellipse];\n", out);
	for (uint32_t i = 0; i < figures->nodes; i++) {
		fprintf(out, "\tn%u [label=\"", i);
		put_text(out, ct_values_node_text(figures, i, text));
		fprintf(out, "\\n%llu times\"];\n", (unsigned long long)figures->node[i].times);
	}
	for (size_t i = 0; i < figures->flows; i++)
		put_flow(out, figures, &figures->flow[i]);
	fputs("}\n", out);
	return ferror(out) ? -EIO : 0;
}
