/* SPDX-License-Identifier: Apache-2.0 */
/* The output of ctpost comm: docs/communication.md, docs/json-schema.md. */
#ifndef CT_POSTPROC_RENDER_COMM_COMM_H
#define CT_POSTPROC_RENDER_COMM_COMM_H

#include "postproc/analysis/comm/tables/tables.h"
#include "postproc/facts/finding.h"
#include "postproc/render/base/host_path.h"
#include "postproc/render/base/sampling.h"
#include "postproc/tables/layout.h"
#include <stdio.h>

/* The one table that is shown in full. */
enum ct_comm_by {
	CT_BY_NONE, /* all of them, long ones cut */
	CT_BY_KERNEL,
	CT_BY_OBJECT,
	CT_BY_LINE,
	CT_BY_CTA,
	CT_BY_SM,
	CT_BY_SUPERSTEP,
};

struct ct_comm_output {
	const struct ct_comm_shown *shown;
	const struct ct_findings *findings;
	const struct ct_sampling *sampling; /* NULL: nothing is said of it */
	const char *directory;
	size_t rows; /* of a table that is cut */
	enum ct_comm_by by;
	bool shows_density; /* the map was asked for */
	bool lists_transfers;
};

int ct_comm_write_text(FILE *out, const struct ct_comm_output *output,
		       const struct ct_style *style);

/* Lists what each kernel exchanged, by the path that it was launched from. 0 or -ENOMEM; to be
 * freed in either case. */
int ct_comm_path_rows(struct ct_host_path_rows *rows, const struct ct_comm_shown *shown);

#endif
