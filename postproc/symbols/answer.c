/* SPDX-License-Identifier: Apache-2.0 */
/* Answers what functions return addresses of a module lie in. */
#include "postproc/symbols/answer.h"
#include "base/map.h"
#include "postproc/facts/source_name.h"
#include "postproc/symbols/module.h"
#include "postproc/symbols/symtab.h"
#include "postproc/symbols/units.h"
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct answering {
	FILE *out;
	struct ct_code_module module;
	struct ct_code_units units;
	struct ct_code_symtab symtab;
	bool has_symtab;
	struct ct_map texts; /* address of elfutils' text -> number */
	uint32_t text_count;
	struct ct_answer_frame frame[CT_ANSWER_FRAMES_MAX];
	uint32_t frames;
};

static void put(struct answering *at, uint32_t kind, uint32_t number)
{
	const uint32_t words[2] = {kind, number};

	fwrite(words, sizeof(words), 1, at->out);
}

static uint32_t put_text(struct answering *at, const char *text)
{
	size_t bytes = strnlen(text, UINT16_MAX);

	put(at, CT_ANSWER_TEXT, (uint32_t)bytes);
	fwrite(text, 1, bytes, at->out);
	return ++at->text_count;
}

/* As in the source: without what the compiler calls its variants of a function. */
static char *symbol_text(const char *symbol)
{
	char *name = ct_source_name(symbol), *clone = name ? strstr(name, " [clone ") : NULL;

	if (clone)
		*clone = '\0';
	return name;
}

/* One of elfutils', which stays where it is; make: as what it is said, or NULL. 0: there is none.
 */
static uint32_t text_number(struct answering *at, const char *text, char *(*make)(const char *))
{
	union ct_map_value *known;
	char *made;

	if (!text || !*text)
		return 0;
	known = ct_map_put(&at->texts, (uintptr_t)text, make != NULL);
	if (!known)
		return 0;
	if (!known->number) {
		made = make ? make(text) : NULL;
		known->number = put_text(at, made ? made : text);
		free(made);
	}
	return (uint32_t)known->number;
}

/* Behind the last step of a path, without it. */
static char *step_back(char *path, char *end)
{
	while (end > path && *--end != '/')
		;
	return end;
}

/* A path from the root without steps to "." and "..". */
static void tidy(char *path)
{
	char *to = path, *next;

	for (char *step = path; *step; step = next) {
		size_t length = strcspn(step + 1, "/") + 1;

		next = step + length;
		if (length == 1 || (length == 2 && step[1] == '.'))
			continue;
		if (length == 3 && step[1] == '.' && step[2] == '.') {
			to = step_back(path, to);
			continue;
		}
		memmove(to, step, length);
		to += length;
	}
	*to = '\0';
}

/* A source file's, from where the compiler ran. */
static uint32_t file_number(struct answering *at, struct ct_code_unit *unit, const char *file)
{
	Dwarf_Attribute attribute;
	const char *directory;
	union ct_map_value *known;
	char *path = NULL;

	if (!file || !*file)
		return 0;
	known = ct_map_put(&at->texts, (uintptr_t)file, 2);
	if (!known || known->number)
		return known ? (uint32_t)known->number : 0;
	directory = *file != '/' && dwarf_attr(&unit->die, DW_AT_comp_dir, &attribute)
			? dwarf_formstring(&attribute)
			: NULL;
	if (asprintf(&path, "%s%s%s", directory ? directory : "", directory ? "/" : "", file) < 0)
		return 0;
	if (*path == '/')
		tidy(path);
	known->number = put_text(at, path);
	free(path);
	return (uint32_t)known->number;
}

/* As the linker knows it, where it does: that has its namespaces and parameters. */
static uint32_t name_of(struct answering *at, struct ct_code_function *function)
{
	static const unsigned names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name};
	Dwarf_Attribute attribute;
	const char *name = NULL;

	if (function->name)
		return function->name;
	for (size_t i = 0; !name && i < sizeof(names) / sizeof(*names); i++)
		if (dwarf_attr_integrate(&function->die, names[i], &attribute))
			name = dwarf_formstring(&attribute);
	function->name = name ? text_number(at, name, symbol_text)
			      : text_number(at, dwarf_diename(&function->die), NULL);
	return function->name;
}

static uint32_t name_of_symbol(struct answering *at, GElf_Addr address)
{
	if (!at->has_symtab) {
		at->has_symtab = true;
		(void)ct_symtab_init(&at->symtab, at->module.module); /* without: no names */
	}
	return text_number(at, ct_symtab_find(&at->symtab, address), symbol_text);
}

static void add_frame(struct answering *at, uint32_t function, uint32_t file, uint32_t line)
{
	if (at->frames < CT_ANSWER_FRAMES_MAX)
		at->frame[at->frames++] = (struct ct_answer_frame){function, file, line};
}

static void find_line(struct answering *at, struct ct_code_unit *unit, Dwarf_Addr address,
		      uint32_t *file, uint32_t *line)
{
	Dwarf_Line *found = dwarf_getsrc_die(&unit->die, address);
	int number;

	*file = 0;
	*line = 0;
	if (!found || dwarf_lineno(found, &number) != 0)
		return;
	*file = file_number(at, unit, dwarf_linesrc(found, NULL, NULL));
	*line = number > 0 ? (uint32_t)number : 0;
}

/* The frames of an address: of the function that it is in, inlined ones first. */
static int find_frames(struct answering *at, uint64_t offset)
{
	GElf_Addr address = offset - 1 + at->module.bias; /* within the call */
	uint32_t file = 0, line = 0, function = CT_NO_FUNCTION;
	struct ct_code_unit *unit;
	int err;

	at->frames = 0;
	if (!at->module.module || !offset)
		return 0;
	unit = ct_code_units_find(&at->units, address - at->module.dwarf_bias, &err);
	if (err < 0)
		return err;
	if (unit) {
		find_line(at, unit, address - at->module.dwarf_bias, &file, &line);
		function = ct_functions_find(&unit->functions, address - at->module.dwarf_bias);
	}
	if (function == CT_NO_FUNCTION)
		add_frame(at, name_of_symbol(at, address), file, line);
	while (function != CT_NO_FUNCTION) {
		struct ct_code_function *of = &unit->functions.function[function];

		add_frame(at, name_of(at, of), file, line);
		file = file_number(at, unit, of->file);
		line = of->line;
		function = of->outer;
	}
	if (!at->frame[at->frames - 1].function)
		at->frame[at->frames - 1].function = name_of_symbol(at, address);
	return 0;
}

static uint32_t flags_of(const struct answering *at)
{
	const struct ct_code_module *module = &at->module;

	if (module->is_other && !module->module)
		return CT_CODE_FILE_OTHER;
	if (!module->module)
		return CT_CODE_FILE_MISSING;
	return module->dwarf || at->symtab.count ? 0 : CT_CODE_FILE_NAMELESS;
}

int ct_answer(const struct ct_question *question, FILE *out)
{
	struct answering at = {.out = out};
	int err = ct_module_open(&at.module, question->file, question->debug_path);

	if (err == 0)
		err = ct_code_units_init(&at.units, question->is_plain ? NULL : at.module.dwarf);
	for (size_t i = 0; i < question->count && err == 0; i++) {
		err = find_frames(&at, question->offset[i]);
		put(&at, CT_ANSWER_PLACE, at.frames);
		fwrite(at.frame, sizeof(*at.frame), at.frames, out);
	}
	if (err == 0)
		put(&at, CT_ANSWER_END, flags_of(&at));
	if (err == 0 && fflush(out) != 0)
		err = -EIO;
	ct_symtab_fini(&at.symtab);
	ct_code_units_fini(&at.units);
	ct_map_fini(&at.texts);
	ct_module_close(&at.module);
	return err;
}
