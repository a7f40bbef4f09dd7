/* SPDX-License-Identifier: Apache-2.0 */
/* Units made by hand. What has no room, or no memory, ends the program. */
#ifndef CT_TEST_BUILDER_UNIT_H
#define CT_TEST_BUILDER_UNIT_H

#include <cudatrace/unit.h>
#include <stddef.h>
#include <stdint.h>

#define BUILD_KERNELS_MAX 32u
#define BUILD_PARAMS_MAX 64u
#define BUILD_SITES_MAX 64u
#define BUILD_FRAMES_MAX 32u
#define BUILD_BLOCKS_MAX 32u
#define BUILD_MIX_MAX 128u
#define BUILD_STEPS_MAX 128u
#define BUILD_NEXT_MAX 64u
#define BUILD_BLAME_MAX 32u
#define BUILD_STRINGS_MAX 8192u

/* The tables may be changed until the unit is finished; indices count from 0. */
struct build_unit {
	struct ct_unit_header header;
	struct ct_unit_kernel kernels[BUILD_KERNELS_MAX];
	struct ct_unit_param params[BUILD_PARAMS_MAX];
	struct ct_unit_site sites[BUILD_SITES_MAX];
	struct ct_unit_frame frames[BUILD_FRAMES_MAX];
	struct ct_unit_block blocks[BUILD_BLOCKS_MAX];
	struct ct_unit_mix mix[BUILD_MIX_MAX];
	struct ct_unit_step steps[BUILD_STEPS_MAX];
	uint32_t next[BUILD_NEXT_MAX];
	struct ct_unit_variable variables[BUILD_BLAME_MAX];
	struct ct_unit_statement statements[BUILD_BLAME_MAX];
	struct ct_unit_call calls[BUILD_BLAME_MAX];
	struct ct_unit_outcome outcomes[BUILD_BLAME_MAX];
	struct ct_unit_share shares[BUILD_BLAME_MAX];
	uint32_t list[BUILD_BLAME_MAX];
	char strings[BUILD_STRINGS_MAX];
	const char *source; /* file of what is added */
};

/* A unit without anything, compiled for arch; global memory, all kinds of accesses. */
struct build_unit *build_unit(uint64_t id, uint32_t arch, const char *source);

/* Offset of a text in the unit, where it stands once. */
uint32_t build_text(struct build_unit *unit, const char *text);

/* The index of the kernel; line 0: where it is is not known. Parameters belong to the kernel that
 * was added last. */
uint32_t build_kernel(struct build_unit *unit, const char *symbol, const char *display,
		      uint32_t line);
void build_param(struct build_unit *unit, const char *name, const char *type);

/* Operations, by their names: BUILD_LOAD, BUILD_STORE, BUILD_ATOMIC_ADD, ... */
enum build_operation {
#define CT_OPERATION(id, name, text, class, memtrace) BUILD_##name = id,
#include <cudatrace/operations.def>
#undef CT_OPERATION
};

/* A site of function (a kernel of the unit, or another) that accesses global memory and is
 * recorded: an integer of so many bytes, at column 9. The caller changes what is otherwise. */
struct ct_unit_site *build_site(struct build_unit *unit, const char *function, uint32_t line,
				enum build_operation operation, uint32_t bytes);

/* The index of a place that sites were inlined at. */
uint32_t build_frame(struct build_unit *unit, const char *function, const char *file, uint32_t line,
		     uint32_t column, uint32_t inlined_at);

/* Classes of instructions, by their names: BUILD_IN_FMA32, ... */
enum build_instruction {
#define CT_INSTRUCTION(id, name, text, flops) BUILD_IN_##name = id,
#include <cudatrace/instructions.def>
#undef CT_INSTRUCTION
};

/* Tables of blame: the caller fills in what is returned, but for functions and their file. */
struct ct_unit_variable *build_variable(struct build_unit *unit, const char *function,
					const char *name);
struct ct_unit_statement *build_statement(struct build_unit *unit, const char *function,
					  uint32_t line);
struct ct_unit_call *build_call(struct build_unit *unit, const char *function, uint32_t line,
				const char *callee);
/* Adds an outcome of the call that was added last. */
struct ct_unit_outcome *build_outcome(struct build_unit *unit, const char *exit);
void build_share(struct build_unit *unit, uint32_t block, uint32_t frame, uint32_t instructions);
/* Adds a list of one variable. */
uint32_t build_list(struct build_unit *unit, uint32_t variable);
/* The next block of function, recorded at the site or CT_NONE; the caller reports its lines, chain
 * and waits. What follows is of the block that was added last: so many instructions of a class,
 * counted in its instructions too; a step; a block that may be next. */
struct ct_unit_block *build_block(struct build_unit *unit, const char *function, uint32_t site);
void build_mix(struct build_unit *unit, enum build_instruction instruction, uint32_t count,
	       enum ct_site_space space, uint16_t bytes);
void build_step(struct build_unit *unit, struct ct_unit_step step);
void build_next(struct build_unit *unit, uint32_t number);

/* The blob, freed by the caller; the unit is gone. */
void *build_blob(struct build_unit *unit, size_t *bytes);

#endif
