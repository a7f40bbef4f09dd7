/* SPDX-License-Identifier: Apache-2.0 */
/* Blame in the page: paths of calls down to lines, and which variables each line is blamed on. */
#include "postproc/render/report/blame.h"
#include "base/array.h"
#include "postproc/analysis/blame/blame.h"
#include "postproc/analysis/blame/rows.h"
#include "postproc/facts/source_name.h"
#include "postproc/tables/sink.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_MIN 0.001 /* of all weight; lighter ones are one in what calls them */
#define VARIABLES_MAX 500u

enum kind { HOST, KERNEL, FUNCTION, INLINED, LINE, REST };

static const char *const kind_name[] = {"host", "kernel", "function", "inlined", "line", "rest"};

/* A leaf of the analysis on its way into a frame. */
struct part {
	const struct ct_blame_leaf *leaf;
	uint32_t frame; /* that it is in: a node that is shown */
	bool is_rest;
};

struct ct_report_blame {
	const struct ct_blame *blame;
	double least;
	uint32_t *home;        /* by node: the next one above, or itself, that is shown */
	double *unplaced;      /* by node: what no leaf of it has */
	uint32_t *variable_of; /* by variable, from 1: what it is in the page; 0: not there */
	uint32_t *variable;    /* by that, from 0: what is parts of others behind them */
	uint32_t variables;
	struct part *part;
	size_t parts;
	uint64_t all_variables;
	/* While frames are handed out. */
	struct ct_table_sink *sink;
	uint32_t *frame_of; /* by node, from 1: of what is shown of it; else 0 */
	double *blamed;     /* by variable of the page, of the frame at hand */
	uint32_t frames;
};

#define row_page_blame ct_report_blame

struct row_page_flame {
	uint32_t frame, parent;
	const char *kind;
	double weight;
	const char *name;
	struct ct_source_line place;
};

struct row_page_flame_blame {
	uint64_t variable;
	double weight;
};

struct row_page_variables {
	const struct ct_blame_variable *of;
	uint32_t parent;
	const char *function;
	struct ct_source_line place;
};

#define CT_DESCRIBED "postproc/render/report/blame.def"
#include "postproc/tables/described.h"

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
static size_t group_end(const struct ct_report_blame *work, size_t from, double *weight)
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
static void sort_parts(struct ct_report_blame *work)
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
static void choose_nodes(struct ct_report_blame *work)
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

static int rows_page_blame(const void *from, struct ct_table_sink *sink)
{
	return ct_table_put_row(sink, from);
}

static int put_frame(struct ct_report_blame *work, const struct row_page_flame *row)
{
	struct row_page_flame numbered = *row;

	numbered.frame = ++work->frames;
	return ct_table_put_row(work->sink, &numbered);
}

static int put_node(struct ct_report_blame *work, uint32_t n)
{
	const struct ct_blame_node *node = &work->blame->node[n];
	bool is_kernel = !node->is_host && work->blame->node[node->parent].is_host;
	char *name = ct_blame_function_name(node);
	const struct row_page_flame row = {
	    .parent = work->frame_of[node->parent],
	    .kind = kind_name[node->is_host      ? HOST
			      : is_kernel        ? KERNEL
			      : node->is_inlined ? INLINED
						 : FUNCTION],
	    .weight = node->total,
	    .name = name ? name : node->function,
	    .place = {node->file, node->line},
	};
	int err = put_frame(work, &row);

	free(name);
	work->frame_of[n] = work->frames;
	return err;
}

/* Variables that the frame at hand is blamed on, with how much of it, unless that is all. */
static int put_blamed(struct ct_report_blame *work, double weight)
{
	const double whole = weight * (1 - 1e-9);
	int err = 0;

	for (uint32_t v = 0; v < work->variables && err == 0; v++) {
		bool is_all = work->blamed[v] >= whole && whole > 0;
		const struct row_page_flame_blame row = {v, is_all ? NAN : work->blamed[v]};

		if (work->blamed[v] > 0)
			err = ct_table_put_child(work->sink, 0, &row);
	}
	return err;
}

/* The parts from one to another: a line, or the rest of a node. */
static int put_leaves(struct ct_report_blame *work, uint32_t node, size_t from, size_t end,
		      double weight)
{
	bool is_rest = from == end || work->part[from].is_rest;
	struct row_page_flame row = {
	    .parent = work->frame_of[node],
	    .kind = kind_name[is_rest ? REST : LINE],
	    .weight = weight,
	};
	int err;

	if (!is_rest)
		row.place = (struct ct_source_line){work->part[from].leaf->file,
						    work->part[from].leaf->line};
	memset(work->blamed, 0, (work->variables + 1) * sizeof(*work->blamed));
	for (size_t i = from; i < end; i++)
		for (uint32_t v = 0; v < work->part[i].leaf->variables; v++) {
			uint32_t at = work->variable_of[work->part[i].leaf->variable[v]];

			if (at)
				work->blamed[at - 1] += work->part[i].leaf->weight;
		}
	err = put_frame(work, &row);
	return err < 0 ? err : put_blamed(work, weight);
}

/* The parts of each node follow it: at is where those of the next begin. */
static int put_lines(struct ct_report_blame *work, uint32_t node, size_t *at)
{
	bool has_rest = false;
	double weight;
	int err = 0;

	while (err == 0 && *at < work->parts && work->part[*at].frame == node) {
		size_t end = group_end(work, *at, &weight);

		has_rest = work->part[*at].is_rest;
		err = put_leaves(work, node, *at, end,
				 weight + (has_rest ? work->unplaced[node] : 0));
		*at = end;
	}
	if (err == 0 && !has_rest && work->unplaced[node] > 1e-9 * work->blame->total)
		err = put_leaves(work, node, *at, *at, work->unplaced[node]);
	return err;
}

static int rows_page_flame(const void *from, struct ct_table_sink *sink)
{
	struct ct_report_blame *work = (struct ct_report_blame *)from;
	size_t at = 0;
	int err = 0;

	work->sink = sink;
	work->frames = 0;
	for (uint32_t n = 0; n < work->blame->nodes && err == 0; n++) {
		if (work->home[n] != n)
			continue;
		if (n)
			err = put_node(work, n);
		if (err == 0)
			err = put_lines(work, n, &at);
	}
	return err;
}

static int rows_page_variables(const void *from, struct ct_table_sink *sink)
{
	const struct ct_report_blame *work = from;
	int err = 0;

	for (uint32_t v = 0; v < work->variables && err == 0; v++) {
		const struct ct_blame_variable *of = &work->blame->variable[work->variable[v]];
		char *function = ct_source_name(of->function);
		const struct row_page_variables row = {
		    of,
		    of->parent == CT_NONE ? 0 : work->variable_of[of->parent],
		    function ? function : of->function,
		    {of->file, of->line},
		};

		err = ct_table_put_row(sink, &row);
		free(function);
	}
	return err;
}

/* How many have that weight. */
static size_t variables_of(const struct ct_blame *blame, double least)
{
	size_t count = 0;

	for (size_t v = 0; v < blame->variables; v++)
		count += blame->variable[v].inclusive >= least || blame->variable[v].read >= least;
	return count;
}

/* Those of some weight, what they are parts of before them. */
static int choose_variables(struct ct_report_blame *work)
{
	const struct ct_blame *blame = work->blame;
	double least = work->least;
	struct ct_blame_rows rows;
	int err = ct_blame_rows_init(&rows, blame);

	if (err < 0)
		return err;
	while (variables_of(blame, least) > VARIABLES_MAX)
		least *= 2;
	work->all_variables = rows.count;
	for (size_t i = 0; i < rows.count;) {
		uint32_t number = rows.row[i].variable;
		const struct ct_blame_variable *v = &blame->variable[number];
		bool is_shown = v->inclusive >= least || v->read >= least;

		if (is_shown) {
			work->variable[work->variables] = number;
			work->variable_of[number] = ++work->variables;
		}
		i = is_shown ? i + 1 : rows.row[i].end;
	}
	ct_blame_rows_fini(&rows);
	return 0;
}

static int make(struct ct_report_blame *work)
{
	const struct ct_blame *blame = work->blame;
	int err;

	work->frame_of = calloc(blame->nodes + 1, sizeof(*work->frame_of));
	work->home = calloc(blame->nodes + 1, sizeof(*work->home));
	work->unplaced = calloc(blame->nodes + 1, sizeof(*work->unplaced));
	work->variable_of = calloc(blame->variables + 1, sizeof(*work->variable_of));
	work->variable = calloc(blame->variables + 1, sizeof(*work->variable));
	work->part = calloc(blame->leaves + 1, sizeof(*work->part));
	if (!work->frame_of || !work->home || !work->unplaced || !work->variable_of ||
	    !work->variable || !work->part)
		return -ENOMEM;
	err = choose_variables(work);
	work->blamed = calloc(work->variables + 1, sizeof(*work->blamed));
	if (err == 0 && !work->blamed)
		err = -ENOMEM;
	if (err == 0) {
		choose_nodes(work);
		sort_parts(work);
	}
	return err;
}

int ct_report_blame_open(struct ct_report_blame **out, const struct ct_sections *sections)
{
	const struct ct_section *section = NULL;
	const struct ct_blame *blame = NULL;

	*out = NULL;
	while ((section = ct_sections_next(sections, section)))
		blame = section->blame ? section->blame : blame;
	if (!blame || !(blame->total > 0))
		return 0;
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	(*out)->blame = blame;
	(*out)->least = FRAMES_MIN * blame->total;
	return make(*out);
}

void ct_report_blame_close(struct ct_report_blame *work)
{
	if (!work)
		return;
	free(work->frame_of);
	free(work->home);
	free(work->unplaced);
	free(work->variable_of);
	free(work->variable);
	free(work->part);
	free(work->blamed);
	free(work);
}

#define rows_page_flame_blame NULL
static const struct ct_table_def blamed = {CT_TABLE_PARTS(page_flame_blame, NULL)};
static const struct ct_table_child of_frame[] = {{"variables", &blamed}, {NULL, NULL}};

const struct ct_table_def ct_page_blame_table = {CT_TABLE_PARTS(page_blame, NULL)};
const struct ct_table_def ct_page_flame_table = {CT_TABLE_PARTS(page_flame, NULL),
						 .child = of_frame};
const struct ct_table_def ct_page_variables_table = {CT_TABLE_PARTS(page_variables, NULL)};
