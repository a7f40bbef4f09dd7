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
 *   char strings[string_bytes]     NUL-terminated; offset 0 is ""
 *
 * Little-endian, no padding beyond what is written here. "str" is an offset
 * into strings. Indices that do not exist are CT_NONE.
 */
#ifndef CUDATRACE_UNIT_H
#define CUDATRACE_UNIT_H

#include <stdint.h>

#define CT_UNIT_MAGIC 0x4e555443u /* "CTUN" */
#define CT_UNIT_VERSION 1u
#define CT_NONE 0xffffffffu

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
	uint32_t source; /* str: main source file */
	uint32_t reserved;
};

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

struct ct_unit_param {
	uint32_t name; /* str */
	uint32_t type; /* str: source-level type */
};

enum ct_site_space {
	CT_SPACE_GENERIC = 0,
	CT_SPACE_GLOBAL = 1,
	CT_SPACE_SHARED = 3,
	CT_SPACE_CONSTANT = 4,
	CT_SPACE_LOCAL = 5,
};

enum ct_site_verdict {
	CT_VERDICT_GLOBAL = 1,  /* proven global: every execution is recorded */
	CT_VERDICT_CHECKED = 2, /* decided at run time, lane by lane */
	CT_VERDICT_SKIPPED = 3, /* not instrumented; reason says why */
};

enum ct_scalar_kind {
	CT_SCALAR_UNKNOWN = 0,
	CT_SCALAR_INTEGER = 1,
	CT_SCALAR_FLOAT = 2,
	CT_SCALAR_POINTER = 3,
};

struct ct_unit_site {
	uint32_t function; /* str: mangled name of the function that holds the instruction, before cloning */
	uint32_t kernel;   /* index of the kernel whose body holds it, or CT_NONE (device function) */
	uint32_t file;     /* str; 0 if unknown */
	uint32_t line;     /* 0 if unknown */
	uint32_t column;
	uint32_t inlined_at;   /* index into frames, innermost caller, or CT_NONE */
	uint32_t bytes;        /* per lane; 0 if not a constant */
	uint8_t operation;     /* operations.def */
	uint8_t space;         /* enum ct_site_space */
	uint8_t verdict;       /* enum ct_site_verdict */
	uint8_t scalar;        /* enum ct_scalar_kind */
	uint16_t scalar_bits;  /* width of one element */
	uint16_t vector_length; /* 1 for a scalar */
	uint16_t loop_depth;
	uint16_t flags;        /* CT_SITE_VOLATILE */
	uint32_t variable;     /* str: variable behind the pointer where known, else 0 */
	uint32_t reason;       /* str: for CT_VERDICT_SKIPPED */
};
#define CT_SITE_VOLATILE 1u

struct ct_unit_frame {
	uint32_t function; /* str: the function the call stands in */
	uint32_t file;     /* str */
	uint32_t line;
	uint32_t column;
	uint32_t inlined_at; /* next outer frame or CT_NONE */
};

#endif
