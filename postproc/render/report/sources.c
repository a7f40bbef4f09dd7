/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source that the report names, and excerpts around them from files at hand. */
#include "postproc/render/report/sources.h"
#include "postproc/facts/words.h"
#include "postproc/render/base/json.h"
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

static void put(struct ct_sources *sources, struct ct_out *out, const char *key, const char *file,
		uint32_t line, uint32_t column)
{
	long index;

	if (!file || !*file || !line) {
		ct_out_json(out, key, json_null());
		return;
	}
	index = find(sources, file);
	if (index < 0 || want(sources, &sources->source[index], line) < 0) {
		ct_out_json(out, key, NULL);
		return;
	}
	ct_out_array(out, key);
	ct_out_integer(out, NULL, (uint64_t)index);
	ct_out_integer(out, NULL, line);
	if (column)
		ct_out_integer(out, NULL, column);
	ct_out_end(out);
}

void ct_sources_put(struct ct_sources *sources, struct ct_out *out, const char *key,
		    const char *file, uint32_t line)
{
	put(sources, out, key, file, line, 0);
}

void ct_sources_put_site(struct ct_sources *sources, struct ct_out *out, const char *key,
			 const struct ct_unit *unit, uint32_t site)
{
	struct ct_place place = {.file = ""};

	if (unit && site < unit->header->site_count)
		place = ct_place_of(unit, &unit->sites[site]);
	put(sources, out, key, place.file, place.line, place.column);
}

void ct_sources_put_descriptor(struct ct_sources *sources, struct ct_out *out, const char *key,
			       const char *descriptor)
{
	char file[PATH_BYTES], line[32];

	ct_site_field(descriptor, 1, file, sizeof(file));
	ct_site_field(descriptor, 2, line, sizeof(line));
	ct_sources_put(sources, out, key, file, (uint32_t)strtoul(line, NULL, 10));
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

static void write_line(struct ct_out *out, char *text, ssize_t bytes)
{
	size_t length = (size_t)bytes;

	while (length && (text[length - 1] == '\n' || text[length - 1] == '\r'))
		length--;
	if (length > LINE_BYTES_MAX)
		length = LINE_BYTES_MAX;
	while (length && length == LINE_BYTES_MAX && (text[length] & 0xc0) == 0x80)
		length--;
	text[length] = '\0';
	ct_out_text(out, NULL, text);
}

/* The lines within AROUND of a wanted one. */
static void write_excerpts(struct ct_out *out, const struct source *source, FILE *file)
{
	size_t next = 0, room = 0;
	uint32_t number = 0;
	int is_open = 0;
	char *text = NULL;
	ssize_t bytes;

	while (next < source->lines && (bytes = getline(&text, &room, file)) >= 0) {
		number++;
		while (next < source->lines && source->line[next] + AROUND < number)
			next++;
		if (next == source->lines || number + AROUND < source->line[next]) {
			if (is_open)
				ct_out_end(out);
			is_open = 0;
			continue;
		}
		if (!is_open) {
			ct_out_array(out, NULL);
			ct_out_integer(out, NULL, number);
		}
		is_open = 1;
		write_line(out, text, bytes);
	}
	if (is_open)
		ct_out_end(out);
	free(text);
}

void ct_sources_write(struct ct_sources *sources, struct ct_out *out, const char *key)
{
	char path[PATH_BYTES];

	ct_out_array(out, key);
	for (size_t i = 0; i < sources->count; i++) {
		struct source *source = &sources->source[i];
		FILE *file = open_source(sources, source->path);

		qsort(source->line, source->lines, sizeof(*source->line), compare);
		ct_out_object(out, NULL);
		ct_out_text(out, "path", ct_place_path(source->path, path, sizeof(path)));
		ct_out_bool(out, "found", file != NULL);
		ct_out_array(out, "excerpts");
		if (file) {
			write_excerpts(out, source, file);
			fclose(file);
		}
		ct_out_end(out);
		ct_out_end(out);
	}
	ct_out_end(out);
}
