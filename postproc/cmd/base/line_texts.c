/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the sources that a trace names. */
#include "postproc/cmd/base/line_texts.h"

#include "base/array.h"
#include "postproc/render/base/source_file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LINES_MAX 1000000u

uint64_t ctpost_begin_ns(const struct ct_trace *trace)
{
	json_t *manifest = json_loads(ct_trace_manifest(trace), 0, NULL);
	json_int_t begin = json_integer_value(json_object_get(manifest, "start_ns"));

	json_decref(manifest);
	return begin > 0 ? (uint64_t)begin : 0;
}

void ctpost_line_texts_fini(struct ctpost_line_texts *texts)
{
	for (size_t i = 0; i < texts->lines; i++)
		free(texts->line[i]);
	free(texts->line);
	free(texts->path);
	*texts = (struct ctpost_line_texts){.before_ns = texts->before_ns};
}

static bool is_unchanged(const struct ctpost_line_texts *texts, FILE *file)
{
	struct stat status;

	if (!texts->before_ns)
		return true;
	return fstat(fileno(file), &status) == 0 &&
	       (uint64_t)status.st_mtim.tv_sec * 1000000000u + (uint64_t)status.st_mtim.tv_nsec <=
		   texts->before_ns;
}

static void read_lines(struct ctpost_line_texts *texts, FILE *file)
{
	char *line = NULL;
	size_t bytes = 0;

	while (texts->lines < LINES_MAX && getline(&line, &bytes, file) >= 0) {
		if (ct_array_grow(&texts->line, texts->lines, sizeof(*texts->line)) < 0)
			break;
		texts->line[texts->lines] = strndup(line, CT_LINE_BYTES - 1);
		if (!texts->line[texts->lines])
			break;
		texts->lines++;
	}
	free(line);
}

/* Files that are not there, or have changed, have no lines. */
static void open_file(struct ctpost_line_texts *texts, const char *path)
{
	FILE *file = ct_source_file_open(path, CT_QUOTE_SOURCES);

	ctpost_line_texts_fini(texts);
	texts->path = strdup(path);
	if (file && is_unchanged(texts, file))
		read_lines(texts, file);
	if (file)
		fclose(file);
}

static const char *text_of(void *user, const char *path, uint32_t line, char buffer[CT_LINE_BYTES])
{
	struct ctpost_line_texts *texts = user;

	if (!texts->path || strcmp(texts->path, path) != 0)
		open_file(texts, path);
	if (!line || line > texts->lines)
		return NULL;
	snprintf(buffer, CT_LINE_BYTES, "%s", texts->line[line - 1]);
	return buffer;
}

struct ct_line_texts ctpost_line_texts_of(struct ctpost_line_texts *texts)
{
	return (struct ct_line_texts){text_of, texts};
}
