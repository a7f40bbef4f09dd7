/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes by prefixes and opcode (Intel's manual, volume 2, appendix A): moves, arithmetic and
 * string instructions, moves of SSE and AVX. A string instruction with a repeat prefix stops at
 * each element when it faults, so it accesses one element.
 */
#include "host-rt/watch/pages/instruction.h"
#include <stdbool.h>

struct prefixes {
	bool operand, wide; /* 66, REX.W */
	uint8_t repeat;     /* F2, F3, or 0 */
};

static uint32_t word(const struct prefixes *p)
{
	return p->wide ? 8 : p->operand ? 2 : 4;
}

static uint32_t of_plain(uint8_t op, const struct prefixes *p)
{
	if (op < 0x40 && (op & 7) < 4) /* add or adc sbb and sub xor cmp */
		return op & 1 ? word(p) : 1;
	switch (op) {
	case 0x63: /* movsxd */
		return 4;
	case 0x80:
	case 0x84:
	case 0x86:
	case 0x88:
	case 0x8a:
	case 0xa4:
	case 0xa6:
	case 0xaa:
	case 0xac:
	case 0xae:
	case 0xc0:
	case 0xc6:
	case 0xd0:
	case 0xd2:
	case 0xf6:
	case 0xfe:
		return 1;
	case 0x69:
	case 0x6b:
	case 0x81:
	case 0x83:
	case 0x85:
	case 0x87:
	case 0x89:
	case 0x8b:
	case 0xa5:
	case 0xa7:
	case 0xab:
	case 0xad:
	case 0xaf:
	case 0xc1:
	case 0xc7:
	case 0xd1:
	case 0xd3:
	case 0xf7:
		return word(p);
	default:
		return 0;
	}
}

/* 0F xx: vectors are 16 bytes, scalars by the repeat prefix. */
static uint32_t of_second(uint8_t op, const struct prefixes *p, uint32_t vector)
{
	switch (op) {
	case 0x10:
	case 0x11: /* movups movupd movss movsd */
	case 0x51:
	case 0x58:
	case 0x59:
	case 0x5c:
	case 0x5d:
	case 0x5e:
	case 0x5f:
		return p->repeat == 0xf3 ? 4 : p->repeat == 0xf2 ? 8 : vector;
	case 0x28:
	case 0x29:
	case 0x2b:
	case 0x54:
	case 0x55:
	case 0x56:
	case 0x57:
	case 0x6f:
	case 0x7f:
	case 0xe7:
	case 0xef:
		return vector;
	case 0x12:
	case 0x13:
	case 0x16:
	case 0x17:
	case 0xd6:
		return 8;
	case 0x6e:
		return p->wide ? 8 : 4;
	case 0x7e:
		return p->wide || p->repeat == 0xf3 ? 8 : 4;
	case 0xb6:
	case 0xbe:
		return 1;
	case 0xb7:
	case 0xbf:
		return 2;
	case 0xaf:
	case 0xb1:
	case 0xc1:
	case 0xa3:
		return word(p);
	case 0xb0:
	case 0xc0:
		return 1;
	default:
		return op >= 0x40 && op < 0x50 ? word(p) : 0; /* cmov */
	}
}

/* The vector length and the prefix that a VEX prefix stands for. */
static uint32_t of_vex(const uint8_t *code)
{
	static const uint8_t repeats[] = {0, 0, 0xf3, 0xf2};
	bool is_long = code[0] == 0xc4;
	uint8_t last = is_long ? code[2] : code[1];
	struct prefixes p = {.repeat = repeats[last & 3], .wide = is_long && last & 0x80};

	if (is_long && (code[1] & 0x1f) != 1)
		return 0;
	return of_second(code[is_long ? 3 : 2], &p, last & 4 ? 32 : 16);
}

uint32_t ct_instruction_bytes(const uint8_t *code)
{
	struct prefixes p = {0};

	for (;; code++) {
		if (*code == 0x66)
			p.operand = true;
		else if (*code == 0xf2 || *code == 0xf3)
			p.repeat = *code;
		else if (*code != 0x2e && *code != 0x3e && *code != 0x64 && *code != 0x65 &&
			 *code != 0xf0)
			break;
	}
	if ((*code & 0xf0) == 0x40)
		p.wide = *code++ & 8;
	if (*code == 0xc4 || *code == 0xc5)
		return of_vex(code);
	if (*code == 0x0f)
		return of_second(code[1], &p, 16);
	return of_plain(*code, &p);
}
