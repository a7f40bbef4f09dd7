/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of calls for flame graphs. */
#include "postproc/formats/flames/flames.h"
#include "base/json.h"
#include "postproc/analysis/blame/rows.h"
#include "postproc/facts/source_name.h"

#include <errno.h>
#include <stdlib.h>

/* Characters that separate frames and figures are not written in a name. */
static void put_name(FILE *out, const struct ct_blame_node *node)
{
	char brief[CT_BRIEF_NAME_BYTES], *name = ct_blame_function_name(node);

	for (const char *at = ct_source_name_brief(name ? name : node->function, brief); *at; at++)
		fputc(*at == ';' ? ':' : *at == '\n' ? ' ' : *at, out);
	free(name);
}

/* The nodes from the outermost function to one. */
static size_t path_to(const struct ct_blame *blame, uint32_t node, uint32_t *path)
{
	size_t count = 0;

	for (uint32_t at = node; at; at = blame->node[at].parent)
		count++;
	for (size_t i = count; i > 0; i--, node = blame->node[node].parent)
		path[i - 1] = node;
	return count;
}

int ct_blame_write_folded(FILE *out, const struct ct_blame *blame)
{
	uint32_t *path = malloc((blame->nodes + 1) * sizeof(*path));

	if (!path)
		return -ENOMEM;
	for (uint32_t node = 1; node < blame->nodes; node++) {
		size_t count;

		if (!(blame->node[node].self > 0))
			continue;
		count = path_to(blame, node, path);
		for (size_t i = 0; i < count; i++) {
			if (i)
				fputc(';', out);
			put_name(out, &blame->node[path[i]]);
		}
		fprintf(out, " %.0f\n", blame->node[node].self);
	}
	free(path);
	return ferror(out) ? -EIO : 0;
}

static void put_frames(struct ct_json *json, const struct ct_blame *blame)
{
	ct_json_open_object(json, "shared", CT_JSON_LINES);
	ct_json_open_array(json, "frames", CT_JSON_LINES);
	for (uint32_t n = 1; n < blame->nodes; n++) {
		const struct ct_blame_node *node = &blame->node[n];
		char *name = ct_blame_function_name(node);

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "name", name ? name : node->function);
		ct_json_close(json);
		free(name);
	}
	ct_json_close(json);
	ct_json_close(json);
}

static void put_samples(struct ct_json *json, const struct ct_blame *blame, uint32_t *path)
{
	ct_json_open_array(json, "samples", CT_JSON_LINES);
	for (uint32_t n = 1; n < blame->nodes; n++) {
		size_t count = path_to(blame, n, path);

		if (!(blame->node[n].self > 0))
			continue;
		ct_json_open_array(json, NULL, CT_JSON_COMPACT);
		for (size_t i = 0; i < count; i++)
			ct_json_put_number(json, NULL, path[i] - 1);
		ct_json_close(json);
	}
	ct_json_close(json);
	ct_json_open_array(json, "weights", CT_JSON_LINES);
	for (uint32_t n = 1; n < blame->nodes; n++)
		if (blame->node[n].self > 0)
			ct_json_put_real(json, NULL, blame->node[n].self, 17);
	ct_json_close(json);
}

int ct_blame_write_speedscope(FILE *out, const struct ct_blame *blame, const char *trace)
{
	uint32_t *path = malloc((blame->nodes + 1) * sizeof(*path));
	struct ct_json json;

	if (!path)
		return -ENOMEM;
	ct_json_init(&json, out, 1, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	ct_json_put_text(&json, "exporter", "ctpost blame");
	put_frames(&json, blame);
	ct_json_open_array(&json, "profiles", CT_JSON_LINES);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "type", "sampled");
	ct_json_put_text(&json, "name", trace);
	ct_json_put_text(&json, "unit", "none");
	ct_json_put_number(&json, "startValue", 0);
	ct_json_put_real(&json, "endValue", blame->total, 17);
	put_samples(&json, blame, path);
	ct_json_close(&json);
	ct_json_close(&json);
	ct_json_close(&json);
	fputc('\n', out);
	free(path);
	return ct_json_error(&json);
}
