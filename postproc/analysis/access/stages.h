/* SPDX-License-Identifier: Apache-2.0 */
/* What is taken out of the shuffles: distinct bytes block by block, and addresses that atomics meet
 * at. A thread's part of a stage, with sums of its own (engine.h has the facts). */
#ifndef CT_ACCESS_STAGES_H
#define CT_ACCESS_STAGES_H

#include "postproc/analysis/access/engine.h"

struct ct_access_part;

int ct_access_part_open(struct ct_access_part **out, const struct ct_access_engine *engine);
void ct_access_part_close(struct ct_access_part *part); /* NULL is allowed */

int ct_access_part_take_pieces(struct ct_access_part *part, uint32_t partition);
int ct_access_part_take_atomics(struct ct_access_part *part, uint32_t partition);
/* After the last partition of atomics: their sums. */
int ct_access_part_finish_atomics(struct ct_access_part *part);

const struct ct_sums *ct_access_part_sums(const struct ct_access_part *part);

/* Whether a is of more lanes than b, or as many and before it. */
bool ct_access_is_hotter(const struct ct_access_entry *a, const struct ct_access_entry *b);

#endif
