/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the kinds of events into docs/trace-format.md, between two marks, as events.def has them.
 *
 *	ct_document_events FILE            rewrite what stands between the marks
 *	ct_document_events --check FILE    1 if that would change the file
 */
#include "trace/codec/event.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char begin_mark[] = "<!-- events: written by document-events -->\n";
static const char end_mark[] = "<!-- end of events -->\n";

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

static char *chapter(void)
{
	size_t bytes;
	char *text;
	FILE *out = open_memstream(&text, &bytes);

	for (uint16_t kind = 0; out && kind < CT_EVENT_KINDS; kind++)
		if (ct_event_layout(kind))
			write_event(out, ct_event_layout(kind));
	return out && fputs("\n", out) >= 0 && fclose(out) == 0 ? text : NULL;
}

static char *read_all(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;

	if (file && getdelim(&text, &room, '\0', file) < 0) {
		free(text);
		text = NULL;
	}
	if (file)
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

int main(int argc, char **argv)
{
	bool is_check = argc == 3 && strcmp(argv[1], "--check") == 0;
	const char *path = argv[argc - 1];
	char *text = argc == 2 || is_check ? read_all(path) : NULL;
	char *begin = text ? strstr(text, begin_mark) : NULL;
	char *end = begin ? strstr(begin, end_mark) : NULL;
	char *generated = end ? chapter() : NULL;
	size_t before;
	int status = 0;

	if (!generated) {
		fprintf(stderr, "ct_document_events: %s: cannot be read, or lacks the marks\n",
			path);
		free(text);
		return 2;
	}
	begin += strlen(begin_mark);
	before = (size_t)(begin - text);
	if ((size_t)(end - begin) != strlen(generated) ||
	    memcmp(begin, generated, strlen(generated)) != 0) {
		status = is_check || rewrite(path, text, before, generated, end) != 0;
		if (is_check)
			fprintf(stderr,
				"%s does not say what include/cudatrace/events.def says: "
				"cmake --build BUILD --target document-events\n",
				path);
	}
	free(generated);
	free(text);
	return status;
}
