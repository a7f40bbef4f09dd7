/* SPDX-License-Identifier: Apache-2.0 */
/* Machine instructions, and their blocks. */
#include "postproc/sass/decode.h"

#include <cudatrace/unit.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 4096u
#define NONE UINT32_MAX
#define NO_GUARD 7u
/* Opcodes that decide where the warp goes on. */
#define CALL 0x144u
#define BRA 0x147u
#define BRX 0x149u
#define EXIT 0x14du
#define RET 0x150u
#define ASKS (1u << 20 | 1u << 27) /* of the upper word */
/* The file's header says here which machine it is for. The place depends on the ABI's version. */
#define ABI_SM_SECOND_BYTE 8u
#define SM_FIRST 70u
#define SM_SPLIT_TARGETS 90u
#define SM_LAST 121u

enum instruction {
#define CT_INSTRUCTION(id, name, text, flops) IS_##name = id,
#include <cudatrace/instructions.def>
#undef CT_INSTRUCTION
};

static uint32_t machine_of(const struct ct_elf *elf)
{
	const Elf64_Ehdr *header = (const void *)elf->bytes;
	uint32_t flags = header->e_flags;

	return header->e_ident[EI_ABIVERSION] >= ABI_SM_SECOND_BYTE ? flags >> 8 & 0xff
								    : flags & 0xff;
}

static void classify(struct ct_sass_instruction *to, uint32_t opcode)
{
	enum { CT_SPACE_NONE = 0 };

	switch (opcode) {
#define CT_OPCODE(number, name, where)                                                             \
	case number:                                                                               \
		to->class = IS_##name;                                                             \
		to->space = CT_SPACE_##where;                                                      \
		break;
#include "postproc/sass/opcodes.def"
#undef CT_OPCODE
	default:
		to->class = IS_INTEGER;
		to->space = CT_SPACE_NONE;
	}
}

static bool is_access(const struct ct_sass_instruction *instruction)
{
	return instruction->class == IS_LOAD || instruction->class == IS_STORE ||
	       instruction->class == IS_ATOMIC;
}

/* (target - next) / 4, in instructions. */
static int64_t distance(uint64_t low, uint64_t high, uint32_t machine)
{
	uint64_t upper = low >> 34 | (high & 0x3ffff) << 30;
	int64_t words = (int64_t)(upper << 16) >> 16;

	if (machine >= SM_SPLIT_TARGETS)
		words = words * 256 + (int64_t)(low >> 16 & 0xff);
	return words * 4 / (int64_t)CT_SASS_BYTES;
}

static void decode(struct ct_sass_instruction *to, const char *bytes, uint32_t index,
		   uint32_t count, uint32_t machine)
{
	static const uint8_t widths[8] = {1, 1, 2, 2, 4, 8, 16, 4};
	uint64_t low, high;
	uint32_t opcode;
	int64_t target;

	memcpy(&low, bytes, sizeof(low));
	memcpy(&high, bytes + sizeof(low), sizeof(high));
	opcode = low & 0x1ff;
	*to = (struct ct_sass_instruction){.target = NONE, .callee = NONE, .goes_on = true};
	classify(to, opcode);
	to->bytes = is_access(to) ? widths[high >> 9 & 7] : 0;
	to->is_guarded =
	    (low >> 12 & 0xf) != NO_GUARD || (opcode == BRA && (high >> 23 & 0xf) != NO_GUARD);
	to->asks = opcode == BRA && (high & ASKS);
	to->is_table = opcode == BRX;
	to->is_call = to->class == IS_CALL;
	to->stall = high >> 41 & 0xf ? high >> 41 & 0xf : 1;
	to->sets = high >> 46 & 7;
	to->frees = high >> 49 & 7;
	to->waits = high >> 52 & 0x3f;
	to->ends = opcode == BRA || opcode == BRX || opcode == EXIT || opcode == RET;
	to->goes_on = !to->ends || to->is_guarded;
	if (opcode != BRA && opcode != CALL)
		return;
	target = (int64_t)index + 1 + distance(low, high, machine);
	if (target >= 0 && target < count)
		*(opcode == BRA ? &to->target : &to->callee) = (uint32_t)target;
}

/* Where blocks begin, by instruction. */
static void mark(const struct ct_sass_code *code, bool *begins)
{
	begins[0] = true;
	for (uint32_t i = 0; i < code->instructions; i++) {
		if (code->instruction[i].target != NONE)
			begins[code->instruction[i].target] = true;
		if (code->instruction[i].ends && i + 1 < code->instructions)
			begins[i + 1] = true;
	}
}

static int divide(struct ct_sass_code *code)
{
	bool *begins = calloc(code->instructions + 1u, sizeof(*begins));
	uint32_t *of = calloc(code->instructions + 1u, sizeof(*of));

	code->block = calloc(code->instructions + 1u, sizeof(*code->block));
	if (!begins || !of || !code->block) {
		free(begins);
		free(of);
		return -ENOMEM;
	}
	mark(code, begins);
	for (uint32_t i = 0; i < code->instructions; i++) {
		if (begins[i])
			code->block[code->blocks++].first = i;
		of[i] = code->blocks - 1;
		code->block[code->blocks - 1].count++;
	}
	for (uint32_t b = 0; b < code->blocks; b++) {
		struct ct_sass_block *block = &code->block[b];
		const struct ct_sass_instruction *last =
		    &code->instruction[block->first + block->count - 1];

		block->next[0] = last->goes_on && b + 1 < code->blocks ? b + 1 : NONE;
		block->next[1] = last->target != NONE ? of[last->target] : NONE;
	}
	free(begins);
	free(of);
	return 0;
}

int ct_sass_decode(struct ct_sass_code *code, const struct ct_elf *elf, const char *symbol)
{
	char name[NAME_BYTES];
	uint32_t machine = machine_of(elf);
	const char *bytes;
	size_t section, size = 0;

	*code = (struct ct_sass_code){0};
	snprintf(name, sizeof(name), ".text.%s", symbol);
	section = ct_elf_section(elf, name);
	bytes = section ? ct_elf_content(elf, section, &size) : NULL;
	if (!bytes || size < CT_SASS_BYTES || size / CT_SASS_BYTES >= NONE || machine < SM_FIRST ||
	    machine > SM_LAST)
		return 1;
	code->instructions = (uint32_t)(size / CT_SASS_BYTES);
	code->instruction = calloc(code->instructions, sizeof(*code->instruction));
	if (!code->instruction)
		return -ENOMEM;
	for (uint32_t i = 0; i < code->instructions; i++)
		decode(&code->instruction[i], bytes + (size_t)i * CT_SASS_BYTES, i,
		       code->instructions, machine);
	return divide(code);
}

void ct_sass_fini(struct ct_sass_code *code)
{
	free(code->instruction);
	free(code->block);
	*code = (struct ct_sass_code){0};
}
