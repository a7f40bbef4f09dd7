/* SPDX-License-Identifier: Apache-2.0 */
/* Units made by hand. */
#include "tests/builder/unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(bool is_so, const char *what)
{
	if (is_so)
		return;
	fprintf(stderr, "tests/builder: a unit has no room for %s\n", what);
	abort();
}

struct build_unit *build_unit(uint64_t id, uint32_t arch, const char *source)
{
	struct build_unit *unit = calloc(1, sizeof(*unit));

	require(unit != NULL, "itself");
	unit->header = (struct ct_unit_header){
	    .magic = CT_UNIT_MAGIC,
	    .version = CT_UNIT_VERSION,
	    .header_bytes = sizeof(unit->header),
	    .unit_id = id,
	    .arch = arch,
	    .string_bytes = 1,
	    .spaces = 1u << CT_SPACE_GLOBAL,
	    .kinds = CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC,
	};
	unit->source = source;
	unit->header.source = build_text(unit, source);
	return unit;
}

uint32_t build_text(struct build_unit *unit, const char *text)
{
	size_t bytes = strlen(text) + 1;
	uint32_t at = 0;

	while (at < unit->header.string_bytes && strcmp(unit->strings + at, text) != 0)
		at += (uint32_t)strlen(unit->strings + at) + 1;
	if (at < unit->header.string_bytes)
		return at;
	require(at + bytes <= sizeof(unit->strings), text);
	memcpy(unit->strings + at, text, bytes);
	unit->header.string_bytes += (uint32_t)bytes;
	return at;
}

uint32_t build_kernel(struct build_unit *unit, const char *symbol, const char *display,
		      uint32_t line)
{
	uint32_t number = unit->header.kernel_count++;

	require(number < BUILD_KERNELS_MAX, symbol);
	unit->kernels[number] = (struct ct_unit_kernel){
	    .name = build_text(unit, symbol),
	    .display = build_text(unit, display),
	    .file = line ? build_text(unit, unit->source) : 0,
	    .line = line,
	    .param_first = unit->header.param_count,
	};
	return number;
}

void build_param(struct build_unit *unit, const char *name, const char *type)
{
	struct ct_unit_kernel *kernel = &unit->kernels[unit->header.kernel_count - 1];

	require(unit->header.param_count < BUILD_PARAMS_MAX, name);
	unit->params[unit->header.param_count++] =
	    (struct ct_unit_param){build_text(unit, name), build_text(unit, type)};
	kernel->param_count++;
}

static uint32_t kernel_of(const struct build_unit *unit, uint32_t symbol)
{
	for (uint32_t i = 0; i < unit->header.kernel_count; i++)
		if (unit->kernels[i].name == symbol)
			return i;
	return CT_NONE;
}

struct ct_unit_site *build_site(struct build_unit *unit, const char *function, uint32_t line,
				enum build_operation operation, uint32_t bytes)
{
	struct ct_unit_site *site = &unit->sites[unit->header.site_count];
	uint32_t symbol = build_text(unit, function);

	require(unit->header.site_count++ < BUILD_SITES_MAX, function);
	*site = (struct ct_unit_site){
	    .function = symbol,
	    .kernel = kernel_of(unit, symbol),
	    .file = build_text(unit, unit->source),
	    .line = line,
	    .column = 9,
	    .inlined_at = CT_NONE,
	    .bytes = bytes,
	    .operation = (uint8_t)operation,
	    .space = CT_SPACE_GLOBAL,
	    .verdict = CT_VERDICT_GLOBAL,
	    .scalar = CT_SCALAR_INTEGER,
	    .scalar_bits = (uint16_t)(bytes == 16 ? 32 : 8 * bytes),
	    .vector_length = bytes == 16 ? 4 : 1,
	};
	return site;
}

uint32_t build_frame(struct build_unit *unit, const char *function, const char *file, uint32_t line,
		     uint32_t column, uint32_t inlined_at)
{
	uint32_t number = unit->header.frame_count++;

	require(number < BUILD_FRAMES_MAX, function);
	unit->frames[number] = (struct ct_unit_frame){
	    build_text(unit, function), build_text(unit, file), line, column, inlined_at};
	return number;
}

struct ct_unit_block *build_block(struct build_unit *unit, const char *function, uint32_t site)
{
	struct ct_unit_block *block = &unit->blocks[unit->header.block_count];
	uint32_t symbol = build_text(unit, function);

	require(unit->header.block_count++ < BUILD_BLOCKS_MAX, function);
	*block = (struct ct_unit_block){
	    .function = symbol,
	    .kernel = kernel_of(unit, symbol),
	    .site = site,
	    .file = build_text(unit, unit->source),
	    .mix_first = unit->header.mix_count,
	    .step_first = unit->header.step_count,
	    .next_first = unit->header.next_count,
	};
	if (block > unit->blocks && block[-1].function == symbol)
		block->number = block[-1].number + 1;
	return block;
}

void build_mix(struct build_unit *unit, enum build_instruction instruction, uint32_t count,
	       enum ct_site_space space, uint16_t bytes)
{
	struct ct_unit_block *block = &unit->blocks[unit->header.block_count - 1];

	require(unit->header.mix_count < BUILD_MIX_MAX, "a mix");
	unit->mix[unit->header.mix_count++] =
	    (struct ct_unit_mix){(uint8_t)instruction, (uint8_t)space, bytes, count};
	block->mix_count++;
	block->instructions += count;
}

void build_step(struct build_unit *unit, struct ct_unit_step step)
{
	require(unit->header.step_count < BUILD_STEPS_MAX, "a step");
	unit->steps[unit->header.step_count++] = step;
	unit->blocks[unit->header.block_count - 1].step_count++;
}

void build_next(struct build_unit *unit, uint32_t number)
{
	require(unit->header.next_count < BUILD_NEXT_MAX, "an arc");
	unit->next[unit->header.next_count++] = number;
	unit->blocks[unit->header.block_count - 1].next_count++;
}

static char *append(char *at, const void *table, size_t bytes)
{
	memcpy(at, table, bytes);
	return at + bytes;
}

struct ct_unit_variable *build_variable(struct build_unit *unit, const char *function,
					const char *name)
{
	struct ct_unit_variable *v = &unit->variables[unit->header.variable_count];

	require(unit->header.variable_count++ < BUILD_BLAME_MAX, name);
	*v = (struct ct_unit_variable){
	    .function = build_text(unit, function),
	    .name = build_text(unit, name),
	    .parent = CT_NONE,
	    .file = build_text(unit, unit->source),
	    .kind = CT_VARIABLE_LOCAL,
	    .parameter = CT_NONE,
	};
	return v;
}

struct ct_unit_statement *build_statement(struct build_unit *unit, const char *function,
					  uint32_t line)
{
	struct ct_unit_statement *s = &unit->statements[unit->header.statement_count];

	require(unit->header.statement_count++ < BUILD_BLAME_MAX, "a statement");
	*s = (struct ct_unit_statement){
	    build_text(unit, function), build_text(unit, unit->source), line, 1, 0, 0, 0, 0, 0};
	return s;
}

struct ct_unit_call *build_call(struct build_unit *unit, const char *function, uint32_t line,
				const char *callee)
{
	struct ct_unit_call *call = &unit->calls[unit->header.call_count];

	require(unit->header.call_count++ < BUILD_BLAME_MAX, callee);
	*call = (struct ct_unit_call){
	    build_text(unit, function), build_text(unit, unit->source), line, 1,
	    build_text(unit, callee),   unit->header.outcome_count,     0};
	return call;
}

struct ct_unit_outcome *build_outcome(struct build_unit *unit, const char *exit)
{
	struct ct_unit_outcome *outcome = &unit->outcomes[unit->header.outcome_count];

	require(unit->header.outcome_count++ < BUILD_BLAME_MAX, exit);
	*outcome = (struct ct_unit_outcome){build_text(unit, exit), 0, 0, 0, 0};
	unit->calls[unit->header.call_count - 1].outcome_count++;
	return outcome;
}

void build_share(struct build_unit *unit, uint32_t block, uint32_t frame, uint32_t instructions)
{
	require(unit->header.share_count < BUILD_BLAME_MAX, "a share");
	unit->shares[unit->header.share_count++] =
	    (struct ct_unit_share){block, frame, instructions};
}

uint32_t build_list(struct build_unit *unit, uint32_t variable)
{
	uint32_t at = unit->header.list_count ? unit->header.list_count : 1;

	require(at + 2 <= BUILD_BLAME_MAX, "a list");
	unit->list[at] = 1;
	unit->list[at + 1] = variable;
	unit->header.list_count = at + 2;
	return at;
}

void *build_blob(struct build_unit *unit, size_t *bytes)
{
	const struct ct_unit_header *header = &unit->header;
	char *blob, *at;

	*bytes =
	    sizeof(*header) + header->kernel_count * sizeof(*unit->kernels) +
	    header->param_count * sizeof(*unit->params) +
	    header->site_count * sizeof(*unit->sites) +
	    header->frame_count * sizeof(*unit->frames) +
	    header->block_count * sizeof(*unit->blocks) + header->mix_count * sizeof(*unit->mix) +
	    header->step_count * sizeof(*unit->steps) + header->next_count * sizeof(*unit->next) +
	    header->variable_count * sizeof(*unit->variables) +
	    header->statement_count * sizeof(*unit->statements) +
	    header->call_count * sizeof(*unit->calls) +
	    header->outcome_count * sizeof(*unit->outcomes) +
	    header->share_count * sizeof(*unit->shares) + header->list_count * sizeof(*unit->list) +
	    header->string_bytes;
	blob = at = malloc(*bytes);
	require(blob != NULL, "its blob");
	at = append(at, header, sizeof(*header));
	at = append(at, unit->kernels, header->kernel_count * sizeof(*unit->kernels));
	at = append(at, unit->params, header->param_count * sizeof(*unit->params));
	at = append(at, unit->sites, header->site_count * sizeof(*unit->sites));
	at = append(at, unit->frames, header->frame_count * sizeof(*unit->frames));
	at = append(at, unit->blocks, header->block_count * sizeof(*unit->blocks));
	at = append(at, unit->mix, header->mix_count * sizeof(*unit->mix));
	at = append(at, unit->steps, header->step_count * sizeof(*unit->steps));
	at = append(at, unit->next, header->next_count * sizeof(*unit->next));
	at = append(at, unit->variables, header->variable_count * sizeof(*unit->variables));
	at = append(at, unit->statements, header->statement_count * sizeof(*unit->statements));
	at = append(at, unit->calls, header->call_count * sizeof(*unit->calls));
	at = append(at, unit->outcomes, header->outcome_count * sizeof(*unit->outcomes));
	at = append(at, unit->shares, header->share_count * sizeof(*unit->shares));
	at = append(at, unit->list, header->list_count * sizeof(*unit->list));
	append(at, unit->strings, header->string_bytes);
	free(unit);
	return blob;
}
