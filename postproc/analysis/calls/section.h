/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of the report on calls: functions, kernels, copies, waits, ranges. */
#ifndef CT_CALLS_SECTION_H
#define CT_CALLS_SECTION_H

#include "postproc/analysis/calls/calls.h"
#include "postproc/facts/section.h"

/* 0 or -ENOMEM */
int ct_calls_show(struct ct_sections *sections, const struct ct_calls *calls);

#endif
