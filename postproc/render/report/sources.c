/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source that the report names, and excerpts around them from files at hand. */
#include "postproc/render/report/sources.h"
#include "postproc/facts/place.h"
#include "postproc/render/report/parts.h"
#include "postproc/tables/describe.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define AROUND 4u           /* lines before and after */
#define LINES_MAX 4000u     /* wanted, in all files together */
#define LINE_BYTES_MAX 400u /* of one line */
#define PATH_BYTES 4096u

struct source {
	char *path;
	uint32_t *line; /* wanted */
	size_t lines, room;
};

struct ct_sources {
	const char *root;
	enum ct_quoting quoting;
	struct source *source;
	size_t count;
	size_t wanted;
	size_t last; /* where the last look-up ended */
};

struct row_page_sources {
	uint64_t number;
	const char *path;
	bool is_found;
};

struct row_page_lines {
	uint64_t number;
	const char *text;
};

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/render/report/sources.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/render/report/sources.def"

int ct_sources_open(struct ct_sources **out, const char *root, enum ct_quoting quoting)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	(*out)->root = root;
	(*out)->quoting = quoting;
	return 0;
}

void ct_sources_close(struct ct_sources *sources)
{
	for (size_t i = 0; sources && i < sources->count; i++) {
		free(sources->source[i].path);
		free(sources->source[i].line);
	}
	if (sources)
		free(sources->source);
	free(sources);
}

static long find(struct ct_sources *sources, const char *path)
{
	struct source *grown;

	if (sources->last < sources->count && !strcmp(sources->source[sources->last].path, path))
		return (long)sources->last;
	for (size_t i = 0; i < sources->count; i++)
		if (!strcmp(sources->source[i].path, path))
			return (long)(sources->last = i);
	grown = realloc(sources->source, (sources->count + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	sources->source = grown;
	grown[sources->count] = (struct source){.path = strdup(path)};
	if (!grown[sources->count].path)
		return -1;
	return (long)(sources->last = sources->count++);
}

static int want(struct ct_sources *sources, struct source *source, uint32_t line)
{
	uint32_t *grown;

	for (size_t i = 0; i < source->lines; i++)
		if (source->line[i] == line)
			return 0;
	if (sources->wanted == LINES_MAX)
		return 0;
	if (source->lines == source->room) {
		grown = realloc(source->line, (2 * source->room + 16) * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		source->line = grown;
		source->room = 2 * source->room + 16;
	}
	source->line[source->lines++] = line;
	sources->wanted++;
	return 0;
}

long ct_sources_want(struct ct_sources *sources, const char *file, uint32_t line)
{
	long index = find(sources, file);

	if (index < 0 || want(sources, &sources->source[index], line) < 0)
		return -ENOMEM;
	return index;
}

/* Under the root with as much of the path as fits there, then the path itself. */
static FILE *open_source(const struct ct_sources *sources, const char *path)
{
	char buffer[PATH_BYTES];
	FILE *file;

	for (const char *rest = sources->root ? path : NULL; rest;) {
		while (*rest == '/')
			rest++;
		if ((size_t)snprintf(buffer, sizeof(buffer), "%s/%s", sources->root, rest) <
		    sizeof(buffer)) {
			file = ct_source_file_open(buffer, sources->quoting);
			if (file)
				return file;
		}
		rest = strchr(rest, '/');
	}
	return ct_source_file_open(path, sources->quoting);
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int put_line(struct ct_table_sink *sink, uint32_t number, char *text, ssize_t bytes)
{
	size_t length = (size_t)bytes;

	while (length && (text[length - 1] == '\n' || text[length - 1] == '\r'))
		length--;
	if (length > LINE_BYTES_MAX)
		length = LINE_BYTES_MAX;
	while (length && length == LINE_BYTES_MAX && (text[length] & 0xc0) == 0x80)
		length--;
	text[length] = '\0';
	return ct_table_put_child(sink, 0, &(struct row_page_lines){number, text});
}

/* The lines within AROUND of a wanted one. */
static int put_lines(struct ct_table_sink *sink, const struct source *source, FILE *file)
{
	size_t next = 0, room = 0;
	uint32_t number = 0;
	char *text = NULL;
	ssize_t bytes;
	int err = 0;

	while (err == 0 && next < source->lines && (bytes = getline(&text, &room, file)) >= 0) {
		number++;
		while (next < source->lines && source->line[next] + AROUND < number)
			next++;
		if (next < source->lines && number + AROUND >= source->line[next])
			err = put_line(sink, number, text, bytes);
	}
	free(text);
	return err;
}

static int rows_page_sources(const void *from, struct ct_table_sink *sink)
{
	struct ct_sources *sources = ((const struct ct_report_writer *)from)->sources;
	char path[PATH_BYTES];
	int err = 0;

	for (size_t i = 0; i < sources->count && err == 0; i++) {
		struct source *source = &sources->source[i];
		FILE *file = open_source(sources, source->path);

		qsort(source->line, source->lines, sizeof(*source->line), compare);
		err = ct_table_put_row(
		    sink, &(struct row_page_sources){
			      i, ct_place_path(source->path, path, sizeof(path)), file != NULL});
		if (file && err == 0)
			err = put_lines(sink, source, file);
		if (file)
			fclose(file);
	}
	return err;
}

#define rows_page_lines NULL
static const struct ct_table_def lines = {CT_TABLE_PARTS(page_lines, NULL)};
static const struct ct_table_child of_source[] = {{"lines", &lines}, {NULL, NULL}};

const struct ct_table_def ct_page_sources_table = {CT_TABLE_PARTS(page_sources, NULL),
						   .child = of_source};
