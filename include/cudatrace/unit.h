/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unit blob: static facts of one translation unit's device code for one
 * architecture. Written by the LLVM pass in the device compilation, embedded
 * in the host object, handed to host-rt at start-up and copied unchanged into
 * the trace (chunk kind UNIT).
 *
 *   struct ct_unit_header
 *   struct ct_unit_kernel [kernel_count]
 *   struct ct_unit_param  [param_count]
 *   struct ct_unit_site   [site_count]
 *   struct ct_unit_frame  [frame_count]
 *   struct ct_unit_block  [block_count]
 *   struct ct_unit_mix    [mix_count]
 *   struct ct_unit_step   [step_count]
 *   uint32_t next         [next_count]
 *   struct ct_unit_variable  [variable_count]
 *   struct ct_unit_statement [statement_count]
 *   struct ct_unit_call      [call_count]
 *   struct ct_unit_outcome   [outcome_count]
 *   struct ct_unit_share     [share_count]
 *   uint32_t list            [list_count]
 *   char strings[string_bytes]     NUL-terminated; offset 0 is ""
 *
 * Little-endian, no padding beyond what is written here. "str" is an offset
 * into strings. Indices that do not exist are CT_NONE.
 */
#ifndef CUDATRACE_UNIT_H
#define CUDATRACE_UNIT_H

#include <stdint.h>

#define CT_UNIT_MAGIC 0x4e555443u /* "CTUN" */
/* Readers take earlier versions as well: 1 without options in the header and pattern in sites, 2
 * without blocks, 3 without blame, chains of blocks, and where loads are used behind their block.
 */
#define CT_UNIT_VERSION 4u
#define CT_NONE 0xffffffffu
#define CT_UNIT_SYMBOL                                                                             \
	"__ct_unit_" /* and the id: host symbol of a unit of device functions only (-fgpu-rdc) */

struct ct_unit_header {
	uint32_t magic;
	uint16_t version;
	uint16_t header_bytes; /* sizeof(struct ct_unit_header) */
	uint64_t unit_id;      /* names the translation unit; the same for all its architectures */
	uint32_t arch;         /* 90 for sm_90 */
	uint32_t kernel_count;
	uint32_t param_count;
	uint32_t site_count;
	uint32_t frame_count;
	uint32_t string_bytes;
	uint32_t source;       /* str: main source file */
	uint32_t sample_sites; /* accesses of one site in so many are recorded, the others FILTERED;
				  0 or 1: all */
	/* from version 2 */
	uint32_t spaces; /* bit 1 << enum ct_site_space: recorded spaces */
	uint32_t kinds;  /* enum ct_unit_kinds: recorded kinds of accesses */
	uint32_t events; /* enum ct_unit_events */
	uint32_t values; /* 1: values are recorded */
	/* from version 3 */
	uint32_t block_count;
	uint32_t mix_count;
	uint32_t step_count;
	uint32_t next_count;
	/* from version 4: all 0 without debug information of variables */
	uint32_t variable_count;
	uint32_t statement_count;
	uint32_t call_count;
	uint32_t outcome_count;
	uint32_t share_count;
	uint32_t list_count;
};

enum ct_unit_kinds { CT_KIND_LOAD = 1, CT_KIND_STORE = 2, CT_KIND_ATOMIC = 4 };
/* CTAS: kernels that have a clone have the CTA clock (ctas.h) in it, and a clone of that alone. */
enum ct_unit_events {
	CT_UNIT_BARRIERS = 1,
	CT_UNIT_BLOCKS = 2,
	CT_UNIT_CTAS = 4,
	CT_UNIT_HOST = 8
};

/* A unit of host code has no kernels and no architecture: its statements stand for the copies
 * between host and devices, with the variables that what they leave behind flows into, and those
 * that they read. Its id is that of the translation unit with these bits changed. */
#define CT_UNIT_OF_HOST UINT64_C(0xa5f057)

/* How records of other units' kernels name this unit: the low 28 bits of its id, 1 for 0. */
static inline uint32_t ct_unit_tag(uint64_t unit_id)
{
	uint32_t tag = (uint32_t)unit_id & 0xfffffffu;

	return tag ? tag : 1;
}

struct ct_unit_kernel {
	uint32_t name;    /* str: mangled symbol */
	uint32_t display; /* str: source-level qualified name with template arguments */
	uint32_t file;    /* str */
	uint32_t line;
	uint32_t column;
	uint32_t param_first; /* index into params */
	uint32_t param_count;
	uint32_t reason; /* str: why there is no instrumented clone; 0 if there is one */
};

/*
 * Behind the parameters of a kernel, which do not count them, stand the pointers in those that are
 * structures passed by value: the name "view.data", and in place of the type the parameter's number
 * and the pointer's offset in bytes, "0+8". No type begins with a digit.
 */
struct ct_unit_param {
	uint32_t name; /* str */
	uint32_t type; /* str: source-level type */
};

#define CT_MEMBER_AT "+"

enum ct_site_space {
	CT_SPACE_GENERIC = 0,
	CT_SPACE_GLOBAL = 1,
	CT_SPACE_SHARED = 3,
	CT_SPACE_CONSTANT = 4,
	CT_SPACE_LOCAL = 5,
};

enum ct_site_verdict {
	CT_VERDICT_GLOBAL = 1, /* definite: in `space`, every execution is recorded (events, too) */
	CT_VERDICT_CHECKED = 2,   /* decided at run time, lane by lane */
	CT_VERDICT_SKIPPED = 3,   /* cannot be instrumented; reason says why */
	CT_VERDICT_ELSEWHERE = 4, /* definite: in `space`, which is not recorded */
	CT_VERDICT_FILTERED = 5,  /* left out by an option, which reason names */
};

enum ct_scalar_kind {
	CT_SCALAR_UNKNOWN = 0,
	CT_SCALAR_INTEGER = 1,
	CT_SCALAR_FLOAT = 2,
	CT_SCALAR_POINTER = 3,
	CT_SCALAR_BFLOAT = 4, /* bfloat16; other formats of less than 16 bits are UNKNOWN */
};

struct ct_unit_site {
	uint32_t function; /* str: mangled name of the function that holds the instruction, before
			      cloning */
	uint32_t kernel; /* index of the kernel whose body holds it, or CT_NONE (device function) */
	uint32_t file;   /* str; 0 if unknown */
	uint32_t line;   /* 0 if unknown; of a block with CT_SITE_BRANCH, of its branch */
	uint32_t column;
	uint32_t inlined_at;    /* index into frames, innermost caller, or CT_NONE */
	uint32_t bytes;         /* per lane; 0 if not a constant */
	uint8_t operation;      /* operations.def */
	uint8_t space;          /* enum ct_site_space */
	uint8_t verdict;        /* enum ct_site_verdict */
	uint8_t scalar;         /* enum ct_scalar_kind */
	uint16_t scalar_bits;   /* width of one element */
	uint16_t vector_length; /* 1 for a scalar */
	uint16_t loop_depth;
	uint16_t flags;    /* CT_SITE_* */
	uint32_t variable; /* str: variable behind the pointer where known, else 0 */
	uint32_t reason;   /* str: why not recorded; of class EVENT: what it is (callee, PTX text,
			      intrinsic) */
	/* from version 2 */
	uint32_t pattern;     /* str: of a specialised function, a letter per parameter: g global, e
				 elsewhere, u decided at run time, - no pointer */
	uint32_t branch_line; /* of what ends a block with CT_SITE_BRANCH, in `file`; 0 unknown.
				 Earlier passes have the beginning of the block in line. Of
				 accesses: the local variable, see CT_SITE_VARIABLE_BYTES */
};

/* Volatile, or another load or store that may order: acquire, release, relaxed. */
#define CT_SITE_VOLATILE 1u
#define CT_SITE_REDUCTION 2u /* an atomic whose result is not used: executed as a reduction */
#define CT_SITE_VALUES 4u    /* value records follow its access records */
#define CT_SITE_RANGE 8u     /* range records: the size is in the record */
/* These flags are of blocks; if none is set the pass is an earlier one, and it is not known. */
#define CT_SITE_BRANCH 16u /* it ends in a branch to one of several blocks */
#define CT_SITE_RETURN 32u /* its function ends with it */
#define CT_SITE_ENTRY 64u  /* its function begins with it: no branch leads there */
/* These flags are of accesses, as the first ones are. */
#define CT_SITE_SPLIT 128u  /* its address may be no multiple of its size: it is divided then */
#define CT_SITE_UNUSED 256u /* an atomic whose result is not used, and which is no reduction */
/* In branch_line of a recorded access to one variable in local memory: its bytes, and above them
 * which of its function's it is, from 1. 0: not known */
#define CT_SITE_VARIABLE_BYTES 0xfffffu
/* The variable is that of the module in which the access lies, not one that holds an address. */
#define CT_SITE_IN_VARIABLE 512u

#define CT_UNIT_V1_HEADER_BYTES 48u
#define CT_UNIT_V1_SITE_BYTES 48u
#define CT_UNIT_V2_HEADER_BYTES 64u
#define CT_UNIT_V3_HEADER_BYTES 80u

struct ct_unit_frame {
	uint32_t function; /* str: the function the call stands in */
	uint32_t file;     /* str */
	uint32_t line;
	uint32_t column;
	uint32_t inlined_at; /* next outer frame or CT_NONE */
};

/*
 * From version 3: the basic blocks of the pristine functions as code generation finds them, those
 * of a function together and in the order of their numbers, the first one entered first. What is
 * counted are instructions of LLVM's IR, brought near to the machine's: instructions.def.
 */
struct ct_unit_block {
	uint32_t function; /* str, as of its sites; with kernel and pattern */
	uint32_t kernel;   /* index of the kernel that it is of, or CT_NONE (device function) */
	uint32_t pattern;  /* str */
	uint32_t number;   /* in the function: the order in which its sites are numbered, too */
	uint32_t site;     /* index of its site of operation BLOCK, or CT_NONE: not recorded */
	uint32_t file;     /* str, of the first instruction with a line; 0 if unknown */
	uint32_t line, last_line; /* the least and the greatest in that file; 0 if unknown. Of
				     what is inlined, the line of the function that calls it */
	uint32_t mix_first, mix_count;
	uint32_t step_first, step_count;
	uint32_t next_first, next_count; /* numbers of the blocks that may be next */
	uint32_t instructions;           /* the sum of the mix, without its chain */
	uint32_t depth;                  /* of these, the longest chain of uses */
	uint32_t load_waits; /* how often it waits for loads of global memory at least */
	uint32_t loop_depth;
};

/* How many instructions of a class (instructions.def) a block has. From version 4: rows whose
 * instruction has CT_MIX_CHAIN say likewise what its slowest chain of uses is made of, which is
 * among what the other rows count. */
#define CT_MIX_CHAIN 0x80u
struct ct_unit_mix {
	uint8_t instruction;
	uint8_t space;  /* enum ct_site_space; of loads, stores, atomics */
	uint16_t bytes; /* per lane; of these, 0 if not a constant */
	uint32_t count;
};

/* A load, store, atomic or barrier of a block, in their order. */
struct ct_unit_step {
	uint8_t instruction; /* instructions.def */
	uint8_t space;       /* as in the mix */
	uint16_t bytes;
	uint32_t at;    /* instructions of the block before it */
	uint32_t until; /* instructions from it to the first one that uses what it loads, at least
			   1; CT_NONE: none in the block does */
	uint32_t line;
	/* from version 4 */
	uint32_t wait;    /* of a load of global memory: how many of the block's it follows, each
			     behind the one before, since it needs what they load */
	uint32_t used_in; /* of a load without until: number of the function's block that uses it
			     first; CT_NONE: not known */
};

#define CT_UNIT_V3_STEP_BYTES 16u
/*
 * From version 4: blame (docs/blame.md), of functions with debug information of variables.
 *
 * A key is a place of the source: function, file, line and column. Statements tell which variables
 * of their function the values that are made there flow into, calls what that is in the caller. A
 * list is where in `list` a count stands and behind it so many indices of variables; 0: none.
 */
enum ct_variable_kind {
	CT_VARIABLE_LOCAL = 1,
	CT_VARIABLE_PARAMETER = 2,
	CT_VARIABLE_GLOBAL = 3,
	CT_VARIABLE_SHARED = 4, /* in shared memory */
	CT_VARIABLE_PART = 5,   /* a field, or the elements of an array ("[]"), of its parent */
	CT_VARIABLE_EXIT = 6,   /* no variable: what its function leaves behind, or finds */
};

struct ct_unit_variable {
	uint32_t function; /* str: linkage name of the function that it is declared in; 0: none */
	uint32_t name;     /* str; "" of exits */
	uint32_t type;     /* str: as in the source */
	uint32_t exit;     /* str: of an exit how callers call it: "return", "0*" what the first
			      argument points to, "@name" a global; else 0 */
	uint32_t parent;   /* variable of which it is a part or, of an exit, that it belongs to, or
			      CT_NONE */
	uint32_t file;     /* str: of the declaration; 0 if unknown */
	uint32_t line;
	uint32_t kind;      /* enum ct_variable_kind */
	uint32_t parameter; /* of parameters and their exits: which, else CT_NONE */
};

struct ct_unit_statement {
	uint32_t function, file; /* str */
	uint32_t line, column;
	uint32_t blamed;  /* list: variables and exits whose values what happens here flows into */
	uint32_t nearest; /* list: variables that it flows into before any other */
	uint32_t leaving; /* list: likewise exits */
	uint32_t written; /* list: variables and exits that are written here */
	uint32_t read;    /* list: likewise read */
};

/* A call that may reach `callee`. */
struct ct_unit_call {
	uint32_t function, file; /* str: of the caller */
	uint32_t line, column;
	uint32_t callee; /* str: linkage name */
	uint32_t outcome_first, outcome_count;
};

/* Says what an exit of a callee is to the caller. */
struct ct_unit_outcome {
	uint32_t exit;   /* str */
	uint32_t blamed; /* lists: as of statements */
	uint32_t nearest;
	uint32_t leaving;
	uint32_t direct; /* list: the exit itself, in the caller's variables and exits */
};

/* So many of the instructions of a block are of a place; blocks ascend. */
struct ct_unit_share {
	uint32_t block;
	uint32_t frame; /* index into frames: function and place, and where it was inlined */
	uint32_t instructions;
};

#endif
