/* SPDX-License-Identifier: Apache-2.0 */
/* Names of host stacks: each file's places are asked for at once, and frames are kept once. */
#include "postproc/symbols/symbols.h"
#include "base/array.h"
#include "base/intern.h"
#include "base/utf8.h"
#include "postproc/symbols/process.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACE_SECONDS 120u
#define DEBUG_PATH ":.debug:/usr/lib/debug" /* elfutils' own */

struct place_frames {
	uint32_t first, count; /* in `number` */
};

struct ct_symbols {
	const struct ct_stack_tree *stacks;
	uint32_t *flags; /* by file */
	bool asks_again;
	char *debug_path;
	unsigned seconds;
	struct ct_intern texts;
	char **text; /* by number, from 1 */
	size_t text_count;
	struct ct_map frames; /* of the fields' numbers -> frame + 1 */
	struct ct_code_frame *frame;
	size_t frame_count, frame_room;
	struct place_frames *place; /* as the places of stacks */
	uint32_t *number;
	size_t number_count, number_room;
	char **warning;
	size_t warnings;
};

/* The places of a file, and what its process has said so far. */
struct asked {
	struct ct_symbols *symbols;
	uint32_t file;
	const uint32_t *place; /* by offset */
	size_t count;
	uint32_t *text; /* by the process' numbers: ours */
	size_t texts;
};

static const struct ct_code_file *file_of(const struct ct_symbols *symbols, uint32_t file)
{
	return file ? &symbols->stacks->file[file - 1] : NULL;
}

static uint32_t keep_text(struct ct_symbols *symbols, const char *text, size_t bytes)
{
	bool is_new = false;
	uint32_t number = ct_intern_add(&symbols->texts, text, bytes, &is_new);
	char *copy;

	if (!number || !is_new)
		return number;
	copy = strndup(text, bytes);
	if (copy)
		ct_text_make_plain(copy, strlen(copy));
	if (!copy || ct_array_grow(&symbols->text, symbols->text_count, sizeof(copy)) < 0) {
		free(copy);
		return 0;
	}
	symbols->text[symbols->text_count++] = copy;
	return number;
}

static const char *text_of(const struct ct_symbols *symbols, uint32_t number)
{
	return number ? symbols->text[number - 1] : "";
}

/* The number of this frame. Frames of places of one module only differ in these. */
static int64_t keep_frame(struct ct_symbols *symbols, const struct ct_answer_frame *like,
			  uint32_t file, bool is_named, bool is_inlined)
{
	const struct ct_code_file *of = file_of(symbols, file);
	union ct_map_value *known =
	    ct_map_put(&symbols->frames, (uint64_t)like->function << 32 | like->file,
		       (uint64_t)like->line << 32 | file << 2 | is_named << 1 | is_inlined);

	if (!known)
		return -ENOMEM;
	if (known->number)
		return (int64_t)known->number - 1;
	if (ct_array_reserve(&symbols->frame, &symbols->frame_room, symbols->frame_count + 1,
			     sizeof(*symbols->frame)) < 0)
		return -ENOMEM;
	symbols->frame[symbols->frame_count++] = (struct ct_code_frame){
	    .function = text_of(symbols, like->function),
	    .file = text_of(symbols, like->file),
	    .module = of ? of->path : "",
	    .line = like->line,
	    .is_named = is_named,
	    .is_inlined = is_inlined,
	};
	known->number = symbols->frame_count;
	return (int64_t)known->number - 1;
}

/* "libx.so+0x1234" */
static uint32_t nameless_text(struct ct_symbols *symbols, const struct ct_code_place *place)
{
	const struct ct_code_file *file = file_of(symbols, place->file);
	const char *path = file ? file->path : "", *slash = strrchr(path, '/');
	char text[4096];
	int bytes;

	if (file)
		bytes = snprintf(text, sizeof(text), "%s+0x%" PRIx64,
				 *path ? (slash ? slash + 1 : path) : "[vdso]", place->offset);
	else if (place->offset)
		bytes = snprintf(text, sizeof(text), "0x%" PRIx64, place->offset);
	else
		bytes = snprintf(text, sizeof(text), "[unknown]");
	return keep_text(symbols, text,
			 (size_t)bytes < sizeof(text) ? (size_t)bytes : sizeof(text) - 1);
}

static int add_frame(struct ct_symbols *symbols, uint32_t place, struct ct_answer_frame frame,
		     bool is_inlined)
{
	const struct ct_code_place *at = &symbols->stacks->place[place];
	bool is_named = frame.function != 0;
	int64_t number;

	if (!is_named)
		frame.function = nameless_text(symbols, at);
	if (!frame.function ||
	    ct_array_reserve(&symbols->number, &symbols->number_room, symbols->number_count + 1,
			     sizeof(*symbols->number)) < 0)
		return -ENOMEM;
	number = keep_frame(symbols, &frame, at->file, is_named, is_inlined);
	if (number < 0)
		return (int)number;
	symbols->number[symbols->number_count++] = (uint32_t)number;
	symbols->place[place].count++;
	return 0;
}

static int add_nameless(struct ct_symbols *symbols, uint32_t place)
{
	symbols->place[place].first = (uint32_t)symbols->number_count;
	return add_frame(symbols, place, (struct ct_answer_frame){0}, false);
}

static int hear_text(void *user, const char *text, size_t bytes)
{
	struct asked *asked = user;

	if (ct_array_grow(&asked->text, asked->texts, sizeof(*asked->text)) < 0)
		return -ENOMEM;
	asked->text[asked->texts] = keep_text(asked->symbols, text, strnlen(text, bytes));
	return asked->text[asked->texts++] ? 0 : -ENOMEM;
}

static uint32_t heard(const struct asked *asked, uint32_t number)
{
	return number && number <= asked->texts ? asked->text[number - 1] : 0;
}

static int hear_place(void *user, size_t index, const struct ct_answer_frame *frames,
		      uint32_t count)
{
	struct asked *asked = user;
	uint32_t place = asked->place[index];
	int err = 0;

	if (count == 0)
		return add_nameless(asked->symbols, place);
	asked->symbols->place[place].first = (uint32_t)asked->symbols->number_count;
	for (uint32_t i = 0; i < count && err == 0; i++) {
		const struct ct_answer_frame frame = {
		    heard(asked, frames[i].function),
		    heard(asked, frames[i].file),
		    frames[i].line,
		};

		err = add_frame(asked->symbols, place, frame, i + 1 < count);
	}
	return err;
}

static int warn(struct ct_symbols *symbols, uint32_t file, const char *what)
{
	char *line;

	if (asprintf(&line, "%s: %s", file_of(symbols, file)->path, what) < 0)
		return -ENOMEM;
	if (ct_array_grow(&symbols->warning, symbols->warnings, sizeof(line)) < 0) {
		free(line);
		return -ENOMEM;
	}
	symbols->warning[symbols->warnings++] = line;
	return 0;
}

static int warn_of(struct ct_symbols *symbols, uint32_t file, uint32_t flags)
{
	symbols->flags[file - 1] = flags;
	if (!*file_of(symbols, file)->path)
		return 0;
	if (flags & CT_CODE_FILE_DAMAGED &&
	    warn(symbols, file, "the debug information is damaged; names are missing") < 0)
		return -ENOMEM;
	if (flags & CT_CODE_FILE_OTHER)
		return warn(symbols, file,
			    *file_of(symbols, file)->build_id
				? "not the file that the program ran (its build id is another); "
				  "calls from it have no names"
				: "changed since the program ran (it has no build id); calls from "
				  "it have no names");
	if (flags & CT_CODE_FILE_MISSING)
		return warn(symbols, file, "the file is not there; calls from it have no names");
	if (flags & CT_CODE_FILE_NAMELESS)
		return warn(symbols, file, "no symbols; calls from it have no names");
	return 0;
}

/* Ask for the places of a file from `first` on. Returns as ct_ask. */
static int ask(struct asked *asked, const uint64_t *offset, size_t *first, uint32_t *flags,
	       bool is_plain)
{
	struct ct_symbols *symbols = asked->symbols;
	const struct ct_question question = {
	    .file = file_of(symbols, asked->file),
	    .offset = offset + *first,
	    .count = asked->count - *first,
	    .debug_path = symbols->debug_path,
	    .is_plain = is_plain,
	};
	struct asked rest = *asked;
	struct ct_asking asking = {
	    .question = &question,
	    .seconds = symbols->seconds,
	    .text = hear_text,
	    .place = hear_place,
	    .user = &rest,
	};
	int result;

	rest.place += *first;
	result = ct_ask(&asking);
	free(rest.text);
	*first += asking.answered;
	*flags |= result == 0 ? asking.flags : 0;
	return result;
}

/* Damaged debug information is followed by the symbol table, which is simpler, and that by none. */
static int ask_file(struct asked *asked, const uint64_t *offset)
{
	size_t first = 0;
	uint32_t flags = 0;
	int result = ask(asked, offset, &first, &flags, false);

	if (result == 1) {
		flags |= CT_CODE_FILE_DAMAGED;
		result = ask(asked, offset, &first, &flags, true);
	}
	for (; result >= 0 && first < asked->count; first++)
		if (add_nameless(asked->symbols, asked->place[first]) < 0)
			return -ENOMEM;
	return result < 0 ? result : warn_of(asked->symbols, asked->file, flags);
}

static const struct ct_stored_frames *stored_of(const struct ct_stack_tree *stacks, uint32_t place)
{
	return place < stacks->stored_room ? &stacks->stored[place] : NULL;
}

/* Whether the trace says it. A file that was not there when names were resolved may be there
 * now. */
static bool is_stored(const struct ct_symbols *symbols, uint32_t place)
{
	const struct ct_stored_frames *stored = stored_of(symbols->stacks, place);
	const struct ct_code_file *file = file_of(symbols, symbols->stacks->place[place].file);

	if (!stored || !stored->count)
		return false;
	return stored->row->function ||
	       !(symbols->asks_again || !file ||
		 file->flags & (CT_CODE_FILE_MISSING | CT_CODE_FILE_OTHER));
}

static int take_text(struct ct_symbols *symbols, const struct ct_stored_frames *stored, uint32_t id,
		     uint32_t *number)
{
	const char *text = ct_trace_string(stored->trace, stored->part, id);

	*number = *text ? keep_text(symbols, text, strlen(text)) : 0;
	return *text && !*number ? -ENOMEM : 0;
}

static int take_stored(struct ct_symbols *symbols, uint32_t place)
{
	const struct ct_stored_frames *stored = stored_of(symbols->stacks, place);
	int err = 0;

	symbols->place[place].first = (uint32_t)symbols->number_count;
	for (uint32_t i = 0; i < stored->count && err == 0; i++) {
		struct ct_answer_frame frame = {.line = stored->row[i].line};

		err = take_text(symbols, stored, stored->row[i].function, &frame.function);
		if (err == 0)
			err = take_text(symbols, stored, stored->row[i].file, &frame.file);
		if (err == 0)
			err = add_frame(symbols, place, frame, i + 1 < stored->count);
	}
	return err;
}

/* Names what is stored, and what of the rest files say. asked: its places, those stored first. */
static int name_file(struct asked *asked, const uint64_t *offset)
{
	struct ct_symbols *symbols = asked->symbols;
	size_t stored = 0;
	int err = 0;

	for (; stored < asked->count && is_stored(symbols, asked->place[stored]) && err == 0;
	     stored++)
		err = take_stored(symbols, asked->place[stored]);
	if (err < 0)
		return err;
	if (stored == asked->count)
		return warn_of(symbols, asked->file, file_of(symbols, asked->file)->flags);
	asked->place += stored;
	asked->count -= stored;
	return ask_file(asked, offset + stored);
}

static int compare(const void *a, const void *b, void *user)
{
	const struct ct_symbols *symbols = user;
	uint32_t place_x = *(const uint32_t *)a, place_y = *(const uint32_t *)b;
	const struct ct_code_place *x = &symbols->stacks->place[place_x];
	const struct ct_code_place *y = &symbols->stacks->place[place_y];
	bool is_x = is_stored(symbols, place_x), is_y = is_stored(symbols, place_y);

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (is_x != is_y)
		return is_x ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* order: all places by file and offset, and offset theirs. */
static int name_all(struct ct_symbols *symbols, uint32_t *order, uint64_t *offset)
{
	const struct ct_stack_tree *stacks = symbols->stacks;
	int err = 0;

	for (size_t i = 0; i < stacks->places; i++)
		order[i] = (uint32_t)i;
	if (stacks->places)
		qsort_r(order, stacks->places, sizeof(*order), compare, symbols);
	for (size_t i = 0; i < stacks->places; i++)
		offset[i] = stacks->place[order[i]].offset;
	for (size_t first = 0, end; first < stacks->places && err == 0; first = end) {
		struct asked asked = {
		    .symbols = symbols,
		    .file = stacks->place[order[first]].file,
		    .place = order + first,
		};

		for (end = first; end < stacks->places; end++)
			if (stacks->place[order[end]].file != asked.file)
				break;
		asked.count = end - first;
		if (asked.file) {
			err = name_file(&asked, offset + first);
			continue;
		}
		for (size_t i = first; i < end && err == 0; i++)
			err = add_nameless(symbols, order[i]);
	}
	return err;
}

static int read_options(struct ct_symbols *symbols, const struct ct_symbols_options *options)
{
	const char *more = options->debug_path;

	symbols->asks_again = options->asks_again || more;
	symbols->seconds = options->seconds ? options->seconds : PLACE_SECONDS;
	if (more && asprintf(&symbols->debug_path, "%s:%s", DEBUG_PATH, more) < 0)
		symbols->debug_path = NULL;
	else if (!more)
		symbols->debug_path = strdup(DEBUG_PATH);
	return symbols->debug_path ? 0 : -ENOMEM;
}

int ct_symbols_open(struct ct_symbols **out, const struct ct_stack_tree *stacks,
		    const struct ct_symbols_options *options)
{
	struct ct_symbols *symbols = calloc(1, sizeof(*symbols));
	uint32_t *order = malloc((stacks->places + 1) * sizeof(*order));
	uint64_t *offset = malloc((stacks->places + 1) * sizeof(*offset));
	int err = -ENOMEM;

	*out = NULL;
	if (symbols && order && offset) {
		symbols->stacks = stacks;
		symbols->place = calloc(stacks->places + 1, sizeof(*symbols->place));
		symbols->flags = calloc(stacks->files + 1, sizeof(*symbols->flags));
		err = symbols->place && symbols->flags ? read_options(symbols, options) : -ENOMEM;
		if (err == 0)
			err = name_all(symbols, order, offset);
	}
	free(order);
	free(offset);
	if (err < 0) {
		ct_symbols_close(symbols);
		return err;
	}
	*out = symbols;
	return 0;
}

void ct_symbols_close(struct ct_symbols *symbols)
{
	if (!symbols)
		return;
	for (size_t i = 0; i < symbols->text_count; i++)
		free(symbols->text[i]);
	for (size_t i = 0; i < symbols->warnings; i++)
		free(symbols->warning[i]);
	ct_intern_fini(&symbols->texts);
	ct_map_fini(&symbols->frames);
	free(symbols->text);
	free(symbols->frame);
	free(symbols->place);
	free(symbols->flags);
	free(symbols->number);
	free(symbols->warning);
	free(symbols->debug_path);
	free(symbols);
}

size_t ct_symbols_frames(const struct ct_symbols *symbols, uint32_t place, const uint32_t **numbers)
{
	*numbers = symbols->number + symbols->place[place].first;
	return symbols->place[place].count;
}

const struct ct_code_frame *ct_symbols_frame(const struct ct_symbols *symbols, uint32_t number)
{
	return &symbols->frame[number];
}

size_t ct_symbols_count(const struct ct_symbols *symbols)
{
	return symbols->frame_count;
}

uint32_t ct_symbols_file_flags(const struct ct_symbols *symbols, uint32_t file)
{
	return symbols->flags[file - 1];
}

size_t ct_symbols_warnings(const struct ct_symbols *symbols, const char *const **lines)
{
	*lines = (const char *const *)symbols->warning;
	return symbols->warnings;
}
