/* SPDX-License-Identifier: Apache-2.0 */
/* Blame for a terminal, as JSON and as flame graphs: docs/blame.md, docs/json-schema.md. */
#ifndef CT_RENDER_BLAME_H
#define CT_RENDER_BLAME_H

#include "base/json.h"
#include "postproc/analysis/blame/blame.h"
#include "postproc/analysis/causes/advice.h"
#include "postproc/sass/weigh.h"
#include "postproc/tables/layout.h"

enum ct_blame_by { CT_BLAME_DATA, CT_BLAME_CODE, CT_BLAME_LAUNCHES };

enum ct_blame_scope { CT_BLAME_LAUNCH = 1, CT_BLAME_RUN = 2 };

struct ct_blame_output {
	const char *trace; /* as it was named */
	const struct ct_blame *blame;
	const struct ct_sampled_facts *sampled; /* of samples; else NULL, as the next two */
	const struct ct_advices *advices;
	const char *cpu_missing; /* why not all host threads were sampled; "" */
	bool has_causes;         /* a trace with accesses tells what is wrong */
	enum ct_blame_weigh weigh;
	enum ct_blame_by by;
	unsigned scope; /* of tables by data: bits of enum ct_blame_scope */
	size_t rows;    /* of each table */
};

/* 0 or a negative error */
int ct_blame_write(FILE *out, const struct ct_blame_output *output, const struct ct_style *style);
int ct_blame_write_json(FILE *out, const struct ct_blame_output *output);
/* A line for each path: its functions, outermost first, with ";" between them, and what it weighs
 * itself. */
int ct_blame_write_folded(FILE *out, const struct ct_blame_output *output);
/* For speedscope (https://www.speedscope.app/file-format-schema.json). */
int ct_blame_write_speedscope(FILE *out, const struct ct_blame_output *output);

/* Of samples: what warps wait for, by variable that is read, for a terminal (a table, and what to
 * do) and as JSON: fields of the whole (of instructions: empty) and of a variable. */
void ct_blame_write_sampling(FILE *out, const struct ct_blame_output *output);
int ct_blame_write_waits(FILE *out, const struct ct_blame_output *output,
			 const struct ct_style *style);
int ct_blame_put_sampling(struct ct_json *json, const struct ct_blame_output *output);
void ct_blame_put_waits(struct ct_json *json, const struct ct_blame *blame, uint32_t variable);

/* What to change, likewise: advice.c */
int ct_blame_write_advices(FILE *out, const struct ct_blame_output *output,
			   const struct ct_style *style);
void ct_blame_put_advices(struct ct_json *json, const struct ct_advices *advices);

/* The functions of a node as in the source; freed by the caller. NULL: no memory. */
char *ct_blame_function_name(const struct ct_blame_node *node);

#endif
