/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the table meta: of which trace tables are, by which options they were made. */
#ifndef CT_POSTPROC_CMD_BASE_META_H
#define CT_POSTPROC_CMD_BASE_META_H

#include "postproc/command.h"
#include "postproc/facts/summary.h"
#include "postproc/render/info/tables.h"

#define CTPOST_META_MAX (CTPOST_OPTIONS_MAX + 16) /* options, and what is reported beside them */
#define CTPOST_META_BYTES 128

struct ctpost_meta {
	struct ct_meta_pair pair[CTPOST_META_MAX]; /* ends with key NULL */
	char key[CTPOST_OPTIONS_MAX][CTPOST_META_BYTES];
	char schema[16], start[24];
};

/* The call, the trace and the summary must outlive it. left_out: tables, "" none; NULL: neither
 * these nor options are reported. */
void ctpost_meta_init(struct ctpost_meta *meta, const struct ctpost_call *call,
		      const struct ct_trace_facts *facts, const char *left_out);

#endif
