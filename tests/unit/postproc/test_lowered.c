/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code: what its bits say, how long it takes by hand, and which loops are which. */
#include "postproc/analysis/model/costs.h"
#include "postproc/analysis/model/loops.h"
#include "postproc/analysis/model/operations.h"
#include "postproc/analysis/model/queue.h"
#include "postproc/analysis/model/schedule.h"
#include "postproc/sass/decode.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define NONE UINT32_MAX

/* A loop of ptxas 13.0 for sm_90, and what nvdisasm says of it:
 *	0x00            LDS.128 R12, [R12+UR7]     scoreboard 0, 2 cycles
 *	0x10            FADD R25, R19, -R14        waits for 0, 1 cycle
 *	0x20            MUFU.RSQ R12, R26          scoreboard 0, 8 cycles
 *	0x30       @!P2 FMUL R12, R12, 4096        waits for 0, 4 cycles
 *	0x40            LDG.E R8, desc[UR12][R12.64]  scoreboard 5, 4 cycles
 *	0x50            STG.E desc[UR12][R2.64], R23  4 cycles
 *	0x60        @P0 BRA 0x00                   5 cycles
 *	0x70            EXIT */
static const uint64_t words[] = {
    0x000000070c0c7984, 0x000e240008000c00, 0x8000000e13197221, 0x001fe20000000000,
    0x0000001a000c7308, 0x000e300000001400, 0x458000000c0ca820, 0x001fc80000400000,
    0x0000000c0c087981, 0x000368000c1e1900, 0x0000001702007986, 0x000fe8000c10190c,
    0xfffffffc00e40947, 0x000fea000383ffff, 0x000000000000794d, 0x000fea0003800000,
};
static const char names[] = "\0.text.k\0.shstrtab";

struct cubin {
	Elf64_Ehdr header;
	Elf64_Shdr section[3];
	uint64_t code[sizeof(words) / sizeof(*words)];
	char names[sizeof(names)];
};

static void build(struct cubin *cubin, uint32_t sm)
{
	memset(cubin, 0, sizeof(*cubin));
	memcpy(cubin->header.e_ident, ELFMAG, SELFMAG);
	cubin->header.e_ident[EI_CLASS] = ELFCLASS64;
	cubin->header.e_ident[EI_DATA] = ELFDATA2LSB;
	cubin->header.e_ident[EI_ABIVERSION] = 8;
	cubin->header.e_machine = EM_CUDA;
	cubin->header.e_flags = sm << 8;
	cubin->header.e_shoff = offsetof(struct cubin, section);
	cubin->header.e_shentsize = sizeof(Elf64_Shdr);
	cubin->header.e_shnum = 3;
	cubin->header.e_shstrndx = 2;
	cubin->section[1] = (Elf64_Shdr){.sh_name = 1,
					 .sh_type = SHT_PROGBITS,
					 .sh_offset = offsetof(struct cubin, code),
					 .sh_size = sizeof(words)};
	cubin->section[2] = (Elf64_Shdr){.sh_name = 9,
					 .sh_type = SHT_STRTAB,
					 .sh_offset = offsetof(struct cubin, names),
					 .sh_size = sizeof(names)};
	memcpy(cubin->code, words, sizeof(words));
	memcpy(cubin->names, names, sizeof(names));
}

static int decode(struct ct_sass_code *code, const struct cubin *cubin, const char *symbol)
{
	struct ct_elf elf;

	cr_assert_eq(ct_elf_view(&elf, cubin, sizeof(*cubin)), 0);
	return ct_sass_decode(code, &elf, symbol);
}

Test(lowered, instructions_are_what_nvdisasm_says)
{
	static const uint8_t class[] = {CT_IN_LOAD, CT_IN_FP32,  CT_IN_SFU,    CT_IN_FP32,
					CT_IN_LOAD, CT_IN_STORE, CT_IN_BRANCH, CT_IN_BRANCH};
	static const uint8_t stall[] = {2, 1, 8, 4, 4, 4, 5, 5};
	static const uint8_t waits[] = {0, 1, 0, 1, 0, 0, 0, 0};
	struct ct_sass_code code;
	struct cubin cubin;

	build(&cubin, 90);
	cr_assert_eq(decode(&code, &cubin, "k"), 0);
	cr_assert_eq(code.instructions, 8);
	for (uint32_t i = 0; i < 8; i++) {
		cr_assert_eq(code.instruction[i].class, class[i], "%u", i);
		cr_assert_eq(code.instruction[i].stall, stall[i], "%u", i);
		cr_assert_eq(code.instruction[i].waits, waits[i], "%u", i);
	}
	cr_assert_eq(code.instruction[0].space, CT_SPACE_SHARED);
	cr_assert_eq(code.instruction[0].bytes, 16);
	cr_assert_eq(code.instruction[0].sets, 0);
	cr_assert_eq(code.instruction[4].space, CT_SPACE_GLOBAL);
	cr_assert_eq(code.instruction[4].bytes, 4);
	cr_assert_eq(code.instruction[4].sets, 5);
	cr_assert_eq(code.instruction[4].frees, 1);
	cr_assert_eq(code.instruction[6].target, 0);
	cr_assert(code.instruction[3].is_guarded && !code.instruction[2].is_guarded);
	cr_assert_eq(code.blocks, 2);
	cr_assert_eq(code.block[0].count, 7);
	cr_assert_eq(code.block[0].next[0], 1);
	cr_assert_eq(code.block[0].next[1], 0);
	cr_assert_eq(code.block[1].next[0], NONE);
	ct_sass_fini(&code);
}

/*	0x00            BRA P1, 0x70        the second guard alone
 *	0x10       @!P0 BRA.DIV UR4, 0x50   which asks where the other lanes are
 *	0x20        @P2 BRA.U.ANY 0x10
 *	0x30            CALL.REL.NOINC 0x50
 *	0x40            BRX R4 -0x10df0
 *	0x50            CALL.ABS.NOINC R2 */
Test(lowered, branches_are_what_nvdisasm_says)
{
	static const uint64_t branches[] = {
	    0x0000000000187947, 0x000fea0000800000, 0x00000002040c8947, 0x00afea000b800000,
	    0xfffffffc00f82947, 0x002fea000393ffff, 0x0000000000047944, 0x000fea0003c00000,
	    0xfffffef004847949, 0x002fea000383ffff, 0x0000000002007343, 0x002fea0003c00000,
	};
	struct ct_sass_code code;
	struct cubin cubin;

	build(&cubin, 90);
	memcpy(cubin.code, branches, sizeof(branches));
	cr_assert_eq(decode(&code, &cubin, "k"), 0);
	cr_assert(code.instruction[0].is_guarded && code.instruction[0].goes_on);
	cr_assert(!code.instruction[0].asks && code.instruction[1].asks &&
		  code.instruction[2].asks);
	cr_assert_eq(code.instruction[0].target, 7);
	cr_assert_eq(code.instruction[1].target, 5);
	cr_assert_eq(code.instruction[2].target, 1);
	cr_assert_eq(code.instruction[3].target, NONE);
	cr_assert(code.instruction[3].is_call && code.instruction[3].goes_on);
	cr_assert_eq(code.instruction[3].callee, 5);
	cr_assert(code.instruction[5].is_call && code.instruction[5].callee == NONE);
	cr_assert(code.instruction[4].is_table && !code.instruction[4].is_call);
	ct_sass_fini(&code);
}

/* Missing or cut code, and machines that are not known: nothing is said. A branch out of the code
 * leads nowhere. */
Test(lowered, nothing_is_read_where_nothing_is_known)
{
	struct ct_sass_code code;
	struct cubin cubin;

	build(&cubin, 90);
	cr_assert_eq(decode(&code, &cubin, "other"), 1);
	ct_sass_fini(&code);
	build(&cubin, 60);
	cr_assert_eq(decode(&code, &cubin, "k"), 1);
	ct_sass_fini(&code);
	build(&cubin, 90);
	cubin.section[1].sh_size = 1u << 30;
	cr_assert_eq(decode(&code, &cubin, "k"), 1);
	ct_sass_fini(&code);
	build(&cubin, 90);
	cubin.code[12] = 0x0000000800e40947;
	cr_assert_eq(decode(&code, &cubin, "k"), 0);
	cr_assert_eq(code.instruction[6].target, NONE);
	ct_sass_fini(&code);
}

/* A machine whose pipelines are never in the way. */
static void wide(struct ct_machine *machine)
{
	*machine = (struct ct_machine){.fma32_lanes = 128,
				       .fma64_lanes = 128,
				       .fma16_lanes = 128,
				       .sfu_lanes = 128,
				       .integer_lanes = 128,
				       .multiply_lanes = 128,
				       .shared_latency = 30,
				       .sfu_latency = 20,
				       .fma32_latency = 4};
}

/* LDS at 0, there at 30; FADD at 30, MUFU at 31, there at 51; FMUL at 51, then 4 + 4 + 4 + 5: 68.
 * The machine's busiest pipeline issues 7; with 4 lanes for special functions their one takes 32.
 */
Test(lowered, time_is_as_by_hand)
{
	struct ct_machine machine;
	struct ct_sass_code code;
	struct cubin cubin;
	struct ct_script_op op[2 * 7 + 1];
	struct ct_schedule schedule = {.op = op};

	wide(&machine);
	build(&cubin, 90);
	cr_assert_eq(decode(&code, &cubin, "k"), 0);
	ct_schedule(&schedule, code.instruction, 7, false, &machine);
	cr_assert_float_eq(schedule.cycles, 68, 1e-9);
	cr_assert_float_eq(schedule.issue, 7, 1e-9);
	/* 55 cycles, the load, 4, the store, 9; nothing waits for the load */
	cr_assert_eq(schedule.ops, 5);
	cr_assert_eq(op[0].kind, CT_SCRIPT_COMPUTE);
	cr_assert_float_eq(op[0].share, 55 / 68.0, 1e-9);
	cr_assert_eq(op[1].kind, CT_SCRIPT_ACCESS);
	cr_assert_eq(op[1].access, 0);
	cr_assert_eq(op[3].kind, CT_SCRIPT_ACCESS);
	cr_assert_eq(op[3].access, 1);
	machine.sfu_lanes = 4;
	ct_schedule(&schedule, code.instruction, 7, true, &machine);
	cr_assert_float_eq(schedule.issue, 32, 1e-9);
	ct_sass_fini(&code);
}

/* 0 → 1 → 2 → 3 → 1, 2 → 2, 3 → 4; 5 is reached by none. */
Test(lowered, loops_are_one_in_another)
{
	static const uint32_t first[] = {0, 1, 2, 4, 6, 6, 7}, next[] = {1, 2, 2, 3, 1, 4, 4};
	const struct ct_block_graph graph = {6, first, next};
	struct ct_loops loops;

	cr_assert_eq(ct_loops_find(&loops, &graph), 0);
	cr_assert_eq(loops.loops, 3);
	cr_assert_eq(loops.loop[1].header, 1);
	cr_assert_eq(loops.loop[1].parent, 0);
	cr_assert_eq(loops.loop[2].header, 2);
	cr_assert_eq(loops.loop[2].parent, 1);
	cr_assert_eq(loops.of[0], 0);
	cr_assert_eq(loops.of[1], 1);
	cr_assert_eq(loops.of[2], 2);
	cr_assert_eq(loops.of[3], 1);
	cr_assert_eq(loops.of[4], 0);
	cr_assert_eq(loops.of[5], CT_LOOPS_NONE);
	ct_loops_fini(&loops);
}

/* 0 → 1 → 2 → 3 → 1, 3 → 2, 1 → 4 → 3: from either of the headers 1 and 2 the other's body is
 * reached, which no loop can be in twice. Who goes from loop to loop around it comes to the whole.
 */
Test(lowered, loops_that_hold_each_other_have_an_end)
{
	static const uint32_t first[] = {0, 1, 3, 4, 6, 7}, next[] = {1, 2, 4, 3, 1, 2, 3};
	const struct ct_block_graph graph = {5, first, next};
	struct ct_loops loops;

	cr_assert_eq(ct_loops_find(&loops, &graph), 0);
	cr_assert_eq(loops.loops, 3);
	for (uint32_t l = 1; l < loops.loops; l++) {
		uint32_t steps = 0;

		for (uint32_t at = l; at != 0; at = loops.loop[at].parent)
			cr_assert_lt(steps++, loops.loops, "loop %u", l);
	}
	ct_loops_fini(&loops);
}

/* Four turns of what loads 8 bytes and multiplies twice, but for one operation, are one of what
 * loads 32 and has seven; what stores instead has nothing in common. */
Test(lowered, unrolled_loops_are_found_by_what_they_do)
{
	struct ct_operations turn = {0}, unrolled = {0}, other = {0};
	double u;

	ct_operations_add(&turn, CT_IN_LOAD, CT_SPACE_GLOBAL, 8, 1);
	ct_operations_add(&turn, CT_IN_FMA32, 0, 0, 2);
	ct_operations_add(&unrolled, CT_IN_LOAD, CT_SPACE_GENERIC, 16, 2);
	ct_operations_add(&unrolled, CT_IN_FP32, 0, 0, 7);
	ct_operations_add(&other, CT_IN_STORE, CT_SPACE_SHARED, 32, 1);
	cr_assert_float_eq(ct_operations_compare(&turn, &unrolled, &u), 0.25 * (1 / 15.0) / 1.25,
			   1e-9);
	cr_assert_float_eq(u, 4, 0);
	cr_assert_float_eq(ct_operations_compare(&turn, &other, &u), 1, 0);
}

Test(lowered, the_earliest_comes_first)
{
	struct {
		int other;
		double time;
	} item[50];
	uint32_t number[50];
	struct ct_queue queue = {.number = number, .key = &item[0].time, .stride = sizeof(*item)};
	double last = -1;

	for (uint32_t i = 0; i < 50; i++) {
		item[i].time = i * 37 % 50;
		ct_queue_push(&queue, i);
	}
	item[number[0]].time = 60;
	ct_queue_finish(&queue);
	while (queue.count) {
		double time = item[number[0]].time;

		cr_assert_gt(time, last);
		last = time;
		ct_queue_pop(&queue);
	}
	cr_assert_float_eq(last, 60, 0);
}
