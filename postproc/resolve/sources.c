/* SPDX-License-Identifier: Apache-2.0 */
/* The sources that a part names, into its file of names. */
#include "postproc/resolve/sources.h"
#include "base/array.h"
#include "postproc/facts/place.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 4096u
#define STEPS_UP 3u          /* the program's directory and those above it */
#define LINES_MAX 60000u     /* of all sources of a part */
#define BYTES_MAX (4u << 20) /* of their text */

struct budget {
	uint32_t lines, bytes;
};

/* The sources that are stored already. */
struct stored {
	const struct ct_row_source *source;
	size_t sources;
	const struct ct_row_source_line *line;
	size_t lines;
};

/* A file that cannot be read has no lines and a NULL for them. NULL: memory is short. */
static const struct ct_source_text *text_of(struct ct_read_sources *read, const char *path,
					    enum ct_quoting quoting)
{
	bool is_new = false;
	uint32_t number = ct_intern_add(&read->paths, path, strlen(path), &is_new);
	struct ct_source_text text = {.lines = 0};
	FILE *file;

	if (!number || (is_new && ct_array_grow(&read->text, read->count, sizeof(*read->text)) < 0))
		return NULL;
	if (!is_new)
		return &read->text[number - 1];
	/* That a file is there is said of what looks like a source alone. */
	file = ct_source_file_open(path, quoting == CT_QUOTE_ALL ? quoting : CT_QUOTE_SOURCES);
	if (file)
		ct_source_text_read(&text, file);
	read->text[read->count++] = text;
	return &read->text[number - 1];
}

void ct_read_sources_fini(struct ct_read_sources *sources)
{
	for (size_t i = 0; i < sources->count; i++)
		ct_source_text_fini(&sources->text[i]);
	free(sources->text);
	ct_intern_fini(&sources->paths);
}

static bool is_source(const char *path)
{
	FILE *file = ct_source_file_open(path, CT_QUOTE_SOURCES);

	if (file)
		fclose(file);
	return file != NULL;
}

/* Another name of it, from the root: debug information of the host has those. */
static bool ends_with(const char *path, const char *end)
{
	size_t bytes = strlen(path), end_bytes = strlen(end);

	return *path == '/' && bytes > end_bytes + 1 && path[bytes - end_bytes - 1] == '/' &&
	       strcmp(path + bytes - end_bytes, end) == 0;
}

/* Where a file is that was named from where the compiler ran: under another name that is from the
 * root, here, beside the program or above it. Its path itself if it is nowhere. */
static const char *find(const struct ct_source_writing *writing, const char *path,
			char buffer[PATH_BYTES])
{
	char directory[PATH_BYTES];

	if (*path == '/')
		return path;
	for (size_t i = 0; i < writing->named->count; i++)
		if (ends_with(writing->named->file[i].path, path) &&
		    is_source(writing->named->file[i].path))
			return writing->named->file[i].path;
	if (getcwd(directory, sizeof(directory)) &&
	    (size_t)snprintf(buffer, PATH_BYTES, "%s/%s", directory, path) < PATH_BYTES &&
	    is_source(buffer))
		return buffer;
	if ((size_t)snprintf(directory, sizeof(directory), "%s", writing->program) >=
	    sizeof(directory))
		return path;
	for (unsigned step = 0; step < STEPS_UP; step++) {
		char *slash = strrchr(directory, '/');

		if (!slash)
			break;
		*slash = '\0';
		if ((size_t)snprintf(buffer, PATH_BYTES, "%s/%s", directory, path) < PATH_BYTES &&
		    is_source(buffer))
			return buffer;
	}
	return path;
}

static bool may_quote(const struct ct_source_writing *writing, const char *path)
{
	FILE *file = ct_source_file_open(path, writing->quoting);

	if (file)
		fclose(file);
	return file != NULL;
}

static int put_line(const struct ct_source_writing *writing, uint32_t source, uint32_t line,
		    const char *text, struct budget *left)
{
	int err = 0;
	struct ct_row_source_line row = {.source = source, .line = line};

	row.text = ct_names_string(writing->names, text, &err);
	left->lines--;
	left->bytes -= (uint32_t)strlen(text);
	return err == 0 ? ct_names_row(writing->names, CT_TABLE_SOURCE_LINE, &row) : err;
}

static bool has_room(const struct budget *left)
{
	return left->lines && left->bytes >= CT_SOURCE_LINE_BYTES;
}

/* Those that are named, or all; an empty line is none. A file that would take much of what is left
 * is stored in part. */
static int put_lines(struct ct_source_writing *writing, uint32_t source,
		     const struct ct_named_file *file, const struct ct_source_text *text,
		     struct budget *left)
{
	bool is_whole =
	    ct_source_is_whole(file->path, text->lines) && text->lines < left->lines / 4;
	int err = 0;

	for (uint32_t line = 1; line <= text->lines && err == 0; line++) {
		if (!is_whole && !ct_named_is_wanted(file, line))
			continue;
		if (!has_room(left)) {
			writing->left_out++;
			break;
		}
		err = put_line(writing, source, line, text->line[line - 1], left);
	}
	return err;
}

/* As they were stored. */
static int keep_lines(struct ct_source_writing *writing, uint32_t source,
		      const struct stored *stored, uint32_t was, struct budget *left)
{
	int err = 0;

	for (size_t i = 0; i < stored->lines && err == 0 && has_room(left); i++)
		if (stored->line[i].source == was)
			err = put_line(
			    writing, source, stored->line[i].line,
			    ct_trace_string(writing->trace, writing->part, stored->line[i].text),
			    left);
	return err;
}

/* The row of a path from 1; 0: there is none. */
static uint32_t find_stored(const struct ct_source_writing *writing, const struct stored *stored,
			    const char *path)
{
	for (size_t i = 0; i < stored->sources; i++)
		if (strcmp(ct_trace_string(writing->trace, writing->part, stored->source[i].path),
			   path) == 0)
			return (uint32_t)i + 1;
	return 0;
}

static struct ct_row_source row_of(const struct ct_source_writing *writing,
				   const struct ct_source_text *text)
{
	struct ct_row_source row = {.bytes = text->mark.bytes,
				    .hash = text->mark.hash,
				    .modified_ns = text->mark.modified_ns};

	if (!text->line)
		row.flags = CT_SOURCE_ABSENT;
	else if (writing->built_ns && row.modified_ns > writing->built_ns)
		row.flags = CT_SOURCE_NEWER;
	return row;
}

static int write_source(struct ct_source_writing *writing, const struct ct_named_file *file,
			const struct stored *stored, struct budget *left)
{
	char buffer[PATH_BYTES], tidy[PATH_BYTES];
	const char *found = find(writing, file->path, buffer);
	const struct ct_source_text *text;
	uint32_t was = find_stored(writing, stored, file->path), number;
	bool is_kept = was && !(stored->source[was - 1].flags & CT_SOURCE_ABSENT), is_same;
	struct ct_row_source row;
	int err = 0;

	if (found != file->path)
		found = ct_place_path(found, tidy, sizeof(tidy));
	text = text_of(writing->read, found, writing->quoting);
	if (!text)
		return -ENOMEM;
	row = is_kept ? stored->source[was - 1] : row_of(writing, text);
	is_same = text->line && row.bytes == text->mark.bytes && row.hash == text->mark.hash;
	number = (uint32_t)ct_names_rows(writing->names, CT_TABLE_SOURCE) + 1;
	if (is_same && !may_quote(writing, found) && (!is_kept || row.flags & CT_SOURCE_LEFT_OUT)) {
		row.flags |= CT_SOURCE_LEFT_OUT;
	} else if (is_same) {
		row.flags &= ~(uint32_t)CT_SOURCE_LEFT_OUT;
		err = put_lines(writing, number, file, text, left);
	} else if (is_kept) {
		err = keep_lines(writing, number, stored, was, left);
	}
	row.path = err == 0 ? ct_names_string(writing->names, file->path, &err) : 0;
	/* One that is kept was found once. */
	if (is_kept)
		found = ct_trace_string(writing->trace, writing->part, row.file);
	else if (found == file->path || !text->line)
		found = "";
	row.file = err == 0 ? ct_names_string(writing->names, found, &err) : 0;
	return err == 0 ? ct_names_row(writing->names, CT_TABLE_SOURCE, &row) : err;
}

int ct_write_sources(struct ct_source_writing *writing)
{
	struct budget left = {LINES_MAX, BYTES_MAX};
	struct stored stored;
	int err = ct_trace_rows(writing->trace, writing->part, CT_TABLE_SOURCE,
				(const void **)&stored.source, &stored.sources);

	if (err == 0)
		err = ct_trace_rows(writing->trace, writing->part, CT_TABLE_SOURCE_LINE,
				    (const void **)&stored.line, &stored.lines);
	/* Those of the program itself first: there may not be room for all. */
	for (unsigned foreign = 0; foreign < 2; foreign++)
		for (size_t i = 0; i < writing->named->count && err == 0; i++)
			if (ct_place_is_foreign(writing->named->file[i].path) == (foreign != 0))
				err =
				    write_source(writing, &writing->named->file[i], &stored, &left);
	return err;
}
