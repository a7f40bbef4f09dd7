/* SPDX-License-Identifier: Apache-2.0 */
/* A study as JSON, piece by piece. */
#ifndef CT_RENDER_FFM_JSON_H
#define CT_RENDER_FFM_JSON_H

#include "base/json.h"
#include "postproc/analysis/ffm/study.h"

/* Exactly: JSON's readers may round as they like. */
void ct_ffm_put_seconds(struct ct_json *json, const char *key, int64_t ns);
/* 1 is all; null of nothing. */
void ct_ffm_put_share(struct ct_json *json, const char *key, uint64_t part, uint64_t whole);
/* call, function, file, line, module, offset */
void ct_ffm_put_site(struct ct_json *json, const struct ct_ffm_study *study,
		     const struct ct_ffm_site *site);
/* benefit_seconds, benefit_share, benefit_replay_seconds (null: not replayed) */
void ct_ffm_put_benefit(struct ct_json *json, const struct ct_ffm_study *study,
			uint64_t expected_ns, const int64_t *replayed_ns);

/* "folded" and "sequences". 0 or a negative error. */
int ct_ffm_put_folds(struct ct_json *json, const struct ct_ffm_study *study);
int ct_ffm_put_sequences(struct ct_json *json, const struct ct_ffm_study *study);

#endif
