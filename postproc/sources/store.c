/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of sources that traces name. */
#include "postproc/sources/store.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/intern.h"
#include "postproc/facts/place.h"
#include "postproc/sources/text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_BYTES 4096u
#define TIME_MIN 1000000000000000000u /* of a clock that was set */

struct source {
	char *path;
	/* A trace has this of it. */
	struct ct_trace *trace; /* NULL: nothing */
	uint32_t part, row;     /* of SOURCE, from 1 */
	const struct ct_row_source *stored;
	const struct ct_row_source_line *line; /* its rows, ascending */
	size_t lines;
	/* The file at hand, when it is asked for. */
	bool is_looked_for, is_there;
	struct ct_source_text text;
	bool has_state;
	enum ct_source_state state;
};

struct ct_source_store {
	struct ct_intern paths;
	struct source *source; /* by number of its path, from 1 */
	size_t count;
	const char *root;
	enum ct_quoting quoting;
	uint64_t begin_ns; /* CLOCK_REALTIME: when the first process began; 0 not known */
};

/* NULL: memory is short. */
static struct source *source_of(struct ct_source_store *store, const char *name)
{
	char buffer[PATH_BYTES];
	const char *path = ct_place_path(name, buffer, sizeof(buffer));
	bool is_new = false;
	uint32_t number = ct_intern_add(&store->paths, path, strlen(path), &is_new);
	char *copy = number && is_new ? strdup(path) : NULL;

	if (!number || (is_new && (!copy || ct_array_grow(&store->source, store->count,
							  sizeof(*store->source)) < 0))) {
		free(copy);
		return NULL;
	}
	if (is_new)
		store->source[store->count++] = (struct source){.path = copy};
	return number <= store->count ? &store->source[number - 1] : NULL;
}

/* Rows of lines of a source stand together. */
static void take_lines(struct source *source, const struct ct_row_source_line *line, size_t count)
{
	size_t first = 0;

	while (first < count && line[first].source != source->row)
		first++;
	source->line = line + first;
	while (first < count && line[first].source == source->row) {
		source->lines++;
		first++;
	}
}

/* Takes one of several processes that has its lines. */
static int take_part(struct ct_source_store *store, struct ct_trace *trace, uint32_t part)
{
	const struct ct_row_source *row;
	const struct ct_row_source_line *line;
	size_t rows, lines;
	int err = ct_trace_rows(trace, part, CT_TABLE_SOURCE, (const void **)&row, &rows);

	if (err == 0)
		err =
		    ct_trace_rows(trace, part, CT_TABLE_SOURCE_LINE, (const void **)&line, &lines);
	for (size_t i = 0; i < rows && err == 0; i++) {
		const char *path = ct_trace_string(trace, part, row[i].path);
		struct source *source = *path ? source_of(store, path) : NULL;

		if (!source) {
			err = *path ? -ENOMEM : 0;
			continue;
		}
		if (source->trace && !(source->stored->flags & CT_SOURCE_ABSENT))
			continue;
		source->trace = trace;
		source->part = part;
		source->row = (uint32_t)i + 1;
		source->stored = &row[i];
		source->lines = 0;
		take_lines(source, line, lines);
	}
	return err;
}

static int take_trace(struct ct_source_store *store, struct ct_trace *trace)
{
	const struct ct_process_info *process;
	size_t parts = ct_trace_processes(trace, &process);
	int err = 0;

	for (size_t i = 0; i < parts && err == 0; i++) {
		uint64_t begin_ns = process[i].event ? process[i].event->header.time_ns : 0;

		if (begin_ns >= TIME_MIN && (!store->begin_ns || begin_ns < store->begin_ns))
			store->begin_ns = begin_ns;
		err = take_part(store, trace, process[i].part);
	}
	return err;
}

int ct_source_store_open(struct ct_source_store **out, struct ct_trace *const *trace, size_t count,
			 const char *root, enum ct_quoting quoting)
{
	struct ct_source_store *store = calloc(1, sizeof(*store));
	int err = store ? 0 : -ENOMEM;

	*out = NULL;
	for (size_t i = 0; i < count && err == 0; i++)
		err = take_trace(store, trace[i]);
	if (err < 0) {
		ct_source_store_close(store);
		return err;
	}
	store->root = root;
	store->quoting = quoting;
	*out = store;
	return 0;
}

void ct_source_store_close(struct ct_source_store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < store->count; i++) {
		ct_source_text_fini(&store->source[i].text);
		free(store->source[i].path);
	}
	ct_intern_fini(&store->paths);
	free(store->source);
	free(store);
}

/* Under the root with as much of the path as fits there, then the path itself. */
static FILE *open_file(const struct ct_source_store *store, const char *path)
{
	char buffer[PATH_BYTES];
	FILE *file;

	for (const char *rest = store->root ? path : NULL; rest;) {
		while (*rest == '/')
			rest++;
		if ((size_t)snprintf(buffer, sizeof(buffer), "%s/%s", store->root, rest) <
		    sizeof(buffer)) {
			file = ct_source_file_open(buffer, store->quoting);
			if (file)
				return file;
		}
		rest = strchr(rest, '/');
	}
	return ct_source_file_open(path, store->quoting);
}

static bool has_mark(const struct source *source)
{
	return source->stored && !(source->stored->flags & CT_SOURCE_ABSENT);
}

static bool is_marked(const struct source *source, const struct ct_source_mark *mark)
{
	return mark->bytes == source->stored->bytes && mark->hash == source->stored->hash;
}

/* Where the file was. */
static const char *file_of(const struct source *source)
{
	const char *file = source->stored
			       ? ct_trace_string(source->trace, source->part, source->stored->file)
			       : "";

	return *file ? file : source->path;
}

/* It is not known what a file was that was not there then; its state says so. */
static void look_for(struct ct_source_store *store, struct source *source)
{
	FILE *file = open_file(store, file_of(source));

	source->is_looked_for = true;
	if (!file || ct_source_text_read(&source->text, file) < 0)
		return;
	source->is_there = !has_mark(source) || is_marked(source, &source->text.mark);
}

static const char *stored_line(const struct source *source, uint32_t line)
{
	size_t low = 0, high = source->lines;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (source->line[middle].line < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low < source->lines && source->line[low].line == line
		   ? ct_trace_string(source->trace, source->part, source->line[low].text)
		   : NULL;
}

const char *ct_source_line(struct ct_source_store *store, const char *path, uint32_t line)
{
	struct source *source =
	    line && store->quoting != CT_QUOTE_NOTHING ? source_of(store, path) : NULL;
	const char *stored = source ? stored_line(source, line) : NULL;

	if (!source || stored)
		return stored;
	if (!source->is_looked_for)
		look_for(store, source);
	return source->is_there && line <= source->text.lines ? source->text.line[line - 1] : NULL;
}

uint32_t ct_source_last_line(struct ct_source_store *store, const char *path)
{
	struct source *source = store->quoting != CT_QUOTE_NOTHING ? source_of(store, path) : NULL;
	size_t lines = 0;

	if (!source)
		return 0;
	if (!source->is_looked_for)
		look_for(store, source);
	if (source->lines)
		lines = source->line[source->lines - 1].line;
	if (source->is_there && source->text.lines > lines)
		lines = source->text.lines;
	return (uint32_t)lines;
}

bool ct_source_is_known(struct ct_source_store *store, const char *path)
{
	struct source *source = store->quoting != CT_QUOTE_NOTHING ? source_of(store, path) : NULL;

	if (!source)
		return false;
	if (!source->lines && !source->is_looked_for)
		look_for(store, source);
	return source->lines || source->is_there;
}

static bool get_status(const struct source *source, struct stat *status, uint64_t *modified_ns)
{
	if (stat(file_of(source), status) != 0 || !S_ISREG(status->st_mode))
		return false;
	*modified_ns = ct_clock_of(&status->st_mtim);
	return true;
}

/* A file that is not there any more has not changed. */
static bool is_changed(const struct source *source)
{
	struct ct_source_text text;
	uint64_t modified_ns;
	struct stat status;
	FILE *file;
	bool is_other;

	if (!get_status(source, &status, &modified_ns))
		return false;
	if ((uint64_t)status.st_size != source->stored->bytes)
		return true;
	if (modified_ns == source->stored->modified_ns)
		return false;
	file = ct_source_file_open(file_of(source), CT_QUOTE_ALL);
	if (!file || ct_source_text_read(&text, file) < 0)
		return false;
	is_other = !is_marked(source, &text.mark);
	ct_source_text_fini(&text);
	return is_other;
}

/* Compares files that the trace does not say more of. A name that is not from the root may be any
 * file's. */
static bool is_newer(const struct ct_source_store *store, const struct source *source)
{
	uint64_t modified_ns;
	struct stat status;

	return store->begin_ns && *source->path == '/' &&
	       get_status(source, &status, &modified_ns) && modified_ns > store->begin_ns;
}

enum ct_source_state ct_source_state(struct ct_source_store *store, const char *path)
{
	struct source *source = source_of(store, path);

	if (!source)
		return CT_SOURCE_IS_SAME;
	if (!source->has_state && !has_mark(source))
		source->state = is_newer(store, source) ? CT_SOURCE_WAS_NEWER : CT_SOURCE_IS_SAME;
	else if (!source->has_state)
		source->state = is_changed(source)                        ? CT_SOURCE_HAS_CHANGED
				: source->stored->flags & CT_SOURCE_NEWER ? CT_SOURCE_WAS_NEWER
									  : CT_SOURCE_IS_SAME;
	source->has_state = true;
	return source->state;
}

size_t ct_source_count(const struct ct_source_store *store)
{
	return store->count;
}

const char *ct_source_path(const struct ct_source_store *store, size_t number)
{
	return store->source[number].path;
}

const char *ct_source_file(const struct ct_source_store *store, size_t number)
{
	return file_of(&store->source[number]);
}
