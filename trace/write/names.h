/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of names of a part: what was found out about its code and sources after it was written
 * (docs/trace-format.md, "Names"). It is put together in memory and replaces the one that is there
 * at once. One thread.
 */
#ifndef CT_TRACE_WRITE_NAMES_H
#define CT_TRACE_WRITE_NAMES_H

#include "base/buffer.h"
#include "base/intern.h"

#include <cudatrace/format.h>
#include <stdbool.h>

/* Zero-initialised, it is empty. */
struct ct_names {
	struct ct_intern strings;
	struct ct_buffer payload;      /* of the STRINGS chunk that is open */
	struct ct_buffer strings_done; /* struct ct_buffer: payloads of those before it */
	uint32_t count;                /* strings */
	uint32_t open_count;           /* of them in the open payload */
	struct ct_buffer rows[CT_TABLES];
};

/* The id of a text; 0 of "". 0 with *err set to -ENOMEM if memory is short, -EMSGSIZE if it is
 * longer than a string may be. */
uint32_t ct_names_string(struct ct_names *names, const char *text, int *err);

/* A row (struct ct_row_…) of a table of names. 0 or -ENOMEM. */
int ct_names_row(struct ct_names *names, enum ct_table_number table, const void *row);

/* How many rows a table has. */
size_t ct_names_rows(const struct ct_names *names, enum ct_table_number table);

/* Writes names-<part>.ct of the directory: what is there is replaced when all of it is on its
 * way to the disk. 0 or a negative error; then what is there stays. */
int ct_names_write(const struct ct_names *names, const char *directory, uint32_t part, int level);

void ct_names_fini(struct ct_names *names);

#endif
