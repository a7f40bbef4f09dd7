/* SPDX-License-Identifier: Apache-2.0 */
/* Registers are words that begin with %; the first operand is written, where there is one. */
#include "postproc/sass/ptx.h"
#include "postproc/sass/flow.h"

#include "base/array.h"
#include "base/intern.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DISTANCE_MAX 12u
#define NAME_BYTES 128u

/* A register that an instruction reads or writes. */
struct access {
	uint32_t reg; /* number of its name, unique in its function */
	uint32_t line;
	bool is_written;
};

struct line {
	size_t first, count; /* of its accesses */
	bool can_stall[CT_PTX_SHORT + 1];
};

struct ct_ptx {
	struct line *lines; /* line n is lines[n - 1] */
	size_t line_count;
	struct access *accesses; /* line by line */
	size_t access_count, access_room;
	struct access *writers; /* those that are written, by register */
	size_t writer_count;
	struct ct_intern names; /* of registers, with their functions */
	uint32_t function;      /* which has registers of its own */
	struct ct_ptx_flow *flow;
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* "ld.global.v2.b32": of the opcode's words, is there one of these? */
static bool has_word(const char *opcode, const char *word)
{
	size_t bytes = strlen(word);

	for (const char *at = strchr(opcode, '.'); at; at = strchr(at + 1, '.'))
		if (strncmp(at + 1, word, bytes) == 0 &&
		    (at[1 + bytes] == '.' || !at[1 + bytes] || at[1 + bytes] == ':'))
			return true;
	return false;
}

static bool is_shared(const char *opcode)
{
	return has_word(opcode, "shared");
}

/* Memory that is far: not shared, not parameters or constants. */
static bool waits_long(const char *opcode)
{
	if (begins(opcode, "tex.") || begins(opcode, "tld4.") || begins(opcode, "suld."))
		return true;
	if (!begins(opcode, "ld.") && !begins(opcode, "ldu.") && !begins(opcode, "atom."))
		return false;
	return !is_shared(opcode) && !has_word(opcode, "param") && !has_word(opcode, "const");
}

/* Shared memory, exchanges within a warp, the units for special functions and conversions. */
static bool waits_short(const char *opcode)
{
	static const char *const words[] = {
	    "shfl.", "sin.", "cos.",  "ex2.",   "lg2.",  "rcp.",      "sqrt.",  "rsqrt.", "tanh.",
	    "cvt.",  "div.", "popc.", "bfind.", "brev.", "ldmatrix.", "match.", "vote.",  "redux."};

	if ((begins(opcode, "ld.") || begins(opcode, "atom.")) && is_shared(opcode))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (begins(opcode, words[i]))
			return true;
	return false;
}

static bool writes_first(const char *opcode)
{
	static const char *const words[] = {
	    "st.",     "red.",          "bra",       "bar",
	    "barrier", "ret",           "exit",      "membar",
	    "fence",   "prefetch",      "cp.",       "call",
	    "trap",    "brkpt",         "nanosleep", "mbarrier.arrive",
	    "discard", "applypriority", "wgmma",     "sust"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (begins(opcode, words[i]))
			return false;
	return true;
}

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* The number of a register; 0: memory is short. */
static uint32_t number_of(struct ct_ptx *ptx, const char *name, size_t bytes)
{
	char key[NAME_BYTES];
	int length = snprintf(key, sizeof(key), "%u %.*s", ptx->function, (int)bytes, name);
	bool is_new;

	if (length >= (int)sizeof(key))
		length = (int)sizeof(key) - 1;
	return ct_intern_add(&ptx->names, key, (size_t)length, &is_new);
}

static int add_access(struct ct_ptx *ptx, const char *name, size_t bytes, bool is_written)
{
	struct access access = {.line = (uint32_t)ptx->line_count,
				.reg = number_of(ptx, name, bytes),
				.is_written = is_written};

	if (!access.reg || ct_array_reserve(&ptx->accesses, &ptx->access_room,
					    ptx->access_count + 1, sizeof(access)) < 0)
		return -ENOMEM;
	ptx->accesses[ptx->access_count++] = access;
	ptx->lines[ptx->line_count - 1].count++;
	return 0;
}

/* "{%r1, %r2}, [%rd3+4]": registers of the first operand are written, unless it is an address. */
static int take_operands(struct ct_ptx *ptx, const char *at, bool first_is_written)
{
	unsigned depth = 0;
	bool is_first = first_is_written;
	int err = 0;

	while (*at && *at != ';' && err == 0) {
		size_t bytes = 0;

		while (is_of_name(at[bytes]))
			bytes++;
		if (bytes == 0) {
			depth += *at == '{';
			depth -= *at == '}' && depth;
			if (*at == '[' || (*at == ',' && depth == 0))
				is_first = false;
			at++;
			continue;
		}
		if (*at == '%')
			err = add_access(ptx, at, bytes, is_first);
		at += bytes;
	}
	return err;
}

/* "@!%p1 opcode operands;" */
static int take_instruction(struct ct_ptx *ptx, const char *text)
{
	struct line *line = &ptx->lines[ptx->line_count - 1];
	const char *guard = NULL, *operands;
	char opcode[64];
	size_t bytes;
	int err = 0;

	if (*text == '@') {
		guard = text + 1 + (text[1] == '!');
		text += strcspn(text, " \t");
		text += strspn(text, " \t");
	}
	bytes = strcspn(text, " \t;");
	snprintf(opcode, sizeof(opcode), "%.*s", (int)bytes, text);
	line->can_stall[CT_PTX_LONG] = waits_long(opcode);
	line->can_stall[CT_PTX_SHORT] = waits_short(opcode);
	operands = text + bytes;
	/* tid and its like come from a register file that is far. */
	if (begins(opcode, "mov.") && (strstr(operands, "%tid.") || strstr(operands, "%ctaid.")))
		line->can_stall[CT_PTX_SHORT] = true;
	err = take_operands(ptx, operands, writes_first(opcode));
	for (bytes = 0; err == 0 && guard && is_of_name(guard[bytes]);)
		bytes++;
	if (err == 0 && guard && bytes)
		err = add_access(ptx, guard, bytes, false);
	return err;
}

static int take_line(struct ct_ptx *ptx, const char *text)
{
	if (ct_array_grow(&ptx->lines, ptx->line_count, sizeof(*ptx->lines)) < 0)
		return -ENOMEM;
	ptx->lines[ptx->line_count++] = (struct line){.first = ptx->access_count};
	if (strstr(text, ".entry ") || strstr(text, ".func ") || strstr(text, ".func\t"))
		ptx->function++;
	text += strspn(text, " \t");
	/* Directives, labels, braces and comments have no registers that are read or written. */
	if (!*text || strchr("./{}()$_", *text) || strchr(text, ';') == NULL)
		return 0;
	return take_instruction(ptx, text);
}

static int compare_writers(const void *a, const void *b)
{
	const struct access *x = a, *y = b;

	if (x->reg != y->reg)
		return x->reg < y->reg ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static int index_writers(struct ct_ptx *ptx)
{
	ptx->writers = malloc((ptx->access_count + 1) * sizeof(*ptx->writers));
	if (!ptx->writers)
		return -ENOMEM;
	for (size_t i = 0; i < ptx->access_count; i++)
		if (ptx->accesses[i].is_written)
			ptx->writers[ptx->writer_count++] = ptx->accesses[i];
	qsort(ptx->writers, ptx->writer_count, sizeof(*ptx->writers), compare_writers);
	return 0;
}

int ct_ptx_open(struct ct_ptx **out, const char *text, size_t bytes)
{
	struct ct_ptx *ptx = calloc(1, sizeof(*ptx));
	const char *end = text + bytes;
	int err = ptx ? ct_flow_open(&ptx->flow, text, bytes) : -ENOMEM;

	*out = NULL;
	for (; err == 0 && text < end; text += strlen(text) + 1)
		err = take_line(ptx, text);
	if (err == 0)
		err = index_writers(ptx);
	if (err < 0) {
		ct_ptx_close(ptx);
		return err;
	}
	*out = ptx;
	return 0;
}

void ct_ptx_close(struct ct_ptx *ptx)
{
	if (!ptx)
		return;
	free(ptx->lines);
	free(ptx->accesses);
	free(ptx->writers);
	ct_flow_close(ptx->flow);
	ct_intern_fini(&ptx->names);
	free(ptx);
}

enum ct_ptx_producer ct_ptx_producer_of(const char *reason)
{
	static const struct {
		const char *reason;
		enum ct_ptx_producer what;
	} all[] = {{"long_scoreboard", CT_PTX_LONG}, {"short_scoreboard", CT_PTX_SHORT},
		   {"lg_throttle", CT_PTX_ITSELF},   {"mio_throttle", CT_PTX_ITSELF},
		   {"tex_throttle", CT_PTX_ITSELF},  {"barrier", CT_PTX_BEFORE}};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(reason, all[i].reason) == 0)
			return all[i].what;
	return CT_PTX_NOTHING;
}

/* Lines that are walked over, each once. */
struct walk {
	const struct ct_ptx *ptx;
	uint32_t *lines;
	size_t count;
	bool *is_seen;
};

static void visit(struct walk *walk, uint32_t line)
{
	if (walk->is_seen[line - 1])
		return;
	walk->is_seen[line - 1] = true;
	walk->lines[walk->count++] = line;
}

static size_t first_writer(const struct ct_ptx *ptx, uint32_t reg)
{
	size_t low = 0, high = ptx->writer_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ptx->writers[middle].reg < reg)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* All that write what a line reads. */
static void step_back(struct walk *walk, uint32_t number)
{
	const struct ct_ptx *ptx = walk->ptx;
	const struct line *line = &ptx->lines[number - 1];

	for (size_t i = line->first; i < line->first + line->count; i++) {
		uint32_t reg = ptx->accesses[i].reg;

		if (ptx->accesses[i].is_written)
			continue;
		for (size_t w = first_writer(ptx, reg);
		     w < ptx->writer_count && ptx->writers[w].reg == reg; w++)
			visit(walk, ptx->writers[w].line);
	}
}

static int compare_lines(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Those at one distance that are in the loop. */
static size_t take_level(const struct walk *walk, size_t begin, size_t end,
			 enum ct_ptx_producer what, struct ct_flow_loop loop,
			 uint32_t lines[CT_PTX_PRODUCERS_MAX])
{
	size_t found = 0;

	for (size_t i = begin; i < end; i++) {
		uint32_t line = walk->lines[i];

		if (walk->ptx->lines[line - 1].can_stall[what] && line >= loop.first &&
		    line <= loop.last && found < CT_PTX_PRODUCERS_MAX)
			lines[found++] = line;
	}
	return found;
}

size_t ct_ptx_producers(const struct ct_ptx *ptx, uint32_t line, enum ct_ptx_producer what,
			uint32_t lines[CT_PTX_PRODUCERS_MAX])
{
	const struct ct_flow_loop everywhere = {0, UINT32_MAX};
	struct walk walk = {.ptx = ptx};
	uint32_t inside[CT_PTX_PRODUCERS_MAX];
	size_t begin = 0, found = 0, found_inside = 0;
	struct ct_flow_loop loop;

	if ((what != CT_PTX_LONG && what != CT_PTX_SHORT) || line == 0 || line > ptx->line_count)
		return 0;
	walk.lines = malloc(ptx->line_count * sizeof(*walk.lines));
	walk.is_seen = calloc(ptx->line_count, sizeof(*walk.is_seen));
	if (!walk.lines || !walk.is_seen)
		goto free_walk;
	loop = ct_flow_loop(ptx->flow, line);
	step_back(&walk, line);
	for (unsigned distance = 0; distance < DISTANCE_MAX && !found_inside && begin < walk.count;
	     distance++) {
		size_t end = walk.count;

		found_inside = take_level(&walk, begin, end, what, loop, inside);
		if (!found)
			found = take_level(&walk, begin, end, what, everywhere, lines);
		for (size_t i = begin; i < end && !found_inside; i++)
			step_back(&walk, walk.lines[i]);
		begin = end;
	}
	if (found_inside) {
		memcpy(lines, inside, found_inside * sizeof(*lines));
		found = found_inside;
	}
	qsort(lines, found, sizeof(*lines), compare_lines);
free_walk:
	free(walk.lines);
	free(walk.is_seen);
	return found;
}

bool *ct_ptx_before(const struct ct_ptx *ptx, uint32_t line)
{
	return ct_flow_before(ptx->flow, line);
}

size_t ct_ptx_lines(const struct ct_ptx *ptx)
{
	return ct_flow_lines(ptx->flow);
}
