/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the kinds of events and the tables into docs/trace-format.md, between marks, as events.def
 * and tables.def have them.
 *
 *	ct_document_format FILE            rewrite what stands between the marks
 *	ct_document_format --check FILE    1 if that would change the file
 */
#include "trace/codec/event.h"
#include "trace/codec/table.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A generated chapter, between marks of its own. */
struct chapter {
	const char *begin_mark, *end_mark;
	void (*write)(FILE *out);
	const char *source;
};

static const char *type_text(enum ct_field_type type)
{
	switch (type) {
	case CT_FIELD_U64:
	case CT_FIELD_KNOWN64:
	case CT_FIELD_ADDRESS:
	case CT_FIELD_UNIT:
		return "u64";
	case CT_FIELD_I32:
		return "i32";
	case CT_FIELD_EXTENT:
		return "u32[3]";
	case CT_FIELD_MAPS:
		return "u32[64]";
	case CT_FIELD_STR:
		return "str";
	default:
		return "u32";
	}
}

/* "1 copy: memory to memory. 2 set: ..." */
static void write_values(FILE *out, const struct ct_event_field *field)
{
	for (uint32_t i = 0; i < field->value_count; i++) {
		const struct ct_field_value *value = &field->values[i];

		fprintf(out, "%s%" PRIu32 " %s", i ? ". " : " ", value->number, value->name);
		if (*value->text)
			fprintf(out, ": %s", value->text);
	}
	if (field->type == CT_FIELD_FLAGS)
		fputs(". Their sum; others must be 0, and readers ignore them", out);
}

static void write_field(FILE *out, const struct ct_event_layout *layout,
			const struct ct_event_field *field)
{
	fprintf(out, "| %u | %s | %s |%s%s", field->at, type_text(field->type), field->name,
		*field->text ? " " : "", field->text);
	write_values(out, field);
	if (field->since > layout->since)
		fprintf(out, " (from version %u on)", field->since);
	fputs(" |\n", out);
}

/* Since when it has all of its fields, and how long it was before. */
static unsigned last_change(const struct ct_event_layout *layout, uint32_t *before)
{
	unsigned version = layout->since;

	*before = layout->bytes;
	for (uint32_t i = 0; i < layout->field_count; i++)
		if (layout->fields[i].since > version) {
			version = layout->fields[i].since;
			*before = layout->fields[i].at;
		}
	return version;
}

static void write_event(FILE *out, const struct ct_event_layout *layout)
{
	uint32_t shorter;
	unsigned version = last_change(layout, &shorter);

	fprintf(out, "\n**%s (%u)**, %" PRIu32 " bytes", layout->title, layout->kind,
		layout->bytes);
	if (layout->since > 1)
		fprintf(out, ", from version %u on", layout->since);
	if (shorter < layout->bytes)
		fprintf(out, "; %" PRIu32 " before version %u", shorter, version);
	fprintf(out, ". %s\n\n| at | type | field | |\n|---|---|---|---|\n", layout->text);
	for (uint32_t i = 0; i < layout->field_count; i++)
		write_field(out, layout, &layout->fields[i]);
	if (*layout->rules)
		fprintf(out, "\n%s\n", layout->rules);
}

static void write_events(FILE *out)
{
	for (uint16_t kind = 0; kind < CT_EVENT_KINDS; kind++)
		if (ct_event_layout(kind))
			write_event(out, ct_event_layout(kind));
}

static void write_column(FILE *out, const struct ct_table_layout *layout, uint32_t number)
{
	const struct ct_table_column *column = &layout->columns[number];
	const struct ct_event_field *field = &column->field;

	fprintf(out, "| %" PRIu32 " | %s | %s | %s |%s%s", number, type_text(field->type),
		column->coding == CT_CODING_STEP ? "step" : "word", field->name,
		*field->text ? " " : "", field->text);
	write_values(out, field);
	if (field->since > layout->since)
		fprintf(out, " (from version %u on)", field->since);
	fputs(" |\n", out);
}

static void write_table(FILE *out, const struct ct_table_layout *layout)
{
	fprintf(out, "\n**%s (%u)**, from version %u on. %s%s\n\n", layout->title, layout->number,
		layout->since, layout->text,
		layout->is_numbered ? " Rows are known by their number in the part, from 1." : "");
	if (layout->is_of_names)
		fputs("It stands in `names-<part>.ct`.\n\n", out);
	fputs("| column | type | coding | name | |\n|---|---|---|---|---|\n", out);
	for (uint32_t i = 0; i < layout->column_count; i++)
		write_column(out, layout, i);
	if (*layout->rules)
		fprintf(out, "\n%s\n", layout->rules);
}

static void write_tables(FILE *out)
{
	for (uint32_t number = 0; number < CT_TABLES; number++)
		if (ct_table_layout(number))
			write_table(out, ct_table_layout(number));
}

static const struct chapter chapters[] = {
    {"<!-- events: written by document-format -->\n", "<!-- end of events -->\n", write_events,
     "events.def"},
    {"<!-- tables: written by document-format -->\n", "<!-- end of tables -->\n", write_tables,
     "tables.def"},
};

/* NULL: out of memory. */
static char *text_of(const struct chapter *chapter)
{
	size_t bytes;
	char *text = NULL;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	chapter->write(out);
	fputc('\n', out);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* Owned; NULL if the file cannot be read. */
static char *read_all(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	long bytes = -1;

	if (!file)
		return NULL;
	if (fseek(file, 0, SEEK_END) == 0)
		bytes = ftell(file);
	rewind(file);
	if (bytes >= 0)
		text = calloc((size_t)bytes + 1, 1);
	if (text && fread(text, 1, (size_t)bytes, file) != (size_t)bytes) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

/* before, what is generated, after: the marks are in the outer two. */
static int rewrite(const char *path, const char *before, size_t before_bytes, const char *new_text,
		   const char *after)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return -1;
	fwrite(before, 1, before_bytes, file);
	fputs(new_text, file);
	fputs(after, file);
	return fclose(file);
}

/* 0: the file says it, now or before; 1: it does not; 2: it is not known. */
static int treat(const struct chapter *chapter, const char *path, bool is_check)
{
	char *text = read_all(path);
	char *begin = text ? strstr(text, chapter->begin_mark) : NULL;
	char *end = begin ? strstr(begin, chapter->end_mark) : NULL;
	char *generated = end ? text_of(chapter) : NULL;
	size_t before;
	int status = 2;

	if (generated) {
		begin += strlen(chapter->begin_mark);
		before = (size_t)(begin - text);
		status = (size_t)(end - begin) != strlen(generated) ||
			 memcmp(begin, generated, strlen(generated)) != 0;
		if (status && !is_check)
			status = rewrite(path, text, before, generated, end) != 0;
	}
	if (status == 2)
		fprintf(stderr, "ct_document_format: %s: cannot be read, or lacks the marks\n",
			path);
	else if (status)
		fprintf(stderr,
			"%s does not say what include/cudatrace/%s says: "
			"cmake --build BUILD --target document-format\n",
			path, chapter->source);
	free(generated);
	free(text);
	return status;
}

int main(int argc, char **argv)
{
	bool is_check = argc == 3 && strcmp(argv[1], "--check") == 0;
	int status = 0;

	if (argc != 2 && !is_check) {
		fprintf(stderr, "Usage: ct_document_format [--check] FILE\n");
		return 2;
	}
	for (size_t i = 0; i < sizeof(chapters) / sizeof(*chapters) && !status; i++)
		status = treat(&chapters[i], argv[argc - 1], is_check);
	return status;
}
