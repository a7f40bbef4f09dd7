/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An analysis that only hands on what it gets, in the order of the trace: for what writes or
 * lists records one by one. Other threads read and decompress ahead of the one that is reported.
 */
#ifndef CT_POSTPROC_SCAN_EACH_H
#define CT_POSTPROC_SCAN_EACH_H

#include "postproc/scan/analysis.h"

#include <stdbool.h>

/* The job of ct_each_analysis. Callbacks are called by the thread that runs the pass; what they
 * return is as in analysis.h. Those that are NULL are not wanted. */
struct ct_each {
	int (*access)(void *user, const struct ct_access *access);
	int (*event)(void *user, const struct ct_event *event);
	int (*value)(void *user, const struct ct_value *value);
	void *user;
	bool with_paths;
	const uint8_t *launches; /* as in struct ct_wants */
};

extern const struct ct_analysis ct_each_analysis;

#endif
