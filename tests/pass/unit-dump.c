/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Print unit blobs (unit.h) as text, one fact per line, for FileCheck:
 *
 *   unit ID sm_ARCH SOURCE [spaces LIST] [kinds LIST] [events LIST] [values]
 *   kernel NAME "DISPLAY" at FILE:LINE:COLUMN (PARAMETERS) [no clone: REASON]
 *   site I VERDICT OPERATION B bytes SCALAR x LENGTH at FILE:LINE:COLUMN in
 *   FUNCTION depth D [kernel K] [volatile] [variable V] [space S] [pattern P]
 *   [reduction,values,range] [reason: R] [<- CALLER at FILE:LINE:COLUMN]...
 *
 * and with --blocks behind them
 *
 *   block N of FUNCTION [pattern P] [site S] at FILE:LINE-LAST depth D: I
 *   instructions, chain C, waits W, next [N ...]
 *     mix CLASS [SPACE BYTES] COUNT ...
 *     chain CLASS [SPACE BYTES] COUNT ...
 *     step CLASS [SPACE BYTES] at A [until U] [behind W] [used in N] line L
 *
 * Options are shown if they are not the defaults.
 */
#include <cudatrace/unit.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const OPERATIONS[256] = {
#define CT_OPERATION(id, name, text, group, memtrace) [id] = text,
#include <cudatrace/operations.def>
#undef CT_OPERATION
};
/* "global" of a site in another space, or in none, reads "definite". */
static const char *const VERDICTS[8] = {"?",       "global",    "checked",
					"skipped", "elsewhere", "filtered"};
static const char *const SPACES[8] = {"generic",  "global", "2", "shared",
				      "constant", "local",  "6", "7"};
static const char *const SCALARS[] = {"?", "integer", "float", "pointer", "bfloat"};
static const char *const KINDS[] = {"load", "store", "atomic"};
static const char *const EVENTS[] = {"barrier", "block"};
static const char *const FLAGS[] = {"volatile", "reduction", "values", "range",
				    "branch",	"return",    "entry"};

static const char *const CLASSES[256] = {
#define CT_INSTRUCTION(id, name, text, flops) [id] = text,
#include <cudatrace/instructions.def>
#undef CT_INSTRUCTION
};

struct unit {
	const struct ct_unit_header *header;
	const struct ct_unit_kernel *kernels;
	const struct ct_unit_param *params;
	const struct ct_unit_site *sites;
	const struct ct_unit_frame *frames;
	const struct ct_unit_block *blocks;
	const struct ct_unit_mix *mix;
	const struct ct_unit_step *steps;
	const uint32_t *next;
	const struct ct_unit_variable *variables;
	const struct ct_unit_statement *statements;
	const struct ct_unit_call *calls;
	const struct ct_unit_outcome *outcomes;
	const struct ct_unit_share *shares;
	const uint32_t *list;
	const char *strings;
};

/* The caller frees. */
static char *read_file(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "rb");
	char *content = NULL;
	long end;

	if (!file)
		return NULL;
	if (fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) > 0) {
		rewind(file);
		content = malloc(end);
		*bytes = content ? fread(content, 1, end, file) : 0;
	}
	fclose(file);
	return content;
}

static bool parse(struct unit *unit, const char *blob, size_t bytes)
{
	const struct ct_unit_header *h = (const void *)blob;

	if (bytes < sizeof(*h) || h->magic != CT_UNIT_MAGIC || h->version != CT_UNIT_VERSION)
		return false;
	unit->header = h;
	unit->kernels = (const void *)(blob + h->header_bytes);
	unit->params = (const void *)(unit->kernels + h->kernel_count);
	unit->sites = (const void *)(unit->params + h->param_count);
	unit->frames = (const void *)(unit->sites + h->site_count);
	unit->blocks = (const void *)(unit->frames + h->frame_count);
	unit->mix = (const void *)(unit->blocks + h->block_count);
	unit->steps = (const void *)(unit->mix + h->mix_count);
	unit->next = (const void *)(unit->steps + h->step_count);
	unit->variables = (const void *)(unit->next + h->next_count);
	unit->statements = (const void *)(unit->variables + h->variable_count);
	unit->calls = (const void *)(unit->statements + h->statement_count);
	unit->outcomes = (const void *)(unit->calls + h->call_count);
	unit->shares = (const void *)(unit->outcomes + h->outcome_count);
	unit->list = (const void *)(unit->shares + h->share_count);
	unit->strings = (const char *)(unit->list + h->list_count);
	return unit->strings + h->string_bytes == blob + bytes && h->string_bytes > 0 &&
	       blob[bytes - 1] == '\0';
}

static void print_kernel(const struct unit *unit, const struct ct_unit_kernel *k)
{
	const char *s = unit->strings;

	printf("kernel %s \"%s\" at %s:%u:%u (", s + k->name, s + k->display, s + k->file, k->line,
	       k->column);
	for (uint32_t i = 0; i < k->param_count; i++) {
		const struct ct_unit_param *p = &unit->params[k->param_first + i];

		printf("%s%s %s", i ? ", " : "", s + p->type, s + p->name);
	}
	printf(")%s%s\n", k->reason ? " no clone: " : "", s + k->reason);
}

static const char *verdict_of(const struct ct_unit_site *site)
{
	if (site->verdict == CT_VERDICT_GLOBAL && site->space != CT_SPACE_GLOBAL)
		return "definite";
	return VERDICTS[site->verdict & 7] ? VERDICTS[site->verdict & 7] : "?";
}

/* " before a,b" for the bits of the mask, nothing for none. */
static void print_names(const char *before, uint32_t mask, const char *const *names, uint32_t count)
{
	for (uint32_t bit = 0; bit < count; bit++) {
		if (!(mask >> bit & 1))
			continue;
		printf("%s%s", before, names[bit]);
		before = ",";
	}
}

/* Prints what is recorded, as far as it is not the default. */
static void print_options(const struct ct_unit_header *header)
{
	if (header->spaces != 1u << CT_SPACE_GLOBAL)
		print_names(" spaces ", header->spaces, SPACES, 8);
	if (header->kinds != (CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC))
		print_names(" kinds ", header->kinds, KINDS, 3);
	print_names(" events ", header->events, EVENTS, 2);
	if (header->values)
		printf(" values");
}

static void print_site(const struct unit *unit, uint32_t index)
{
	const struct ct_unit_site *site = &unit->sites[index];
	const char *s = unit->strings;

	printf("site %u %s %s %u bytes %s%u x %u at %s:%u:%u in %s depth %u", index,
	       verdict_of(site), OPERATIONS[site->operation], site->bytes,
	       site->scalar <= CT_SCALAR_BFLOAT ? SCALARS[site->scalar] : SCALARS[0], site->scalar_bits, site->vector_length, s + site->file,
	       site->line, site->column, s + site->function, site->loop_depth);
	if (site->kernel != CT_NONE)
		printf(" kernel %u", site->kernel);
	if (site->flags & CT_SITE_VOLATILE)
		printf(" volatile");
	if (site->variable)
		printf(" variable %s", s + site->variable);
	if (site->space != CT_SPACE_GLOBAL && site->space != CT_SPACE_GENERIC)
		printf(" space %s", SPACES[site->space & 7]);
	if (site->pattern)
		printf(" pattern %s", s + site->pattern);
	print_names(" ", site->flags & ~CT_SITE_VOLATILE, FLAGS, 7);
	if (site->branch_line)
		printf(" branch line %u", site->branch_line);
	if (site->reason)
		printf(" reason: %s", s + site->reason);
	for (uint32_t f = site->inlined_at; f != CT_NONE; f = unit->frames[f].inlined_at)
		printf(" <- %s at %s:%u:%u", s + unit->frames[f].function, s + unit->frames[f].file,
		       unit->frames[f].line, unit->frames[f].column);
	printf("\n");
}

static void print_instruction(uint8_t instruction, uint8_t space, uint16_t bytes)
{
	printf(" %s", CLASSES[instruction]);
	if (bytes || space)
		printf(" %s %u", SPACES[space & 7], bytes);
}

/* The rows of the block with the flag, or without any. */
static void print_mix(const struct unit *unit, const struct ct_unit_block *block, uint32_t flag)
{
	const char *before = "";

	for (uint32_t i = 0; i < block->mix_count; i++) {
		const struct ct_unit_mix *mix = &unit->mix[block->mix_first + i];

		if ((mix->instruction & CT_MIX_CHAIN) != flag)
			continue;
		printf("%s", *before ? before : flag ? "  chain" : "  mix");
		before = ",";
		print_instruction(mix->instruction & ~CT_MIX_CHAIN, mix->space, mix->bytes);
		printf(" %u", mix->count);
	}
	printf("%s", *before ? "\n" : "");
}

static void print_block(const struct unit *unit, const struct ct_unit_block *block)
{
	const char *s = unit->strings;

	printf("block %u of %s", block->number, s + block->function);
	if (block->pattern)
		printf(" pattern %s", s + block->pattern);
	if (block->site != CT_NONE)
		printf(" site %u", block->site);
	printf(" at %s:%u-%u depth %u: %u instructions, chain %u, waits %u, next", s + block->file,
	       block->line, block->last_line, block->loop_depth, block->instructions, block->depth,
	       block->load_waits);
	for (uint32_t i = 0; i < block->next_count; i++)
		printf(" %u", unit->next[block->next_first + i]);
	printf("\n");
	print_mix(unit, block, 0);
	print_mix(unit, block, CT_MIX_CHAIN);
	for (uint32_t i = 0; i < block->step_count; i++) {
		const struct ct_unit_step *step = &unit->steps[block->step_first + i];

		printf("  step");
		print_instruction(step->instruction, step->space, step->bytes);
		printf(" at %u", step->at);
		if (step->until != CT_NONE)
			printf(" until %u", step->until);
		if (step->wait)
			printf(" behind %u", step->wait);
		if (step->used_in != CT_NONE)
			printf(" used in %u", step->used_in);
		printf(" line %u\n", step->line);
	}
}

/* "v", "v.a.b", "v[]"; of an exit its name for callers in quotes. */
static void print_variable_name(const struct unit *unit, uint32_t id)
{
	const struct ct_unit_variable *v = &unit->variables[id];
	const char *name = unit->strings + v->name;

	if (v->kind == CT_VARIABLE_EXIT) {
		printf("'%s'", unit->strings + v->exit);
		return;
	}
	if (v->parent != CT_NONE)
		print_variable_name(unit, v->parent);
	printf("%s%s", v->parent != CT_NONE && *name != '[' ? "." : "", name);
}

static void print_list(const struct unit *unit, const char *what, uint32_t list)
{
	if (!list)
		return;
	printf(" %s", what);
	for (uint32_t i = 1; i <= unit->list[list]; i++) {
		printf(i == 1 ? " " : ",");
		print_variable_name(unit, unit->list[list + i]);
	}
}

static void print_variables(const struct unit *unit)
{
	static const char *const kinds[] = {"", "local", "parameter", "global", "shared", "part"};
	const char *s = unit->strings;

	for (uint32_t i = 0; i < unit->header->variable_count; i++) {
		const struct ct_unit_variable *v = &unit->variables[i];

		if (v->kind == CT_VARIABLE_EXIT)
			continue;
		printf("variable ");
		print_variable_name(unit, i);
		printf(" %s of %s type %s line %u\n", kinds[v->kind], s + v->function, s + v->type,
		       v->line);
	}
}

static void print_blame(const struct unit *unit)
{
	const char *s = unit->strings;

	print_variables(unit);
	for (uint32_t i = 0; i < unit->header->statement_count; i++) {
		const struct ct_unit_statement *at = &unit->statements[i];

		printf("statement %s:%u:%u", s + at->function, at->line, at->column);
		print_list(unit, "blamed", at->blamed);
		print_list(unit, "nearest", at->nearest);
		print_list(unit, "leaving", at->leaving);
		print_list(unit, "written", at->written);
		print_list(unit, "read", at->read);
		printf("\n");
	}
	for (uint32_t i = 0; i < unit->header->call_count; i++) {
		const struct ct_unit_call *call = &unit->calls[i];

		for (uint32_t o = 0; o < call->outcome_count; o++) {
			const struct ct_unit_outcome *of = &unit->outcomes[call->outcome_first + o];

			printf("call %s:%u:%u of %s '%s'", s + call->function, call->line,
			       call->column, s + call->callee, s + of->exit);
			print_list(unit, "blamed", of->blamed);
			print_list(unit, "nearest", of->nearest);
			print_list(unit, "leaving", of->leaving);
			print_list(unit, "direct", of->direct);
			printf("\n");
		}
	}
	for (uint32_t i = 0; i < unit->header->share_count; i++) {
		const struct ct_unit_share *share = &unit->shares[i];

		printf("share of block %u of %s: %u at", unit->blocks[share->block].number,
		       s + unit->blocks[share->block].function, share->instructions);
		for (uint32_t f = share->frame; f != CT_NONE; f = unit->frames[f].inlined_at)
			printf(" %s:%u:%u", s + unit->frames[f].function, unit->frames[f].line,
			       unit->frames[f].column);
		printf("\n");
	}
}

static int dump(const char *path, bool blocks, bool blame)
{
	struct unit unit;
	size_t bytes = 0;
	char *blob = read_file(path, &bytes);

	if (!blob || !parse(&unit, blob, bytes)) {
		fprintf(stderr, "unit-dump: %s: not a unit blob\n", path);
		free(blob);
		return 1;
	}
	printf("unit %016llx sm_%u %s", (unsigned long long)unit.header->unit_id, unit.header->arch,
	       unit.strings + unit.header->source);
	print_options(unit.header);
	printf("\n");
	for (uint32_t i = 0; i < unit.header->kernel_count; i++)
		print_kernel(&unit, &unit.kernels[i]);
	for (uint32_t i = 0; i < unit.header->site_count; i++)
		print_site(&unit, i);
	for (uint32_t i = 0; blocks && i < unit.header->block_count; i++)
		print_block(&unit, &unit.blocks[i]);
	if (blame)
		print_blame(&unit);
	free(blob);
	return 0;
}

int main(int argc, char **argv)
{
	bool blocks = argc > 1 && strcmp(argv[1], "--blocks") == 0;
	bool blame = argc > 1 && strcmp(argv[1], "--blame") == 0;
	int first = 1 + (blocks || blame), status = argc <= first;

	for (int i = first; i < argc; i++)
		status |= dump(argv[i], blocks, blame);
	return status;
}
