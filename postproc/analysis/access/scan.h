/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of the trace on their way to rows and shuffles: a worker's part of the scan. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_SCAN_H
#define CT_POSTPROC_ANALYSIS_ACCESS_SCAN_H

#include "postproc/analysis/access/engine.h"
#include "postproc/analysis/access/rows.h"

struct ct_access_scan;

int ct_access_scan_open(struct ct_access_scan **out, const struct ct_access_engine *engine,
			const struct ct_worker *worker);
void ct_access_scan_close(struct ct_access_scan *scan); /* NULL is allowed */
int ct_access_scan_access(struct ct_access_scan *scan, const struct ct_access *access);
/* Passes on what is held. */
int ct_access_scan_finish(struct ct_access_scan *scan);
struct ct_access_heat *ct_access_scan_heat(struct ct_access_scan *scan);
struct ct_access_rows *ct_access_scan_rows(struct ct_access_scan *scan);

#endif
