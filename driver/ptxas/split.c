/* SPDX-License-Identifier: Apache-2.0 */
/* A unit's PTX in two. */
#include "driver/ptxas/split.h"
#include "base/array.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A label is: "$L__BB" number of the function "_" number of the block. */
#define LABEL "$L__BB"

/* A function, declared or defined, as its text is read. */
struct open_function {
	bool is_open; /* its text goes on */
	bool is_apart;
	int depth;   /* of braces */
	size_t head; /* bytes of text before the body, or before the end of a declaration */
	char *text;
	size_t bytes, capacity;
};

struct split {
	FILE *rest;
	struct open_function function;
	struct ct_ptx_functions *functions;
	bool is_header; /* no function yet */
	bool failed;    /* for want of memory */
};

static bool begins(const char *line, const char *word)
{
	return strncmp(line, word, strlen(word)) == 0;
}

/* Returns the name of the function that this line begins: behind the value that it returns. */
static const char *name_of(const char *line)
{
	const char *name = strstr(line, ".func") + strlen(".func");

	name += strspn(name, " ");
	if (*name == '(')
		name += strcspn(name, ")") + 1;
	return name + strspn(name, " )");
}

/* Functions of others are not looked at. */
static void begin(struct open_function *f, const char *line)
{
	const char *name = name_of(line);

	f->is_apart = begins(name, CT_PTX_NAME_APART);
	f->is_open = f->is_apart || begins(name, CT_PTX_NAME_NEAR);
	f->depth = 0;
	f->bytes = f->head = 0;
}

static bool add(struct open_function *f, const char *line)
{
	size_t bytes = strlen(line), capacity = f->capacity ? f->capacity : 4096;
	char *text;

	while (capacity < f->bytes + bytes + 1)
		capacity *= 2;
	text = realloc(f->text, capacity);
	if (!text)
		return false;
	f->text = text;
	f->capacity = capacity;
	memcpy(text + f->bytes, line, bytes + 1);
	f->bytes += bytes;
	return true;
}

/* Counts the line's braces outside of comments, opened less closed, and says whether it ends a
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

static char *trim(char *begin, char *end)
{
	while (end > begin && isspace((unsigned char)end[-1]))
		end--;
	return end;
}

/* A copy without comments, empty lines and numbers of functions in labels; NULL for want of memory.
 */
static char *normal_of(const char *text, size_t bytes)
{
	const char *end = text + bytes;
	char *normal = malloc(bytes + 2), *to = normal, *line = normal;

	if (!normal)
		return NULL;
	while (text < end) {
		if (begins(text, "//")) {
			while (text < end && *text != '\n')
				text++;
		} else if (*text == '\n') {
			to = trim(line, to);
			if (to > line)
				*to++ = '\n';
			line = to;
			text++;
		} else if (begins(text, LABEL)) {
			to = stpcpy(to, LABEL);
			text += strlen(LABEL);
			text += strspn(text, "0123456789");
		} else {
			*to++ = *text++;
		}
	}
	to = trim(line, to);
	if (to > line)
		*to++ = '\n';
	*to = '\0';
	return normal;
}

static struct ct_ptx_function *find(struct ct_ptx_functions *functions, const char *name,
				    size_t bytes)
{
	for (size_t i = 0; i < functions->count; i++) {
		struct ct_ptx_function *f = &functions->items[i];

		if (strncmp(f->name, name, bytes) == 0 && f->name[bytes] == '\0')
			return f;
	}
	return NULL;
}

/* The function of this name, new or declared before; NULL for want of memory. */
static struct ct_ptx_function *function_of(struct ct_ptx_functions *functions, const char *name)
{
	size_t bytes = strcspn(name, " (\n");
	struct ct_ptx_function *f = find(functions, name, bytes);

	if (f)
		return f;
	if (ct_array_grow(&functions->items, functions->count, sizeof(*f)) < 0)
		return NULL;
	f = &functions->items[functions->count];
	*f = (struct ct_ptx_function){.name = strndup(name, bytes)};
	if (!f->name)
		return NULL;
	functions->count++;
	return f;
}

static bool keep(struct ct_ptx_functions *functions, const struct open_function *open)
{
	struct ct_ptx_function *f = function_of(functions, name_of(open->text));
	bool is_defined = open->head < open->bytes && open->text[open->head] == '{';

	if (!f)
		return false;
	f->is_apart = open->is_apart;
	if (!f->head)
		f->head = normal_of(open->text, open->head);
	if (is_defined && !f->body) {
		f->body = normal_of(open->text + open->head, open->bytes - open->head);
		functions->apart += open->is_apart;
	}
	return f->head && (f->body || !is_defined);
}

static void end(struct split *split)
{
	struct open_function *f = &split->function;

	f->is_open = false;
	if (!keep(split->functions, f))
		split->failed = true;
	if (f->is_apart) {
		fputs(".extern ", split->rest);
		fwrite(f->text, 1, f->head, split->rest);
		fputs(";\n", split->rest);
	} else {
		fwrite(f->text, 1, f->bytes, split->rest);
	}
}

/* The next line of a function. */
static void take(struct split *split, const char *line)
{
	struct open_function *f = &split->function;
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

static bool add_to_header(struct ct_ptx_functions *functions, const char *line)
{
	size_t before = functions->header ? strlen(functions->header) : 0;
	char *header = realloc(functions->header, before + strlen(line) + 1);

	if (!header)
		return false;
	strcpy(header + before, line);
	functions->header = header;
	return true;
}

static void read_line(struct split *split, const char *line)
{
	struct open_function *f = &split->function;

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
	    (begins(line, ".version") || begins(line, ".target") ||
	     begins(line, ".address_size")) &&
	    !add_to_header(split->functions, line))
		split->failed = true;
}

static int close_written(FILE *file, int err)
{
	int bad = file ? ferror(file) : 0;

	if (file && (fclose(file) != 0 || bad) && err >= 0)
		return -EIO;
	return err;
}

int ct_ptx_split(const char *path, const char *rest, struct ct_ptx_functions *functions)
{
	struct split split = {.functions = functions, .is_header = true};
	FILE *file = fopen(path, "r");
	size_t capacity = 0;
	char *line = NULL;
	int err = 0;

	if (!file)
		return -errno;
	split.rest = fopen(rest, "w");
	if (!split.rest)
		err = -errno;
	while (err == 0 && !split.failed && getline(&line, &capacity, file) >= 0)
		read_line(&split, line);
	if (split.failed)
		err = -ENOMEM;
	free(line);
	free(split.function.text);
	fclose(file);
	return close_written(split.rest, err);
}

void ct_ptx_functions_fini(struct ct_ptx_functions *functions)
{
	for (size_t i = 0; i < functions->count; i++) {
		free(functions->items[i].name);
		free(functions->items[i].head);
		free(functions->items[i].body);
	}
	free(functions->items);
	free(functions->header);
	*functions = (struct ct_ptx_functions){0};
}
