/* SPDX-License-Identifier: Apache-2.0 */
/* The gate of ctpost findings: baselines, and when it fails. */
#ifndef CT_POSTPROC_CMD_OPTIONS_GATE_H
#define CT_POSTPROC_CMD_OPTIONS_GATE_H

#include "postproc/cmd/options/known.h"
#include "postproc/problems/gate.h"

extern const struct ctpost_option ctpost_gate_options[];

struct ctpost_gate {
	struct ct_gate gate;
	bool is_closed;       /* there is one */
	const char *baseline; /* NULL: none */
	bool is_study;        /* it is a study or a trace, and no file */
	const char *written;  /* NULL: no baseline is written */
};

/* CTPOST_OK, or another status with call->why set. */
int ctpost_gate_read(struct ctpost_gate *gate, struct ctpost_call *call);
/* The baseline that is asked for. Likewise */
int ctpost_gate_write(const struct ctpost_gate *gate, struct ctpost_call *call,
		      const struct ct_verdict *verdict);
/* CTPOST_FOUND, with the problems that fail it in call->why, or CTPOST_OK. */
int ctpost_gate_decide(const struct ctpost_gate *gate, struct ctpost_call *call,
		       const struct ct_verdict *verdict);

#endif
