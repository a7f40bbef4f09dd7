/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host stacks of all parts of a trace, or of several traces (STACK, MODULE), as one tree. Parts and
 * runs of one program have the same files and stacks: each is there once.
 */
#ifndef CT_POSTPROC_SYMBOLS_STACKS_H
#define CT_POSTPROC_SYMBOLS_STACKS_H

#include "trace/read/reader.h"
#include <stdbool.h>
#include <stdint.h>

/* A file whose code was called. Texts are the trace's; "" unknown, path "" the kernel's own. */
struct ct_code_file {
	const char *path;
	const char *build_id; /* hexadecimal digits */
	uint64_t seen_ns;     /* CLOCK_REALTIME: it was loaded by then; 0 not known */
	bool is_resolved;     /* a trace has names of it, with */
	uint32_t flags;       /* enum ct_code_file_flags */
};

/* A return address. */
struct ct_code_place {
	uint64_t offset; /* ELF address in the file; of no file: the address itself */
	uint32_t file;   /* its number from 1; 0: of no file */
};

/* A frame and who called it, which has a smaller number. */
struct ct_stack_tree_node {
	uint32_t caller; /* 0: none */
	uint32_t place;
};

/* The frames of a place that a trace has stored, innermost first: its rows and strings. */
struct ct_stored_frames {
	struct ct_trace *trace;
	uint32_t part, count; /* 0: none */
	const struct ct_row_frame *row;
};

struct ct_stack_tree {
	struct ct_code_file *file; /* number n is file[n - 1] */
	size_t files;
	struct ct_code_place *place; /* each once, from 0; an offset of 0: not known */
	size_t places;
	struct ct_stored_frames *stored; /* by place */
	size_t stored_room;              /* of places behind it nothing is stored */
	struct ct_stack_tree_node *node; /* from 1; 0 stands for no stack */
	size_t nodes;                    /* with node 0 */
	struct ct_stack_tree_part *part;
	size_t parts;
};

/* All of the trace, or of so many, which must outlive them. 0 or a negative error. */
int ct_stacks_init(struct ct_stack_tree *stacks, struct ct_trace *trace);
int ct_stacks_init_of(struct ct_stack_tree *stacks, struct ct_trace *const *trace, size_t traces);
void ct_stacks_fini(struct ct_stack_tree *stacks);

/* The nodes of a part by row of STACK, from 1; *rows: the last one. NULL: no such part. It is one
 * of the first trace, or of the one with this number (from 0). */
const uint32_t *ct_stacks_part(const struct ct_stack_tree *stacks, uint32_t part, size_t *rows);
const uint32_t *ct_stacks_part_of(const struct ct_stack_tree *stacks, size_t trace, uint32_t part,
				  size_t *rows);

#endif
