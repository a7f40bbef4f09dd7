/* SPDX-License-Identifier: Apache-2.0 */
/* A unit's PTX in two. */
#include "driver/ptxas/split.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function, declared or defined, as its text is read. */
struct function {
	bool is_open; /* its text goes on */
	bool is_apart, is_near;
	int depth;   /* of braces */
	size_t head; /* bytes of text before the body, or before the end of a declaration */
	char *text;
	size_t bytes, capacity;
};

struct split {
	FILE *rest, *apart;
	struct function function;
	bool is_header; /* no function yet */
	int count;      /* functions defined apart */
	bool failed;    /* for want of memory */
};

static bool begins(const char *line, const char *word)
{
	return strncmp(line, word, strlen(word)) == 0;
}

/* Of the function that this line begins: behind the value that it returns. */
static const char *name_of(const char *line)
{
	const char *name = strstr(line, ".func") + strlen(".func");

	name += strspn(name, " ");
	if (*name == '(')
		name += strcspn(name, ")") + 1;
	return name + strspn(name, " )");
}

/* Functions of others are not looked at. */
static void begin(struct function *f, const char *line)
{
	const char *name = name_of(line);

	f->is_apart = begins(name, CT_PTX_NAME_APART);
	f->is_near = begins(name, CT_PTX_NAME_NEAR);
	f->is_open = f->is_apart || f->is_near;
	f->depth = 0;
	f->bytes = f->head = 0;
}

static bool add(struct function *f, const char *line)
{
	size_t bytes = strlen(line), capacity = f->capacity ? f->capacity : 4096;
	char *text;

	while (capacity < f->bytes + bytes)
		capacity *= 2;
	text = realloc(f->text, capacity);
	if (!text)
		return false;
	f->text = text;
	f->capacity = capacity;
	memcpy(text + f->bytes, line, bytes);
	f->bytes += bytes;
	return true;
}

/* What of the line is no comment: its braces, opened less closed, and whether it ends a
 * declaration. */
static int braces(const char *line, bool *ends)
{
	int depth = 0;

	*ends = false;
	for (const char *c = line; *c && !begins(c, "//"); c++) {
		depth += (*c == '{') - (*c == '}');
		if (*c == ';' || *c == '}')
			*ends = true;
		else if (*c != '\n' && *c != ' ' && *c != '\t')
			*ends = false;
	}
	return depth;
}

static void put(FILE *file, const char *before, const struct function *f, size_t bytes,
		const char *behind)
{
	fputs(before, file);
	fwrite(f->text, 1, bytes, file);
	fputs(behind, file);
}

static void end(struct split *split)
{
	struct function *f = &split->function;

	f->is_open = false;
	if (f->is_apart) {
		put(split->rest, ".extern ", f, f->head, ";\n");
		put(split->apart, ".visible ", f, f->bytes, "");
		split->count += f->head < f->bytes && f->text[f->head] == '{';
		return;
	}
	put(split->rest, "", f, f->bytes, "");
	if (f->is_near)
		put(split->apart, "", f, f->bytes, "");
}

/* The next line of a function. */
static void take(struct split *split, const char *line)
{
	struct function *f = &split->function;
	bool ends, is_body = f->depth > 0, opens = line[0] == '{' || line[0] == ';';

	if (!is_body && opens)
		f->head = f->bytes;
	if (!add(f, line)) {
		split->failed = true;
		return;
	}
	f->depth += braces(line, &ends);
	if (f->depth == 0 && ends && (is_body || opens))
		end(split);
}

static void read_line(struct split *split, const char *line)
{
	struct function *f = &split->function;

	if (!f->is_open && (begins(line, ".func") || begins(line, ".entry") ||
			    begins(line, ".visible .entry") || begins(line, ".weak .entry")))
		split->is_header = false;
	if (!f->is_open && begins(line, ".func"))
		begin(f, line);
	if (f->is_open) {
		take(split, line);
		return;
	}
	fputs(line, split->rest);
	if (split->is_header &&
	    (begins(line, ".version") || begins(line, ".target") || begins(line, ".address_size")))
		fputs(line, split->apart);
}

static int close_written(FILE *file, int err)
{
	int bad = file ? ferror(file) : 0;

	if (file && (fclose(file) != 0 || bad) && err >= 0)
		return -EIO;
	return err;
}

int ct_ptx_split(const char *path, const char *rest, const char *apart)
{
	struct split split = {.is_header = true};
	FILE *file = fopen(path, "r");
	size_t capacity = 0;
	char *line = NULL;
	int err = 0;

	if (!file)
		return -errno;
	split.rest = fopen(rest, "w");
	split.apart = fopen(apart, "w");
	if (!split.rest || !split.apart)
		err = -errno;
	while (err == 0 && !split.failed && getline(&line, &capacity, file) >= 0)
		read_line(&split, line);
	if (split.failed)
		err = -ENOMEM;
	free(line);
	free(split.function.text);
	fclose(file);
	err = close_written(split.rest, err);
	err = close_written(split.apart, err);
	return err < 0 ? err : split.count;
}
