/* SPDX-License-Identifier: Apache-2.0 */
/* Blame as JSON. */
#include "base/json.h"
#include "postproc/facts/source_name.h"
#include "postproc/render/blame/blame.h"
#include "postproc/render/blame/rows.h"
#include "trace/codec/site.h"

#include <errno.h>
#include <stdlib.h>

#define DIGITS 9

static void put_share(struct ct_json *json, const char *key, double part, double whole)
{
	ct_json_put_real(json, key, whole > 0 ? 100 * part / whole : 0, DIGITS);
}

static void put_function(struct ct_json *json, const char *key, const char *function)
{
	char *name = *function ? ct_source_name(function) : NULL;

	if (*function)
		ct_json_put_text(json, key, name ? name : function);
	else
		ct_json_put_null(json, key);
	free(name);
}

static void put_variable(struct ct_json *json, const struct ct_blame *blame,
			 const struct ct_blame_rows *rows, size_t at)
{
	static const char *const kinds[] = {"unknown", "local",  "parameter",
					    "global",  "shared", "part"};
	const struct ct_blame_variable *v = &blame->variable[rows->row[at].variable];

	ct_json_open_object(json, NULL, CT_JSON_LINES);
	ct_json_put_text(json, "name", v->name);
	ct_json_put_text(json, "type", v->type);
	ct_json_put_text(json, "kind", kinds[v->kind <= CT_VARIABLE_PART ? v->kind : 0]);
	put_function(json, "function", v->function);
	ct_json_put_text(json, "file", v->file);
	ct_json_put_number(json, "line", v->line);
	put_share(json, "share", v->inclusive, blame->total);
	put_share(json, "exclusive", v->exclusive, blame->total);
	put_share(json, "reads", v->read, blame->total);
	if (blame->samples)
		ct_blame_put_waits(json, blame, rows->row[at].variable);
	ct_json_open_array(json, "children", CT_JSON_LINES);
	for (size_t i = at + 1; i < rows->row[at].end; i = rows->row[i].end)
		put_variable(json, blame, rows, i);
	ct_json_close(json);
	ct_json_close(json);
}

static void put_node(struct ct_json *json, const struct ct_blame *blame,
		     const struct ct_blame_rows *rows, size_t at)
{
	const struct ct_blame_node *node = &blame->node[rows->row[at].variable];
	bool is_deep = json->depth + 4 > CT_JSON_LEVELS;
	char *name = ct_blame_function_name(node);

	ct_json_open_object(json, NULL, CT_JSON_LINES);
	ct_json_put_text(json, "function", name ? name : node->function);
	ct_json_put_text(json, "scope", node->is_host ? "CPU" : "GPU");
	ct_json_put_text(json, "file", node->file);
	ct_json_put_number(json, "line", node->line);
	put_share(json, "share", node->total, blame->total);
	put_share(json, "self", node->self, blame->total);
	put_share(json, "cpu_share", node->cpu_total, blame->cpu_total);
	put_share(json, "cpu_self", node->cpu_self, blame->cpu_total);
	ct_json_open_array(json, "calls", CT_JSON_LINES);
	for (size_t i = at + 1; i < rows->row[at].end && !is_deep; i = rows->row[i].end)
		put_node(json, blame, rows, i);
	ct_json_close(json);
	ct_json_close(json);
	free(name);
}

static void put_object(struct ct_json *json, const struct ct_blame *blame,
		       const struct ct_blame_object *object)
{
	char function[256], file[512], line[32];

	ct_json_open_object(json, NULL, CT_JSON_LINES);
	ct_json_put_text(json, "name", object->own_name ? object->own_name : object->name);
	ct_json_put_text(json, "type", object->type);
	ct_json_put_text(json, "scope", object->is_host ? "CPU" : "GPU");
	ct_json_put_text(json, "function",
			 ct_site_field(object->site, 4, function, sizeof(function)));
	ct_json_put_text(json, "file", ct_site_field(object->site, 1, file, sizeof(file)));
	ct_json_put_number(json, "line",
			   strtoul(ct_site_field(object->site, 2, line, sizeof(line)), NULL, 10));
	put_share(json, "share", object->inclusive, blame->total);
	ct_json_close(json);
}

static void put_launches(struct ct_json *json, const struct ct_blame *blame)
{
	ct_json_open_array(json, "launches", CT_JSON_LINES);
	for (size_t l = 0; l < blame->launches; l++) {
		if (!(blame->launch[l] > 0))
			continue;
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_number(json, "launch", blame->launch_info[l].event->launch);
		ct_json_put_number(json, "part", blame->launch_info[l].part);
		ct_json_put_text(json, "kernel", blame->launch_info[l].kernel);
		put_share(json, "share", blame->launch[l], blame->total);
		ct_json_close(json);
	}
	ct_json_close(json);
}

int ct_blame_write_json(FILE *out, const struct ct_blame_output *output)
{
	const struct ct_blame *blame = output->blame;
	struct ct_blame_rows data, code = {NULL, 0};
	struct ct_json json;
	int err = ct_blame_rows_init(&data, blame);

	if (err == 0)
		err = ct_blame_code_rows_init(&code, blame);
	if (err < 0)
		goto out;
	ct_json_init(&json, out, 1, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "schema", "cudatrace-blame-1");
	ct_json_put_text(&json, "trace", output->trace);
	ct_json_put_text(&json, "weights",
			 output->sampled ? output->blame->samples->unit : "instructions");
	ct_json_put_text(&json, "of", output->weigh == CT_BLAME_LANES ? "lanes" : "warps");
	ct_json_put_real(&json, "total", blame->total, 17);
	put_share(&json, "coverage", blame->blamed, blame->total);
	put_share(&json, "coverage_paths", blame->resolved, blame->total);
	put_share(&json, "coverage_static", blame->one_path, blame->total);
	put_share(&json, "unattributed", blame->unattributed, blame->total);
	ct_json_put_real(&json, "cpu_samples", blame->cpu_total, 17);
	ct_json_put_text(&json, "cpu_missing", output->cpu_missing);
	err = ct_blame_put_sampling(&json, output);
	ct_json_open_array(&json, "variables", CT_JSON_LINES);
	for (size_t i = 0; i < data.count; i = data.row[i].end)
		put_variable(&json, blame, &data, i);
	ct_json_close(&json);
	ct_json_open_array(&json, "objects", CT_JSON_LINES);
	for (size_t i = 0; i < blame->objects; i++)
		put_object(&json, blame, &blame->object[i]);
	ct_json_close(&json);
	put_launches(&json, blame);
	ct_json_open_array(&json, "functions", CT_JSON_LINES);
	for (size_t i = 0; i < code.count; i = code.row[i].end)
		put_node(&json, blame, &code, i);
	ct_json_close(&json);
	ct_json_close(&json);
	fputc('\n', out);
	if (err == 0)
		err = ct_json_error(&json);
out:
	ct_blame_rows_fini(&data);
	ct_blame_rows_fini(&code);
	return err;
}
