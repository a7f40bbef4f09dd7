/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of blame: variables and paths of calls as trees, objects, launches and waits. */
#include "postproc/analysis/blame/tables.h"
#include "postproc/analysis/blame/rows.h"
#include "postproc/analysis/blame/waits.h"
#include "postproc/analysis/samples/samples.h"
#include "postproc/facts/source_name.h"
#include "postproc/tables/sink.h"
#include "trace/codec/site.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define ROWS_MAX 200u  /* of variables, among all findings */
#define SHARE_MIN 0.01 /* of all weight: likewise */
#define NAME_BYTES 4096u
#define PLACE_BYTES 1024u

/* Where a row of a tree is. */
struct place_in_tree {
	uint64_t number, parent; /* parent: CT_MISSING: it is below none */
	unsigned depth;
};

/* The words of a descriptor. */
struct site {
	char function[256], file[512], place[PLACE_BYTES];
	uint64_t line;
};

#define row_blame_totals ct_blame_weighing

struct row_blame_variables {
	struct place_in_tree at;
	const struct ct_blame *blame;
	const struct ct_blame_variable *v;
	const char *kind, *function;
	char outline[NAME_BYTES], waiting_for[CT_REASON_BYTES + 32];
};

struct row_blame_variable_reasons {
	const char *reason;
	double samples_share;
};

struct row_blame_variable_lines {
	uint64_t position;
	const struct ct_blame_wait *wait;
	const char *reason;
	double waits_share;
};

struct row_blame_waits {
	uint64_t number;
	const struct ct_blame_waited *of;
	const char *function, *reason, *words;
	double waits_share;
	char place[PLACE_BYTES];
};

struct row_blame_objects {
	uint64_t number;
	const struct ct_blame *blame;
	const struct ct_blame_object *o;
	const char *name;
	struct site site;
};

struct row_blame_launches {
	const struct ct_launch_info *info;
	double blame_share;
	struct site site;
};

struct row_blame_functions {
	struct place_in_tree at;
	const struct ct_blame *blame;
	const struct ct_blame_node *node;
	const char *function;
	char outline[NAME_BYTES], place[PLACE_BYTES];
};

static double share(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

/* Missing where no host thread was sampled. */
static double cpu_share(const struct ct_blame *blame, double part)
{
	return blame->cpu_total > 0 ? part / blame->cpu_total : NAN;
}

static uint64_t line_of(uint32_t line)
{
	return line ? line : CT_MISSING;
}

#define CT_DESCRIBED "postproc/analysis/blame/tables.def"
#include "postproc/tables/described.h"

static void read_site(struct site *site, const char *descriptor)
{
	const char *function = ct_site_field(descriptor, 4, site->function, sizeof(site->function));
	const char *file = ct_site_field(descriptor, 1, site->file, sizeof(site->file));
	char line[32];

	ct_site_field(descriptor, 2, line, sizeof(line));
	site->line = *line ? strtoul(line, NULL, 10) : CT_MISSING;
	snprintf(site->place, sizeof(site->place), "%s%s%s%s%s", function,
		 *function && *file ? ", " : "", file, *file ? ":" : "", line);
}

static void outline(char text[NAME_BYTES], const char *name, unsigned depth)
{
	snprintf(text, NAME_BYTES, "%*s%s", (int)(2 * depth), "", name);
}

static void write_place(char place[PLACE_BYTES], const char *file, uint32_t line)
{
	if (*file && line)
		snprintf(place, PLACE_BYTES, "%s:%u", file, line);
}

static struct place_in_tree place_of(const struct ct_blame_rows *rows, size_t row)
{
	const struct ct_blame_row *of = &rows->row[row];

	return (struct place_in_tree){row, of->parent == SIZE_MAX ? CT_MISSING : of->parent,
				      of->depth};
}

static int rows_blame_totals(const void *from, struct ct_table_sink *sink)
{
	return ct_table_put_row(sink, from);
}

/* Writes what warps wait for that are to blame on a variable: "long scoreboard 62.5 %" */
static void write_reason(char *text, size_t bytes, const struct ct_blame *blame, uint32_t variable)
{
	const struct ct_weights *samples = blame->samples;
	const double *of = &blame->by_reason[variable * samples->reason_count];
	char reason[CT_REASON_BYTES];
	size_t top = 0;

	for (size_t r = 1; r < samples->reason_count; r++)
		if (of[r] > of[top])
			top = r;
	if (samples->reason_count && of[top] > 0)
		snprintf(text, bytes, "%s %.1f %%",
			 ct_samples_reason_text(samples->reasons[top], reason),
			 100 * share(of[top], blame->variable[variable].inclusive));
}

static int put_waits(struct ct_table_sink *sink, const struct ct_blame *blame, uint32_t variable)
{
	const struct ct_weights *samples = blame->samples;
	const double *of = &blame->by_reason[variable * samples->reason_count];
	const struct ct_blame_wait *first = ct_blame_first_wait(blame, variable);
	int err = 0;

	for (size_t r = 0; r < samples->reason_count && err == 0; r++)
		if (of[r] > 0)
			err = ct_table_put_child(
			    sink, 0,
			    &(struct row_blame_variable_reasons){samples->reasons[r],
								 share(of[r], blame->total)});
	for (const struct ct_blame_wait *wait = first;
	     wait && wait < blame->wait + blame->waits && wait->variable == variable && err == 0;
	     wait++)
		err = ct_table_put_child(
		    sink, 1,
		    &(struct row_blame_variable_lines){(uint64_t)(wait - first), wait,
						       samples->reasons[wait->reason],
						       share(wait->weight, blame->total)});
	return err;
}

static int put_variable(struct ct_table_sink *sink, const struct ct_blame *blame, uint32_t variable,
			struct place_in_tree at)
{
	static const char *const kinds[] = {"unknown", "local",  "parameter",
					    "global",  "shared", "part"};
	const struct ct_blame_variable *v = &blame->variable[variable];
	char *function = ct_source_name(v->function);
	struct row_blame_variables row = {
	    .at = at,
	    .blame = blame,
	    .v = v,
	    .kind = kinds[v->kind <= CT_VARIABLE_PART ? v->kind : 0],
	    .function = function ? function : v->function,
	};
	int err;

	outline(row.outline, v->name, at.depth);
	if (blame->samples)
		write_reason(row.waiting_for, sizeof(row.waiting_for), blame, variable);
	err = ct_table_put_row(sink, &row);
	if (err == 0 && blame->samples)
		err = put_waits(sink, blame, variable);
	free(function);
	return err;
}

/* Among all findings those that much flows into; of what is left out all parts are left out, too. 0
 * or -ENOMEM */
static int leave_light(struct ct_blame_rows *rows, const struct ct_blame *blame)
{
	size_t *moved = malloc((rows->count + 1) * sizeof(*moved)), kept = 0;

	if (!moved)
		return -ENOMEM;
	for (size_t i = 0; i < rows->count;) {
		struct ct_blame_row row = rows->row[i];

		if (blame->variable[row.variable].inclusive < SHARE_MIN * blame->total ||
		    kept == ROWS_MAX) {
			i = row.end;
			continue;
		}
		row.parent = row.parent == SIZE_MAX ? SIZE_MAX : moved[row.parent];
		moved[i++] = kept;
		rows->row[kept++] = row;
	}
	free(moved);
	rows->count = kept;
	return 0;
}

static int rows_blame_variables(const void *from, struct ct_table_sink *sink)
{
	const struct ct_blame *blame = from;
	struct ct_blame_rows rows;
	int err = ct_blame_rows_init(&rows, blame);

	if (err == 0 && !blame->lists_all)
		err = leave_light(&rows, blame);
	for (size_t i = 0; i < rows.count && err == 0; i++)
		err = put_variable(sink, blame, rows.row[i].variable, place_of(&rows, i));
	ct_blame_rows_fini(&rows);
	return err;
}

static int rows_blame_waits(const void *from, struct ct_table_sink *sink)
{
	const struct ct_blame *blame = from;
	size_t count = 0;
	struct ct_blame_waited *waited = NULL;
	int err = 0;

	if (!blame->samples)
		return 0;
	waited = ct_blame_sort_waited(blame, &count);
	if (!waited)
		return -ENOMEM;
	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_blame_waited *of = &waited[i];
		char *function = ct_source_name(of->variable->function), words[CT_REASON_BYTES];
		struct row_blame_waits row = {
		    .number = i,
		    .of = of,
		    .function = function ? function : of->variable->function,
		    .reason = blame->samples->reasons[of->most->reason],
		    .waits_share = share(of->variable->waits, blame->total),
		};

		row.words = ct_samples_reason_text(row.reason, words);
		write_place(row.place, of->most->file, of->most->line);
		err = ct_table_put_row(sink, &row);
		free(function);
	}
	free(waited);
	return err;
}

static int rows_blame_objects(const void *from, struct ct_table_sink *sink)
{
	const struct ct_blame *blame = from;
	int err = 0;

	for (size_t i = 0; i < blame->objects && err == 0; i++) {
		const struct ct_blame_object *object = &blame->object[i];
		struct row_blame_objects row = {
		    .number = i,
		    .blame = blame,
		    .o = object,
		    .name = object->own_name ? object->own_name : object->name,
		};

		read_site(&row.site, object->site);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_blame_launches(const void *from, struct ct_table_sink *sink)
{
	const struct ct_blame *blame = from;
	struct ct_blame_rows rows;
	int err = ct_blame_launch_rows_init(&rows, blame);

	for (size_t i = 0; i < rows.count && err == 0; i++) {
		uint32_t launch = rows.row[i].variable;
		struct row_blame_launches row = {
		    .info = &blame->launch_info[launch],
		    .blame_share = share(blame->launch[launch], blame->total),
		};

		read_site(&row.site, row.info->site);
		err = ct_table_put_row(sink, &row);
	}
	ct_blame_rows_fini(&rows);
	return err;
}

static int rows_blame_functions(const void *from, struct ct_table_sink *sink)
{
	const struct ct_blame *blame = from;
	struct ct_blame_rows rows;
	int err = ct_blame_code_rows_init(&rows, blame);

	for (size_t i = 0; i < rows.count && err == 0; i++) {
		const struct ct_blame_node *node = &blame->node[rows.row[i].variable];
		char *name = ct_blame_function_name(node);
		struct row_blame_functions row = {
		    .at = place_of(&rows, i),
		    .blame = blame,
		    .node = node,
		    .function = name ? name : node->function,
		};

		outline(row.outline, row.function, row.at.depth);
		write_place(row.place, node->file, node->line);
		err = ct_table_put_row(sink, &row);
		free(name);
	}
	ct_blame_rows_fini(&rows);
	return err;
}

/* Rows of a child come with those of its table. */
#define rows_blame_variable_reasons NULL
#define rows_blame_variable_lines NULL
static const struct ct_table_def variable_reasons = {CT_TABLE_PARTS(blame_variable_reasons, NULL)};
static const struct ct_table_def variable_lines = {CT_TABLE_PARTS(blame_variable_lines, NULL)};
static const struct ct_table_child of_variable[] = {
    {"reasons", &variable_reasons}, {"lines", &variable_lines}, {NULL, NULL}};

static const struct ct_table_link of_launch[] = {{"part, launch", "launches", "part, launch"}, {0}};

const struct ct_table_def ct_blame_totals_table = {CT_TABLE_PARTS(blame_totals, NULL)};
const struct ct_table_def ct_blame_variables_table = {CT_TABLE_SHOWN(blame_variables, NULL),
						      .child = of_variable};
const struct ct_table_def ct_blame_waits_table = {CT_TABLE_SHOWN(blame_waits, NULL)};
const struct ct_table_def ct_blame_objects_table = {CT_TABLE_SHOWN(blame_objects, NULL)};
const struct ct_table_def ct_blame_launches_table = {CT_TABLE_SHOWN(blame_launches, of_launch)};
const struct ct_table_def ct_blame_functions_table = {CT_TABLE_SHOWN(blame_functions, NULL)};
