/* SPDX-License-Identifier: Apache-2.0 */
/* Which stack each launch and each transfer was made from: these and calls joined. */
#ifndef CT_POSTPROC_SYMBOLS_LAUNCHED_H
#define CT_POSTPROC_SYMBOLS_LAUNCHED_H

#include "postproc/symbols/stacks.h"

/* By launch of the trace, its node of the stacks; 0: not known. Freed by the caller. NULL: *err is
 * set. */
uint32_t *ct_launched_from(struct ct_trace *trace, const struct ct_stack_tree *stacks, int *err);

/* Likewise by transfer of the trace: the call of its thread that had begun last when it was
 * reported, if it has the name that the transfer has. */
uint32_t *ct_transferred_from(struct ct_trace *trace, const struct ct_stack_tree *stacks, int *err);

#endif
