/* SPDX-License-Identifier: Apache-2.0 */
/* Takes records out of the shuffles: distinct bytes block by block, and addresses that atomics
 * meet at. A thread's part of a stage, with sums of its own (engine.h has the facts). */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_STAGES_H
#define CT_POSTPROC_ANALYSIS_ACCESS_STAGES_H

#include "postproc/analysis/access/engine.h"

/* States of stages (shuffle/stage.h). 0 or -ENOMEM; ct_stage_close in either case. */
int ct_access_part_open(void **state, struct ct_access_engine *engine);
int ct_access_part_take_pieces(void *state, uint32_t partition);
int ct_access_part_take_atomics(void *state, uint32_t partition);
/* After the last partition of atomics: their sums. */
int ct_access_part_finish_atomics(void *state);

/* Whether a is of more lanes than b, or as many and before it. */
bool ct_access_is_hotter(const struct ct_access_entry *a, const struct ct_access_entry *b);

#endif
