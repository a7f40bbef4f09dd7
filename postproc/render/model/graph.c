/* SPDX-License-Identifier: Apache-2.0 */
/* Work-flow graphs for Graphviz. */
#include "postproc/render/model/model.h"

#include <errno.h>

/* Text in quotes. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void put_node(FILE *out, const struct ct_work_flow *flow, uint32_t number)
{
	static const char *const shapes[CT_FLOW_KINDS] = {"circle", "doublecircle",  "box",
							  "house",  "parallelogram", "hexagon"};
	const struct ct_flow_node *n = &flow->node[number];

	fprintf(out, "  n%u [shape=%s, label=\"%s", number, shapes[n->kind],
		ct_flow_kind_text(n->kind));
	if (n->kind == CT_FLOW_COMPUTE)
		fprintf(out, " %.0f", n->instructions);
	if (n->line)
		fprintf(out, "\\nline %u", n->line);
	if (n->kind > CT_FLOW_EXIT)
		fprintf(out, "\\n%.4g x %.3g cycles", n->executions, n->weight);
	if (n->stall > 0)
		fprintf(out, "\\nstalls %.3g", n->stall);
	fprintf(out, "\"%s];\n", number == flow->bottleneck ? ", color=red, penwidth=3" : "");
}

int ct_model_write_graph(FILE *out, const char *kernel, const struct ct_work_flow *flow)
{
	fprintf(out, "digraph \"");
	put_text(out, kernel);
	fprintf(out, "\" {\n");
	for (uint32_t i = 0; i < flow->nodes; i++)
		put_node(out, flow, i);
	for (uint32_t i = 0; i < flow->arcs; i++) {
		const struct ct_flow_arc *arc = &flow->arc[i];

		if (arc->is_dependence)
			fprintf(out, "  n%u -> n%u [style=dashed, constraint=false];\n", arc->from,
				arc->to);
		else
			fprintf(out, "  n%u -> n%u [label=\"%.4g\"];\n", arc->from, arc->to,
				arc->executions);
	}
	fprintf(out, "}\n");
	return ferror(out) ? -EIO : 0;
}
