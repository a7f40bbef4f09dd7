/* SPDX-License-Identifier: Apache-2.0 */
/* Cubins and places of a trace, each once, whichever process has written them. */
#include "postproc/sass/resolve.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/intern.h"
#include "postproc/sass/cubin.h"
#include "postproc/sass/places.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS_MAX 64u /* of a chain that was inlined; a longer one is a damaged table's */

struct loaded {
	uint64_t id;
	struct ct_cubin *cubin;
};

/* The PTX's text of a section. */
struct text {
	uint32_t cubin;
	const char *section;
	struct ct_ptx *ptx; /* NULL: there is none */
};

/* Which places are those of a function of a cubin: places NULL, none. */
struct choice {
	const struct ct_places *places;
	const struct ct_places_function *function;
};

struct ct_code {
	struct loaded *cubins;
	size_t cubin_count, cubin_room;
	struct ct_places *blobs;
	size_t blob_count, blob_room;
	struct text *texts;
	size_t text_count, text_room;
	struct choice *choices;
	size_t choice_count, choice_room;
	struct ct_map choice_of; /* (cubin, symbol): 1 + number */
	struct ct_map name_of;   /* of a file of .debug_line, by its address: pointer */
	struct ct_intern keys;   /* of places: numbers from 1 */
	struct ct_weight_place *places;
	size_t place_count, place_room;
};

static const struct loaded *loaded_cubin(const struct ct_code *code, uint64_t id, uint32_t *number)
{
	for (size_t i = 0; i < code->cubin_count; i++)
		if (code->cubins[i].id == id) {
			*number = (uint32_t)i;
			return &code->cubins[i];
		}
	*number = CT_WEIGHT_NONE;
	return NULL;
}

static int add_cubin(struct ct_code *code, const struct ct_code_info *info)
{
	struct loaded loaded = {.id = info->header.id};
	uint32_t number;
	int err;

	if (loaded_cubin(code, loaded.id, &number))
		return 0;
	err = ct_cubin_open(&loaded.cubin, info->code, info->bytes);
	if (err < 0)
		return err == -ENOMEM ? err : 0;
	if (ct_array_reserve(&code->cubins, &code->cubin_room, code->cubin_count + 1,
			     sizeof(loaded)) < 0) {
		ct_cubin_close(loaded.cubin);
		return -ENOMEM;
	}
	code->cubins[code->cubin_count++] = loaded;
	return 0;
}

static int add_places(struct ct_code *code, const struct ct_code_info *info)
{
	struct ct_places places;

	if (ct_places_view(&places, info->code, info->bytes) < 0)
		return 0;
	for (size_t i = 0; i < code->blob_count; i++)
		if (code->blobs[i].header->unit_id == places.header->unit_id &&
		    code->blobs[i].header->arch == places.header->arch &&
		    code->blobs[i].header->row_count == places.header->row_count)
			return 0;
	if (ct_array_reserve(&code->blobs, &code->blob_room, code->blob_count + 1, sizeof(places)) <
	    0)
		return -ENOMEM;
	code->blobs[code->blob_count++] = places;
	return 0;
}

int ct_code_open(struct ct_code **out, const struct ct_trace *trace)
{
	struct ct_code *code = calloc(1, sizeof(*code));
	const struct ct_code_info *infos;
	size_t count = ct_trace_codes(trace, &infos);
	int err = code ? 0 : -ENOMEM;

	*out = NULL;
	for (size_t i = 0; i < count && err == 0; i++)
		if (infos[i].header.kind == CT_CODE_CUBIN)
			err = add_cubin(code, &infos[i]);
		else if (infos[i].header.kind == CT_CODE_PLACES)
			err = add_places(code, &infos[i]);
	if (err < 0) {
		ct_code_close(code);
		return err;
	}
	*out = code;
	return 0;
}

void ct_code_close(struct ct_code *code)
{
	if (!code)
		return;
	for (size_t i = 0; i < code->text_count; i++)
		ct_ptx_close(code->texts[i].ptx);
	for (size_t i = 0; i < code->cubin_count; i++)
		ct_cubin_close(code->cubins[i].cubin);
	free(code->texts);
	free(code->cubins);
	free(code->blobs);
	free(code->choices);
	free(code->places);
	ct_map_fini(&code->choice_of);
	ct_map_fini(&code->name_of);
	ct_intern_fini(&code->keys);
	free(code);
}

/* The number of a place, which is added if it is new. 0 or -ENOMEM. */
static int intern_place(struct ct_code *code, const struct ct_weight_place *place, uint32_t *number)
{
	char *key;
	int bytes = asprintf(&key, "%u %u %u %s\n%s", place->line, place->column, place->inlined_at,
			     place->file, place->function);
	uint32_t id;
	bool is_new;

	if (bytes < 0)
		return -ENOMEM;
	id = ct_intern_add(&code->keys, key, (size_t)bytes, &is_new);
	free(key);
	if (!id || (is_new && ct_array_reserve(&code->places, &code->place_room,
					       code->place_count + 1, sizeof(*place)) < 0))
		return -ENOMEM;
	if (is_new)
		code->places[code->place_count++] = *place;
	*number = id - 1;
	return 0;
}

static bool is_same_file(const char *a, const char *b)
{
	const char *base_a = strrchr(a, '/'), *base_b = strrchr(b, '/');

	return strcmp(base_a ? base_a + 1 : a, base_b ? base_b + 1 : b) == 0;
}

/* For how many rows of the function's section places and .debug_line say the same. */
static size_t agreement(const struct ct_cubin *cubin, uint32_t section,
			const struct choice *candidate)
{
	const struct ct_lines *ptx = ct_cubin_lines(cubin, true);
	const struct ct_lines *source = ct_cubin_lines(cubin, false);
	size_t same = 0;

	for (size_t i = 0; i < ptx->count; i++) {
		const struct ct_line *row = &ptx->rows[i], *line;
		const struct ct_ptx_place *place;
		uint32_t number;

		if (row->section != section)
			continue;
		number = ct_places_find(candidate->places, candidate->function, row->line);
		line = ct_lines_find(source, section, row->address);
		if (number == CT_NO_PLACE || !line)
			continue;
		place = &candidate->places->places[number];
		same += place->line == line->line &&
			is_same_file(ct_places_string(candidate->places, place->file),
				     ct_lines_file(source, line));
	}
	return same;
}

/* Functions of one name are in several units if they are templates or static. */
static struct choice best_choice(const struct ct_code *code, const struct ct_cubin *cubin,
				 uint32_t section, const char *symbol)
{
	struct choice best = {NULL, NULL};
	size_t best_agreement = 0;

	for (size_t i = 0; i < code->blob_count; i++) {
		struct choice candidate = {&code->blobs[i],
					   ct_places_function(&code->blobs[i], symbol)};
		size_t same;

		if (!candidate.function)
			continue;
		same = agreement(cubin, section, &candidate);
		if (same > best_agreement) {
			best = candidate;
			best_agreement = same;
		}
	}
	return best;
}

static int choose(struct ct_code *code, uint32_t cubin, const struct ct_cubin_place *at,
		  struct choice *choice)
{
	union ct_map_value *known =
	    ct_map_put(&code->choice_of, ((uint64_t)cubin << 32) + at->section,
		       ct_hash_join_string(0, at->symbol));

	if (!known || ct_array_reserve(&code->choices, &code->choice_room, code->choice_count + 1,
				       sizeof(*choice)) < 0)
		return -ENOMEM;
	if (!known->number) {
		code->choices[code->choice_count] =
		    best_choice(code, code->cubins[cubin].cubin, at->section, at->symbol);
		known->number = ++code->choice_count;
	}
	*choice = code->choices[known->number - 1];
	return 0;
}

/* A place of a blob and those that it was inlined at, the outermost first. */
static int take_place(struct ct_code *code, const struct ct_places *places, uint32_t number,
		      uint32_t *out)
{
	uint32_t chain[CALLS_MAX], depth = 0, at = CT_WEIGHT_NONE;
	int err = 0;

	for (; number != CT_NO_PLACE && depth < CALLS_MAX;
	     number = places->places[number].inlined_at)
		chain[depth++] = number;
	while (depth-- > 0 && err == 0) {
		const struct ct_ptx_place *from = &places->places[chain[depth]];
		struct ct_weight_place place = {
		    .function = ct_places_string(places, from->function),
		    .file = ct_places_string(places, from->file),
		    .line = from->line,
		    .column = from->column,
		    .inlined_at = at,
		};

		err = intern_place(code, &place, &at);
	}
	*out = at;
	return err;
}

static size_t common_tail(const char *a, const char *b)
{
	size_t x = strlen(a), y = strlen(b), same = 0;

	while (same < x && same < y && a[x - 1 - same] == b[y - 1 - same])
		same++;
	return same;
}

/* The name that places have for a file, if any do: .debug_line has it with directories. Of several
 * of one name in other folders the one with most of the path. */
static const char *search_name(const struct ct_code *code, const char *file)
{
	const char *best = file;
	size_t most = 0;

	for (size_t i = 0; i < code->blob_count; i++)
		for (uint32_t p = 0; p < code->blobs[i].header->place_count; p++) {
			const char *name =
			    ct_places_string(&code->blobs[i], code->blobs[i].places[p].file);
			size_t same = is_same_file(name, file) ? common_tail(name, file) : 0;

			if (same > most) {
				best = name;
				most = same;
			}
		}
	return best;
}

/* Files are each at one address, as long as the cubins are open: looked for once. NULL: memory is
 * short. */
static const char *known_name(struct ct_code *code, const char *file)
{
	union ct_map_value *known = ct_map_put(&code->name_of, (uintptr_t)file, 0);

	if (known && !known->pointer)
		known->pointer = (void *)(uintptr_t)search_name(code, file);
	return known ? known->pointer : NULL;
}

/* The same of .debug_line. The function of a row is the one that was inlined there; that of the
 * outermost is the symbol. */
static int take_row(struct ct_code *code, const struct ct_cubin *cubin, const char *symbol,
		    const struct ct_line *row, uint32_t *out)
{
	struct ct_weight_place chain[CALLS_MAX];
	uint32_t depth = 0, at = CT_WEIGHT_NONE;
	int err = 0;

	while (row && depth < CALLS_MAX) {
		const char *callee;
		const struct ct_line *caller = ct_cubin_caller(cubin, row, &callee);
		const char *file = known_name(code, ct_cubin_file(cubin, row));

		if (!file)
			return -ENOMEM;
		chain[depth++] = (struct ct_weight_place){
		    .function = caller ? callee : symbol,
		    .file = file,
		    .line = row->line,
		    .column = row->column,
		};
		row = caller;
	}
	while (depth-- > 0 && err == 0) {
		chain[depth].inlined_at = at;
		err = intern_place(code, &chain[depth], &at);
	}
	*out = at;
	return err;
}

static int find_place(struct ct_code *code, uint32_t cubin, const struct ct_cubin_place *at,
		      uint32_t ptx_line, const struct ct_line *row, uint32_t *place)
{
	struct choice choice;
	uint32_t number = CT_NO_PLACE;
	int err = choose(code, cubin, at, &choice);

	*place = CT_WEIGHT_NONE;
	if (err < 0)
		return err;
	if (choice.places && ptx_line)
		number = ct_places_find(choice.places, choice.function, ptx_line);
	/* Code of no line of its own has that of what is before it. */
	if (number != CT_NO_PLACE && (choice.places->places[number].line || !row))
		return take_place(code, choice.places, number, place);
	return row ? take_row(code, code->cubins[cubin].cubin, at->symbol, row, place) : 0;
}

/* The PTX of an instruction, read when it is first asked for. */
static int find_text(struct ct_code *code, uint32_t cubin, const char *section, uint32_t *number)
{
	struct text text = {cubin, section, NULL};
	const char *content;
	size_t bytes;
	int err = 0;

	for (size_t i = 0; i < code->text_count; i++)
		if (code->texts[i].cubin == cubin && strcmp(code->texts[i].section, section) == 0) {
			*number = code->texts[i].ptx ? (uint32_t)i : CT_WEIGHT_NONE;
			return 0;
		}
	if (ct_array_reserve(&code->texts, &code->text_room, code->text_count + 1, sizeof(text)) <
	    0)
		return -ENOMEM;
	content = ct_cubin_ptx(code->cubins[cubin].cubin, section, &bytes);
	if (content)
		err = ct_ptx_open(&text.ptx, content, bytes);
	if (err < 0)
		return err;
	*number = text.ptx ? (uint32_t)code->text_count : CT_WEIGHT_NONE;
	code->texts[code->text_count++] = text;
	return 0;
}

int ct_code_find(struct ct_code *code, uint64_t cubin, const char *function, uint64_t pc,
		 struct ct_instruction *place)
{
	struct ct_cubin_place at;
	const struct loaded *loaded = loaded_cubin(code, cubin, &place->cubin);
	int err;

	place->symbol = function;
	place->place = place->ptx_text = CT_WEIGHT_NONE;
	place->ptx_line = place->section = 0;
	if (!loaded || !ct_cubin_find(loaded->cubin, function, pc, &at))
		return 0;
	if (*at.symbol)
		place->symbol = at.symbol;
	place->section = at.section;
	place->ptx_line = at.ptx_line;
	err = find_place(code, place->cubin, &at, at.ptx_line, at.source, &place->place);
	if (err == 0 && at.ptx_line)
		err = find_text(code, place->cubin, at.ptx_file, &place->ptx_text);
	return err;
}

/* The first instruction of a line of the PTX: what stands in .debug_line for it. */
static const struct ct_line *row_of_ptx(const struct ct_cubin *cubin, const char *section,
					uint32_t ptx_line, uint32_t *of)
{
	const struct ct_lines *ptx = ct_cubin_lines(cubin, true);

	for (size_t i = 0; i < ptx->count; i++)
		if (ptx->rows[i].line == ptx_line && !ptx->rows[i].is_end &&
		    strcmp(ct_lines_file(ptx, &ptx->rows[i]), section) == 0) {
			*of = ptx->rows[i].section;
			return ct_lines_find(ct_cubin_lines(cubin, false), *of,
					     ptx->rows[i].address);
		}
	return NULL;
}

int ct_code_producers(struct ct_code *code, const struct ct_instruction *at,
		      enum ct_ptx_producer what, uint32_t places[CT_PTX_PRODUCERS_MAX],
		      size_t *count)
{
	uint32_t lines[CT_PTX_PRODUCERS_MAX];
	const struct text *text;
	int err = 0;

	*count = 0;
	if (at->ptx_text == CT_WEIGHT_NONE)
		return 0;
	text = &code->texts[at->ptx_text];
	*count = ct_ptx_producers(text->ptx, at->ptx_line, what, lines);
	for (size_t i = 0; i < *count && err == 0; i++) {
		struct ct_cubin_place producer = {.symbol = at->symbol, .section = at->section};
		uint32_t section;
		const struct ct_line *row =
		    row_of_ptx(code->cubins[text->cubin].cubin, text->section, lines[i], &section);

		err = find_place(code, text->cubin, &producer, lines[i], row, &places[i]);
	}
	return err;
}

bool *ct_code_before(const struct ct_code *code, const struct ct_instruction *at, size_t *lines)
{
	const struct ct_ptx *ptx =
	    at->ptx_text == CT_WEIGHT_NONE ? NULL : code->texts[at->ptx_text].ptx;

	*lines = ptx ? ct_ptx_lines(ptx) : 0;
	return ptx ? ct_ptx_before(ptx, at->ptx_line) : NULL;
}

size_t ct_code_places(const struct ct_code *code, const struct ct_weight_place **places)
{
	*places = code->places;
	return code->place_count;
}

void ct_code_count(const struct ct_code *code, size_t *cubins, size_t *damaged, size_t *unlined)
{
	*cubins = code->cubin_count;
	*damaged = *unlined = 0;
	for (size_t i = 0; i < code->cubin_count; i++) {
		*damaged += ct_cubin_is_damaged(code->cubins[i].cubin);
		*unlined += !ct_cubin_lines(code->cubins[i].cubin, false)->count;
	}
}
