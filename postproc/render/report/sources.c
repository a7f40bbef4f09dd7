/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source that the report names, and excerpts around them. */
#include "postproc/render/report/sources.h"
#include "postproc/facts/place.h"
#include "postproc/render/report/parts.h"
#include "postproc/sources/text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define AROUND 4u            /* lines before and after */
#define LINES_MAX 4000u      /* wanted, in all files together */
#define WHOLE_ALL_MAX 16000u /* of all such files together */
#define PATH_BYTES 4096u

struct source {
	char *path;
	unsigned study;
	uint32_t *line; /* wanted */
	size_t lines, room;
};

struct ct_sources {
	struct ct_source_store *store[CT_SOURCES_STUDIES];
	unsigned studies;
	struct source *source;
	size_t count;
	size_t wanted;
	size_t last;   /* where the last look-up ended */
	size_t wholes; /* lines of files that are there as a whole */
};

struct row_page_sources {
	uint64_t number;
	const char *path, *study;
	bool is_found;
	const char *state;
};

struct row_page_lines {
	uint64_t number;
	const char *text;
};

#define CT_DESCRIBED "postproc/render/report/sources.def"
#include "postproc/tables/described.h"

int ct_sources_open(struct ct_sources **out, struct ct_source_store *const *store, unsigned studies)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	(*out)->studies = studies;
	for (unsigned study = 0; study < studies; study++)
		(*out)->store[study] = store[study];
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

static bool is_of(const struct source *source, unsigned study, const char *path)
{
	return source->study == study && !strcmp(source->path, path);
}

static long find(struct ct_sources *sources, unsigned study, const char *path)
{
	struct source *grown;

	if (sources->last < sources->count && is_of(&sources->source[sources->last], study, path))
		return (long)sources->last;
	for (size_t i = 0; i < sources->count; i++)
		if (is_of(&sources->source[i], study, path))
			return (long)(sources->last = i);
	grown = realloc(sources->source, (sources->count + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	sources->source = grown;
	grown[sources->count] = (struct source){.path = strdup(path), .study = study};
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

long ct_sources_want(struct ct_sources *sources, unsigned study, const char *file, uint32_t line)
{
	char path[PATH_BYTES];
	long index = find(sources, study, ct_place_path(file, path, sizeof(path)));

	if (index < 0 || want(sources, &sources->source[index], line) < 0)
		return -ENOMEM;
	return index;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static bool is_whole(struct ct_sources *sources, const struct source *source, uint32_t last)
{
	if (!ct_source_is_whole(source->path, last) || sources->wholes + last > WHOLE_ALL_MAX)
		return false;
	sources->wholes += last;
	return true;
}

/* All lines that are known. */
static int put_whole(struct ct_table_sink *sink, struct ct_source_store *store,
		     const struct source *source, uint32_t last)
{
	int err = 0;

	for (uint32_t line = 1; line <= last && err == 0; line++) {
		const char *text = ct_source_line(store, source->path, line);

		if (text)
			err = ct_table_put_child(sink, 0, &(struct row_page_lines){line, text});
	}
	return err;
}

/* The lines within AROUND of a wanted one. */
static int put_lines(struct ct_table_sink *sink, struct ct_source_store *store,
		     const struct source *source)
{
	uint32_t next = 1;
	int err = 0;

	for (size_t i = 0; i < source->lines; i++) {
		uint32_t wanted = source->line[i], line = wanted > AROUND ? wanted - AROUND : 1;

		for (line = line > next ? line : next; line <= wanted + AROUND && err == 0;
		     line++) {
			const char *text = ct_source_line(store, source->path, line);

			if (text)
				err = ct_table_put_child(sink, 0,
							 &(struct row_page_lines){line, text});
		}
		next = line > next ? line : next;
	}
	return err;
}

static int put_source(struct ct_sources *sources, struct ct_table_sink *sink,
		      const struct source *source)
{
	struct ct_source_store *store = sources->store[source->study];
	uint32_t last = ct_source_last_line(store, source->path);

	return is_whole(sources, source, last) ? put_whole(sink, store, source, last)
					       : put_lines(sink, store, source);
}

static const char *state_text(enum ct_source_state state)
{
	if (state == CT_SOURCE_HAS_CHANGED)
		return "changed since";
	return state == CT_SOURCE_WAS_NEWER ? "newer than the program" : "";
}

/* Files whose lines the trace has stand behind those that tables name: sentences may name them. */
static int add_stored(struct ct_sources *sources, unsigned study)
{
	struct ct_source_store *store = sources->store[study];
	size_t count = store ? ct_source_count(store) : 0;

	for (size_t i = 0; i < count; i++) {
		const char *path = ct_source_path(store, i);

		if (ct_source_last_line(store, path) && strncmp(path, "/usr/", 5) != 0 &&
		    find(sources, study, path) < 0)
			return -ENOMEM;
	}
	return 0;
}

static const char *study_text(const struct ct_sources *sources, unsigned study)
{
	if (sources->studies < 2)
		return NULL;
	return study ? "after" : "before";
}

static int rows_page_sources(const void *from, struct ct_table_sink *sink)
{
	struct ct_sources *sources = ((const struct ct_report_writer *)from)->sources;
	char path[PATH_BYTES];
	int err = 0;

	for (unsigned study = 0; study < sources->studies && err == 0; study++)
		err = add_stored(sources, study);
	for (size_t i = 0; i < sources->count && err == 0; i++) {
		struct source *source = &sources->source[i];
		struct ct_source_store *store = sources->store[source->study];

		if (source->lines)
			qsort(source->line, source->lines, sizeof(*source->line), compare);
		err = ct_table_put_row(
		    sink, &(struct row_page_sources){
			      i, ct_place_path(source->path, path, sizeof(path)),
			      study_text(sources, source->study),
			      store && ct_source_is_known(store, source->path),
			      store ? state_text(ct_source_state(store, source->path)) : ""});
		if (store && err == 0)
			err = put_source(sources, sink, source);
	}
	return err;
}

#define rows_page_lines NULL
static const struct ct_table_def lines = {CT_TABLE_PARTS(page_lines, NULL)};
static const struct ct_table_child of_source[] = {{"lines", &lines}, {NULL, NULL}};

const struct ct_table_def ct_page_sources_table = {CT_TABLE_PARTS(page_sources, NULL),
						   .child = of_source};
