/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a trace of a run that went wrong may say, given that of a whole run. Both
 * are `ctpost info --json`. It is a prefix of the launches; no count is above
 * the whole run's; one that is below is flagged: its launch is not said to be
 * traced, or stored, or has an error, or a loss is reported for it or for no launch in particular.
 */
#ifndef CT_FAULTS_COMPARE_H
#define CT_FAULTS_COMPARE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct ct_fault_verdict {
	size_t launches; /* in the trace */
	size_t whole;    /* with all of their records */
	size_t reported; /* of which the trace says so */
	int complete;    /* as the trace says */
	char wrong[256]; /* "" if all is well */
};

/* more: launches that may follow those of the whole run; nothing is known of them.
 * shorter: the program may have ended earlier, so a complete trace may have fewer. */
void ct_fault_compare(json_t *full, json_t *faulty, size_t more, bool shorter,
		      struct ct_fault_verdict *verdict);

#endif
