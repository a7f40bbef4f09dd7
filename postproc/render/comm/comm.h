/* SPDX-License-Identifier: Apache-2.0 */
/* The output of ctpost comm: docs/communication.md, docs/json-schema.md. */
#ifndef CT_RENDER_COMM_H
#define CT_RENDER_COMM_H

#include "postproc/analysis/comm/comm.h"
#include "postproc/analysis/comm/history/history.h"
#include "postproc/analysis/comm/scaling/scaling.h"
#include "postproc/analysis/comm/scaling/speedup.h"
#include "postproc/facts/finding.h"
#include "postproc/render/base/sampling.h"
#include "postproc/symbols/paths.h"
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

/* Volumes of an SM in a superstep (SCV and SDV). */
struct ct_comm_sm {
	uint32_t superstep, sm;
	uint64_t load_bytes, store_bytes;
	uint64_t communicated_load_bytes, communicated_store_bytes;
};

struct ct_comm_output {
	const struct ct_comm_figures *figures;
	const struct ct_findings *findings;
	const struct ct_comm_options *options;
	const struct ct_trace *trace; /* of warnings and losses; NULL: there are none */
	const char *directory, *program;
	const struct ct_host_paths *paths;  /* of launches; NULL: nobody asks */
	const struct ct_sampling *sampling; /* NULL: nothing is said of it */
	enum ct_comm_by by;
	int shows_density;                                /* the map was asked for */
	const struct ct_scaling_options *scaling_options; /* NULL: not asked for */
	const struct ct_scaling_row *scaling;
	size_t scaling_rows;
	const struct ct_speedup *speedup; /* of each row; NULL: times are not known */
	const struct ct_speedup *alone;   /* with them: on one device */
	uint64_t untimed;                 /* launches that are not in them */
	const struct ct_comm_sm *sm;      /* by superstep and SM */
	size_t sms;
	/* Lists that may be long, in their order; NULL: not asked for. fn's nonzero value stops. */
	int (*each_transfer)(void *user,
			     int (*fn)(void *fn_user, const struct ct_comm_transfer *transfer),
			     void *fn_user);
	int (*each_cta)(void *user, int (*fn)(void *fn_user, const struct ct_comm_cta *cta),
			void *fn_user);
	int (*each_operation)(void *user,
			      int (*fn)(void *fn_user, const struct ct_history_entry *operation),
			      void *fn_user);
	void *user;
};

int ct_comm_write_text(FILE *out, const struct ct_comm_output *output,
		       const struct ct_style *style);
int ct_comm_write_json(FILE *out, const struct ct_comm_output *output);

#endif
