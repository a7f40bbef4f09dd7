/* SPDX-License-Identifier: Apache-2.0 */
/* Blame in the report: paths of calls down to lines, and which variables each line is blamed on. */
#include "postproc/analysis/blame/blame.h"
#include "postproc/analysis/blame/rows.h"
#include "postproc/facts/source_name.h"
#include "postproc/render/report/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_MIN 0.001 /* of all weight; lighter ones are one in what calls them */
#define VARIABLES_MAX 500u

enum kind { HOST, KERNEL, FUNCTION, INLINED, LINE, REST };

/* A leaf of the analysis on its way into a frame. */
struct part {
	const struct ct_blame_leaf *leaf;
	uint32_t frame; /* that it is in: a node that is shown */
	bool is_rest;
};

struct work {
	const struct ct_report_writer *w;
	const struct ct_blame *blame;
	double least;
	uint32_t *frame_of;    /* by node, from 1: of what is shown of it; else 0 */
	uint32_t *home;        /* by node: the next one above, or itself, that is shown */
	double *unplaced;      /* by node: what no leaf of it has */
	uint32_t *variable_of; /* by variable, from 1: what it is in the page; 0: not there */
	double *blamed;        /* by variable of the page, of the frame at hand */
	uint32_t frames, variables;
	struct part *part;
	size_t parts;
};

static int compare_parts(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int order;

	if (x->frame != y->frame)
		return x->frame < y->frame ? -1 : 1;
	if (x->is_rest != y->is_rest)
		return x->is_rest ? 1 : -1;
	if (x->leaf->line != y->leaf->line && !x->is_rest)
		return x->leaf->line < y->leaf->line ? -1 : 1;
	order = x->is_rest ? 0 : strcmp(x->leaf->file, y->leaf->file);
	return order ? order : (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

/* The parts from one on that make one frame, and what they weigh. */
static size_t group_end(const struct work *work, size_t from, double *weight)
{
	const struct part *first = &work->part[from];
	size_t end = from;

	*weight = 0;
	for (; end < work->parts; end++) {
		const struct part *part = &work->part[end];

		if (part->frame != first->frame || part->is_rest != first->is_rest ||
		    (!part->is_rest && (part->leaf->line != first->leaf->line ||
					strcmp(part->leaf->file, first->leaf->file) != 0)))
			break;
		*weight += part->leaf->weight;
	}
	return end;
}

/* Lines that are too light are put with the rest of their node. */
static void sort_parts(struct work *work)
{
	double weight;

	if (!work->parts)
		return;
	qsort(work->part, work->parts, sizeof(*work->part), compare_parts);
	for (size_t i = 0, end; i < work->parts; i = end) {
		end = group_end(work, i, &weight);
		for (size_t j = i; j < end && weight < work->least; j++)
			work->part[j].is_rest = true;
	}
	qsort(work->part, work->parts, sizeof(*work->part), compare_parts);
}

/* Callees have greater numbers than their callers. */
static void choose_nodes(struct work *work)
{
	const struct ct_blame *blame = work->blame;

	/* Paths that are too deep are in no node. */
	work->unplaced[0] = blame->total - blame->node[0].total;
	for (uint32_t n = 1; n < blame->nodes; n++) {
		const struct ct_blame_node *node = &blame->node[n];
		bool is_shown = node->total >= work->least && node->total > 0;

		work->home[n] = is_shown ? n : work->home[node->parent];
		work->unplaced[work->home[n]] += node->self;
	}
	for (size_t l = 0; l < blame->leaves; l++) {
		const struct ct_blame_leaf *leaf = &blame->leaf[l];
		uint32_t home = work->home[leaf->node];

		work->unplaced[home] -= leaf->weight;
		work->part[work->parts++] = (struct part){leaf, home, home != leaf->node};
	}
}

static void open_frame(struct work *work, uint32_t parent, enum kind kind, double weight)
{
	ct_out_array(work->w->out, NULL);
	ct_out_integer(work->w->out, NULL, parent);
	ct_out_integer(work->w->out, NULL, kind);
	ct_out_real(work->w->out, NULL, weight);
}

static void put_node(struct work *work, uint32_t n)
{
	const struct ct_blame_node *node = &work->blame->node[n];
	bool is_kernel = !node->is_host && work->blame->node[node->parent].is_host;
	char brief[CT_BRIEF_NAME_BYTES], *name = ct_blame_function_name(node);

	open_frame(work, work->frame_of[node->parent],
		   node->is_host      ? HOST
		   : is_kernel        ? KERNEL
		   : node->is_inlined ? INLINED
				      : FUNCTION,
		   node->total);
	ct_out_text(work->w->out, NULL, ct_source_name_brief(name ? name : node->function, brief));
	ct_sources_put(work->w->sources, work->w->out, NULL, node->file, node->line);
	ct_out_end(work->w->out);
	free(name);
	work->frame_of[n] = ++work->frames;
}

/* Variables that all of a frame is blamed on; then of others each with how much. */
static void put_blamed(struct work *work, double weight)
{
	struct ct_out *out = work->w->out;
	const double whole = weight * (1 - 1e-9);

	ct_out_array(out, NULL);
	for (uint32_t v = 0; v < work->variables; v++)
		if (work->blamed[v] >= whole && whole > 0)
			ct_out_integer(out, NULL, v);
	ct_out_end(out);
	ct_out_array(out, NULL);
	for (uint32_t v = 0; v < work->variables; v++)
		if (work->blamed[v] > 0 && work->blamed[v] < whole) {
			ct_out_integer(out, NULL, v);
			ct_out_real(out, NULL, work->blamed[v]);
		}
	ct_out_end(out);
}

/* The parts from one to another: a line, or the rest of a node. */
static void put_leaves(struct work *work, uint32_t node, size_t from, size_t end, double weight)
{
	bool is_rest = from == end || work->part[from].is_rest;
	const struct ct_blame_leaf *first = is_rest ? NULL : work->part[from].leaf;

	memset(work->blamed, 0, (work->variables + 1) * sizeof(*work->blamed));
	for (size_t i = from; i < end; i++)
		for (uint32_t v = 0; v < work->part[i].leaf->variables; v++) {
			uint32_t at = work->variable_of[work->part[i].leaf->variable[v]];

			if (at)
				work->blamed[at - 1] += work->part[i].leaf->weight;
		}
	open_frame(work, work->frame_of[node], is_rest ? REST : LINE, weight);
	ct_out_text(work->w->out, NULL, "");
	ct_sources_put(work->w->sources, work->w->out, NULL, first ? first->file : "",
		       first ? first->line : 0);
	put_blamed(work, weight);
	ct_out_end(work->w->out);
	work->frames++;
}

/* The parts of each node follow it: at is where those of the next begin. */
static void put_lines(struct work *work, uint32_t node, size_t *at)
{
	bool has_rest = false;
	double weight;

	while (*at < work->parts && work->part[*at].frame == node) {
		size_t end = group_end(work, *at, &weight);

		has_rest = work->part[*at].is_rest;
		put_leaves(work, node, *at, end, weight + (has_rest ? work->unplaced[node] : 0));
		*at = end;
	}
	if (!has_rest && work->unplaced[node] > 1e-9 * work->blame->total)
		put_leaves(work, node, *at, *at, work->unplaced[node]);
}

static void put_frames(struct work *work)
{
	size_t at = 0;

	ct_out_array(work->w->out, "frames");
	for (uint32_t n = 0; n < work->blame->nodes; n++) {
		if (work->home[n] != n)
			continue;
		if (n)
			put_node(work, n);
		put_lines(work, n, &at);
	}
	ct_out_end(work->w->out);
}

/* How many have that weight. */
static size_t variables_of(const struct ct_blame *blame, double least)
{
	size_t count = 0;

	for (size_t v = 0; v < blame->variables; v++)
		count += blame->variable[v].inclusive >= least || blame->variable[v].read >= least;
	return count;
}

static void put_variable(struct work *work, uint32_t v)
{
	const struct ct_blame_variable *of = &work->blame->variable[v];
	char *function = ct_source_name(of->function);
	struct ct_out *out = work->w->out;

	ct_out_array(out, NULL);
	ct_out_integer(out, NULL, of->parent == CT_NONE ? 0 : work->variable_of[of->parent]);
	ct_out_text(out, NULL, of->name);
	ct_out_text(out, NULL, of->type);
	ct_out_text(out, NULL, function ? function : of->function);
	ct_sources_put(work->w->sources, out, NULL, of->file, of->line);
	ct_out_real(out, NULL, of->inclusive);
	ct_out_real(out, NULL, of->exclusive);
	ct_out_real(out, NULL, of->read);
	ct_out_end(out);
	free(function);
	work->variable_of[v] = ++work->variables;
}

/* Those of some weight, what they are parts of before them. */
static int put_variables(struct work *work)
{
	const struct ct_blame *blame = work->blame;
	double least = work->least;
	struct ct_blame_rows rows;
	int err = ct_blame_rows_init(&rows, blame);

	if (err < 0)
		return err;
	while (variables_of(blame, least) > VARIABLES_MAX)
		least *= 2;
	ct_out_integer(work->w->out, "variable_count", rows.count);
	ct_out_array(work->w->out, "variables");
	for (size_t i = 0; i < rows.count;) {
		const struct ct_blame_variable *v = &blame->variable[rows.row[i].variable];
		bool is_shown = v->inclusive >= least || v->read >= least;

		if (is_shown)
			put_variable(work, rows.row[i].variable);
		i = is_shown ? i + 1 : rows.row[i].end;
	}
	ct_out_end(work->w->out);
	ct_blame_rows_fini(&rows);
	return 0;
}

static int put_blame(struct work *work)
{
	int err;

	ct_out_object(work->w->out, "blame");
	ct_out_real(work->w->out, "total", work->blame->total);
	ct_out_real(work->w->out, "least_share", FRAMES_MIN);
	err = put_variables(work);
	if (err == 0) {
		work->blamed = calloc(work->variables + 1, sizeof(*work->blamed));
		err = work->blamed ? 0 : -ENOMEM;
	}
	if (err == 0) {
		choose_nodes(work);
		sort_parts(work);
		put_frames(work);
	}
	ct_out_end(work->w->out);
	return err;
}

int ct_report_put_blame(const struct ct_report_writer *w)
{
	const struct ct_section *section = NULL;
	struct work work = {.w = w};
	int err = -ENOMEM;

	while ((section = ct_sections_next(w->report->sections, section)))
		work.blame = section->blame ? section->blame : work.blame;
	if (!work.blame || !(work.blame->total > 0))
		return 0;
	work.least = FRAMES_MIN * work.blame->total;
	work.frame_of = calloc(work.blame->nodes + 1, sizeof(*work.frame_of));
	work.home = calloc(work.blame->nodes + 1, sizeof(*work.home));
	work.unplaced = calloc(work.blame->nodes + 1, sizeof(*work.unplaced));
	work.variable_of = calloc(work.blame->variables + 1, sizeof(*work.variable_of));
	work.part = calloc(work.blame->leaves + 1, sizeof(*work.part));
	if (work.frame_of && work.home && work.unplaced && work.variable_of && work.part)
		err = put_blame(&work);
	free(work.frame_of);
	free(work.home);
	free(work.unplaced);
	free(work.variable_of);
	free(work.part);
	free(work.blamed);
	return err;
}
