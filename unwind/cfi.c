/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the unwind program of a function up to an address. */
#include "unwind/cfi.h"
#include <stddef.h>
#include <string.h>

/* libgcc and LLVM's libunwind define it so. */
struct dwarf_eh_bases {
	void *text, *data, *function;
};
extern const void *_Unwind_Find_FDE(void *address, struct dwarf_eh_bases *bases);

enum { BP = 6, SP = 7, RETURN = 16 }; /* registers as DWARF numbers them */
enum { OP_DEREF = 0x06, OP_BREG_BP = 0x76 };

#define REMEMBERED 8u

/* Reads past the end give 0 and set the error. */
struct reader {
	const uint8_t *at, *end;
	bool is_bad;
};

enum rule { KEPT, AT_CFA, AT_BP, UNDEFINED, OTHER };

/* Where things are at an address of the function; BP_LOADED is CFA's only expression. */
struct rules {
	enum ct_step_kind cfa; /* SP, BP, BP_LOADED, HARD */
	int64_t cfa_offset;
	struct {
		enum rule rule;
		int64_t offset;
	} bp, sp, back;
};

struct program {
	uint64_t code_step;
	int64_t data_step;
	uint8_t encoding; /* of addresses */
	bool is_signal, has_augmentation, is_hard;
	uintptr_t address, wanted;
	struct rules rules, initial, remembered[REMEMBERED];
	unsigned depth;
};

static uint64_t read_fixed(struct reader *r, size_t bytes)
{
	uint64_t value = 0;

	if ((size_t)(r->end - r->at) < bytes) {
		r->is_bad = true;
		r->at = r->end;
		return 0;
	}
	memcpy(&value, r->at, bytes);
	r->at += bytes;
	return value;
}

static uint64_t read_leb(struct reader *r, bool is_signed)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = read_fixed(r, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && byte & 0x40 && shift < 64)
		value |= ~(uint64_t)0 << shift;
	return value;
}

static uint64_t read_unsigned(struct reader *r)
{
	return read_leb(r, false);
}

static int64_t read_signed(struct reader *r)
{
	return (int64_t)read_leb(r, true);
}

static struct reader read_block(struct reader *r)
{
	uint64_t bytes = read_unsigned(r);
	struct reader block = {r->at, r->at, false};

	if (bytes > (uint64_t)(r->end - r->at)) {
		r->is_bad = true;
		return block;
	}
	r->at += bytes;
	block.end = r->at;
	return block;
}

static void skip_address(struct reader *r, uint8_t encoding)
{
	static const uint8_t bytes[] = {8, 0, 2, 4, 8, 0, 0, 0, 8, 0, 2, 4, 8, 0, 0, 0};

	if (encoding == 0xff)
		return;
	if ((encoding & 0x70) == 0x50 || (!bytes[encoding & 15] && (encoding & 7) != 1))
		r->is_bad = true; /* aligned, or no encoding at all */
	else if (bytes[encoding & 15])
		read_fixed(r, bytes[encoding & 15]);
	else
		read_unsigned(r);
}

static void set_cfa(struct rules *rules, uint64_t from)
{
	rules->cfa = from == SP ? CT_STEP_SP : from == BP ? CT_STEP_BP : CT_STEP_HARD;
}

static void set_cfa_expression(struct rules *rules, struct reader block)
{
	rules->cfa = CT_STEP_HARD;
	if (read_fixed(&block, 1) != OP_BREG_BP)
		return;
	rules->cfa_offset = read_signed(&block);
	if (read_fixed(&block, 1) == OP_DEREF && block.at == block.end && !block.is_bad)
		rules->cfa = CT_STEP_BP_LOADED;
}

static void set_rule(struct rules *rules, uint64_t which, enum rule rule, int64_t offset)
{
	if (which == BP) {
		rules->bp.rule = rule;
		rules->bp.offset = offset;
	} else if (which == SP) {
		rules->sp.rule = rule;
	} else if (which == RETURN) {
		rules->back.rule = rule;
		rules->back.offset = offset;
	}
}

static void set_expression(struct rules *rules, uint64_t which, struct reader block)
{
	bool is_of_bp = read_fixed(&block, 1) == OP_BREG_BP;
	int64_t offset = read_signed(&block);

	is_of_bp = is_of_bp && block.at == block.end && !block.is_bad;
	set_rule(rules, which, is_of_bp ? AT_BP : OTHER, offset);
}

static void restore(struct program *p, uint64_t which)
{
	if (which == BP)
		p->rules.bp = p->initial.bp;
	else if (which == SP)
		p->rules.sp = p->initial.sp;
	else if (which == RETURN)
		p->rules.back = p->initial.back;
}

static void remember(struct program *p)
{
	if (p->depth < REMEMBERED)
		p->remembered[p->depth] = p->rules;
	else
		p->is_hard = true;
	p->depth++;
}

static void recall(struct program *p)
{
	if (p->depth && --p->depth < REMEMBERED)
		p->rules = p->remembered[p->depth];
	else
		p->is_hard = true;
}

/* Operations that set how registers are found. False: it is another one. */
static bool run_rule(struct program *p, struct reader *r, uint8_t operation)
{
	uint64_t which = read_unsigned(r);

	switch (operation) {
	case 0x05: /* offset_extended */
		set_rule(&p->rules, which, AT_CFA, (int64_t)read_unsigned(r) * p->data_step);
		return true;
	case 0x06: /* restore_extended */
		restore(p, which);
		return true;
	case 0x07: /* undefined */
		set_rule(&p->rules, which, UNDEFINED, 0);
		return true;
	case 0x08: /* same_value */
		set_rule(&p->rules, which, KEPT, 0);
		return true;
	case 0x10: /* expression */
		set_expression(&p->rules, which, read_block(r));
		return true;
	case 0x11: /* offset_extended_sf */
		set_rule(&p->rules, which, AT_CFA, read_signed(r) * p->data_step);
		return true;
	case 0x09: /* register */
	case 0x14: /* val_offset */
	case 0x15: /* val_offset_sf */
		read_unsigned(r);
		set_rule(&p->rules, which, OTHER, 0);
		return true;
	case 0x16: /* val_expression */
		read_block(r);
		set_rule(&p->rules, which, OTHER, 0);
		return true;
	case 0x2f: /* GNU_negative_offset_extended */
		set_rule(&p->rules, which, AT_CFA, -(int64_t)read_unsigned(r) * p->data_step);
		return true;
	default:
		return false;
	}
}

static bool run_cfa(struct program *p, struct reader *r, uint8_t operation)
{
	switch (operation) {
	case 0x0c: /* def_cfa */
		set_cfa(&p->rules, read_unsigned(r));
		p->rules.cfa_offset = (int64_t)read_unsigned(r);
		return true;
	case 0x0d: /* def_cfa_register */
		set_cfa(&p->rules, read_unsigned(r));
		return true;
	case 0x0e: /* def_cfa_offset */
		p->rules.cfa_offset = (int64_t)read_unsigned(r);
		return true;
	case 0x0f: /* def_cfa_expression */
		set_cfa_expression(&p->rules, read_block(r));
		return true;
	case 0x12: /* def_cfa_sf */
		set_cfa(&p->rules, read_unsigned(r));
		p->rules.cfa_offset = read_signed(r) * p->data_step;
		return true;
	case 0x13: /* def_cfa_offset_sf */
		p->rules.cfa_offset = read_signed(r) * p->data_step;
		return true;
	default:
		return false;
	}
}

static bool run_other(struct program *p, struct reader *r, uint8_t operation)
{
	switch (operation) {
	case 0x00: /* nop */
		return true;
	case 0x02: /* advance_loc1, 2, 4 */
	case 0x03:
	case 0x04:
		p->address += read_fixed(r, (size_t)1 << (operation - 2)) * p->code_step;
		return true;
	case 0x0a: /* remember_state */
		remember(p);
		return true;
	case 0x0b: /* restore_state */
		recall(p);
		return true;
	case 0x2e: /* GNU_args_size */
		read_unsigned(r);
		return true;
	default:
		return false;
	}
}

/* Until the rules of the wanted address are there. */
static void run(struct program *p, struct reader r)
{
	while (r.at < r.end && p->address <= p->wanted && !p->is_hard && !r.is_bad) {
		uint8_t operation = (uint8_t)read_fixed(&r, 1), low = operation & 0x3f;
		uint64_t operand;

		if (operation >> 6 == 1) {
			p->address += low * p->code_step;
		} else if (operation >> 6 == 2) {
			operand = read_unsigned(&r);
			set_rule(&p->rules, low, AT_CFA, (int64_t)operand * p->data_step);
		} else if (operation >> 6 == 3) {
			restore(p, low);
		} else if (!run_other(p, &r, operation) && !run_cfa(p, &r, operation) &&
			   !run_rule(p, &r, operation)) {
			p->is_hard = true;
		}
	}
	p->is_hard |= r.is_bad;
}

/* Reads the letters of the augmentation. */
static void read_augmentation(struct program *p, struct reader *r, const char *letters)
{
	struct reader data;

	if (!*letters)
		return;
	p->has_augmentation = *letters == 'z';
	p->is_hard |= !p->has_augmentation;
	data = read_block(r);
	while (*++letters && !p->is_hard) {
		if (*letters == 'R')
			p->encoding = (uint8_t)read_fixed(&data, 1);
		else if (*letters == 'P')
			skip_address(&data, (uint8_t)read_fixed(&data, 1));
		else if (*letters == 'L')
			read_fixed(&data, 1);
		else if (*letters == 'S')
			p->is_signal = true;
		else
			p->is_hard = true;
	}
	p->is_hard |= data.is_bad;
}

/* An entry of the section without its length. */
static struct reader read_entry(const uint8_t *entry)
{
	struct reader r = {entry, entry + 4, false};
	uint64_t bytes = read_fixed(&r, 4);

	r.is_bad = bytes == 0xffffffff; /* of 64-bit DWARF, which is not in use */
	r.end = r.is_bad ? r.at : r.at + bytes;
	return r;
}

/* Runs what functions have in common: the CIE. */
static void run_common(struct program *p, const uint8_t *entry)
{
	struct reader r = read_entry(entry);
	const char *letters;
	uint64_t version;

	read_fixed(&r, 4);
	version = read_fixed(&r, 1);
	letters = (const char *)r.at;
	while (read_fixed(&r, 1))
		;
	if (version >= 4)
		read_fixed(&r, 2);
	p->code_step = read_unsigned(&r);
	p->data_step = read_signed(&r);
	p->is_hard |= r.is_bad || (version == 1 ? read_fixed(&r, 1) : read_unsigned(&r)) != RETURN;
	if (!p->is_hard)
		read_augmentation(p, &r, letters);
	if (!p->is_hard)
		run(p, r);
	p->initial = p->rules;
}

/* The function's own: the FDE. */
static void run_function(struct program *p, const uint8_t *entry)
{
	struct reader r = read_entry(entry);
	uint64_t distance = read_fixed(&r, 4);

	p->is_hard = r.is_bad;
	if (!p->is_hard)
		run_common(p, entry + 4 - (ptrdiff_t)(int32_t)distance);
	skip_address(&r, p->encoding);
	skip_address(&r, p->encoding & 0x0f);
	if (p->has_augmentation)
		read_block(&r);
	if (!p->is_hard)
		run(p, r);
}

static bool fits(int64_t offset)
{
	return offset == (int32_t)offset;
}

static struct ct_stack_step step_of(const struct program *p)
{
	static const uint8_t bp[] = {CT_STEP_BP_KEPT, CT_STEP_BP_AT_CFA, CT_STEP_BP_AT_BP};
	const struct rules *rules = &p->rules;
	struct ct_stack_step step = {.kind = CT_STEP_HARD};

	if (p->is_signal)
		step.kind = CT_STEP_SIGNAL;
	else if (p->is_hard)
		step.kind = CT_STEP_HARD;
	else if (rules->back.rule == UNDEFINED)
		step.kind = CT_STEP_OUTERMOST;
	else if (rules->back.rule == AT_CFA && rules->back.offset == -8 && rules->sp.rule == KEPT &&
		 rules->bp.rule <= AT_BP && fits(rules->cfa_offset) && fits(rules->bp.offset))
		step = (struct ct_stack_step){.kind = (uint8_t)rules->cfa,
					      .bp = bp[rules->bp.rule],
					      .cfa_offset = (int32_t)rules->cfa_offset,
					      .bp_offset = (int32_t)rules->bp.offset};
	return step;
}

struct ct_stack_step ct_cfi_step(uintptr_t address, uintptr_t *function)
{
	struct program program = {.wanted = address - 1, .rules = {.cfa = CT_STEP_HARD}};
	struct dwarf_eh_bases bases = {0};
	const uint8_t *entry = _Unwind_Find_FDE((void *)(address - 1), &bases);

	*function = (uintptr_t)bases.function;
	if (!entry)
		return (struct ct_stack_step){.kind = CT_STEP_UNKNOWN};
	program.address = (uintptr_t)bases.function;
	run_function(&program, entry);
	return step_of(&program);
}
