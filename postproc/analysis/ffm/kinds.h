/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of problems, and what sites are to them, in words. */
#ifndef CT_POSTPROC_ANALYSIS_FFM_KINDS_H
#define CT_POSTPROC_ANALYSIS_FFM_KINDS_H

#include "postproc/analysis/ffm/study.h"
#include "postproc/facts/finding.h"

enum ct_finding_id ct_ffm_kind_id(enum ct_ffm_kind kind);
const char *ct_ffm_kind_name(enum ct_ffm_kind kind); /* "unnecessary-synchronization" */
const char *ct_ffm_kind_text(enum ct_ffm_kind kind); /* what is wrong */

/* "allocated", "first-use" and so on; as a line of text says it: "allocated", "first used" */
const char *ct_ffm_role_name(enum ct_ffm_site_role role);
const char *ct_ffm_role_text(enum ct_ffm_site_role role);

#endif
