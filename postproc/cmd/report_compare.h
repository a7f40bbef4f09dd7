/* SPDX-License-Identifier: Apache-2.0 */
/* Makes ctpost report of several traces, or of one when it is not asked for a page. */
#ifndef CT_POSTPROC_CMD_REPORT_COMPARE_H
#define CT_POSTPROC_CMD_REPORT_COMPARE_H

#include "postproc/cmd/options/sources.h"
#include "postproc/command.h"
#include "postproc/tables/sink.h"

struct ctpost_panels {
	bool is_page;
	const struct ct_table_format *format;    /* of no page; NULL: text */
	const char *output;                      /* of a page */
	const char *title;                       /* of the page; NULL: the traces */
	const struct ctpost_source_choice *from; /* of the page of two */
};

/* Analyses one operand of the call after the other; the page of two begins with what ctpost compare
 * says of them. Returns the command's status. */
int ctpost_compare(struct ctpost_call *call, const struct ctpost_panels *panels);

#endif
