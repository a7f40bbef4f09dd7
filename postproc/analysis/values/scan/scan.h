/* SPDX-License-Identifier: Apache-2.0 */
/* From records and their values to pieces and entries: what a worker of the scan does. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_SCAN_SCAN_H
#define CT_POSTPROC_ANALYSIS_VALUES_SCAN_SCAN_H

#include "postproc/analysis/values/base/engine.h"

struct ct_value_scan;

/* number: of the worker, whose parts of the shuffles are written. */
int ct_value_scan_open(struct ct_value_scan **out, struct ct_value_engine *engine,
		       const struct ct_worker *worker);
void ct_value_scan_close(struct ct_value_scan *scan); /* NULL is allowed */

int ct_value_scan_access(struct ct_value_scan *scan, const struct ct_access *access);
int ct_value_scan_value(struct ct_value_scan *scan, const struct ct_value *value);
/* After the last record. */
int ct_value_scan_finish(struct ct_value_scan *scan);

/* The bytes that transfers have written are no longer what they were. Of one rank, before the
 * scan; as its writer 0. */
int ct_value_scan_transfers(struct ct_value_engine *engine);

#endif
