/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of ctpost export (docs/export.md), and what they need. Tables that analyses do not
 * describe stand in *_tables.def here.
 */
#ifndef CT_POSTPROC_RENDER_EXPORT_TABLES_H
#define CT_POSTPROC_RENDER_EXPORT_TABLES_H

#include "postproc/analysis/comm/tables/tables.h"
#include "postproc/analysis/finder.h"
#include "postproc/problems/verdict.h"
#include "postproc/render/info/tables.h"
#include "postproc/scan/each.h"
#include "postproc/symbols/stacks.h"
#include "postproc/tables/describe.h"
#include "postproc/tables/sink.h"
#include "trace/read/reader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A table needs these beside analyses, whose bits are CT_STUDY… (analysis/finder.h). */
#define CT_NEEDS_SCAN ((uint64_t)1 << 50) /* export.facts.totals */
#define CT_NEEDS_ORDER ((uint64_t)1 << 51)
#define CT_NEEDS_TRANSFERS ((uint64_t)1 << 52) /* export.shown.lists */
#define CT_NEEDS_CTAS ((uint64_t)1 << 53)
#define CT_NEEDS_STACKS ((uint64_t)1 << 54) /* export.stacks */
#define CT_IS_LARGE                                                                                \
	((uint64_t)1 << 55) /* left out when there are too many rows, unless asked for */
#define CT_IS_ON_REQUEST ((uint64_t)1 << 56) /* only if asked for */
#define CT_IS_ALWAYS ((uint64_t)1 << 57)
#define CT_NEEDS_COMM CT_STUDY(comm) /* export.shown */

struct ct_export;

/* A table that can be asked for. */
struct ct_export_entry {
	const struct ct_table_def *table;
	uint64_t needs;
	uint64_t (*count)(const struct ct_export *export); /* of rows at most; of large tables */
	/* Returns what its rows are made from; NULL: the export, or what the analysis says. */
	const void *(*from)(const struct ct_export *export);
	const struct ct_finder_table *of; /* NULL: of none */
	enum ct_analysis_number analysis;
};

/* Tables are made from this. */
struct ct_export {
	struct ct_trace *trace;
	struct ct_trace_facts facts; /* of ctpost info; with totals if a table needs the scan */
	const struct ct_inquiry *inquiry; /* what analyses have found, those that the tables need */
	const struct ct_findings *findings;
	const struct ct_verdict *verdict; /* if the tables need findings */
	void *const *job;                 /* by analysis */
	struct ct_comm_shown shown;       /* of communication */
	const struct ct_order *order;
	struct ct_stack_tree stacks;
	struct ct_numbered_kernels kernels;
	const struct ct_meta_pair *meta;      /* of the call: version, options */
	uint64_t history_first, history_last; /* addresses */
	int (*each)(const struct ct_export *export, const struct ct_each *each); /* with progress */
	void *user;
};

/* All there are, those that others refer to first: the trace's own, then those of analyses. */
struct ct_export_entries {
	const struct ct_export_entry **list; /* ends with NULL */
	size_t count;
	struct ct_export_entry *of_analyses; /* that the list has of them */
};

/* 0 or -ENOMEM; fini frees in either case. */
int ct_export_entries_init(struct ct_export_entries *entries);
void ct_export_entries_fini(struct ct_export_entries *entries);

/* Those of commands alone; ends with NULL. */
extern const struct ct_table_def *const ct_other_tables[];

/* The data structures of seed 001, appendix B, by their names; ends with name NULL. */
extern const struct ct_table_view ct_export_views[];

/* The table of a .def entry. links: NULL or an array that ends with {0}. */
#define CT_TABLE_OF(name_, needs_, links_, count_)                                                 \
	static const struct ct_table_def table_##name_ = {CT_TABLE_PARTS(name_, links_)};          \
	const struct ct_export_entry ct_export_entry_##name_ = {                                   \
	    .table = &table_##name_, .needs = needs_, .count = count_}

/* Write the tables of the entries, which are the sink's. 0 or a negative error, with sink->why
 * set. */
int ct_export_write(const struct ct_export *export, struct ct_table_sink *sink,
		    const struct ct_export_entry *const *entries);

#endif
