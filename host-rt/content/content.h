/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What copies between host and device move, and whether it was there already (seed 000, 3.2 and
 * 4.3.2; ctrun --contents=on): rows of CONTENT.
 *
 * A copy's bytes are seen on the host's side: when the call returns, if it has read or written them
 * by then, else by a function behind it in its stream. What the target held before is read ahead of
 * the copy in the same stream, from a device by way of pinned memory. Nothing waits, and nothing is
 * kept but a hash for each block.
 */
#ifndef CT_HOST_RT_CONTENT_CONTENT_H
#define CT_HOST_RT_CONTENT_CONTENT_H

#include "host-rt/streams/transfer.h"
#include <stdbool.h>

struct ct_content; /* of one copy */

extern bool ct_contents_are_on; /* set before there are threads */

/* Around the real call. NULL: none looks at it. */
struct ct_content *ct_content_begin(const struct ct_transfer *transfer);
/* number: of the TRANSFER event; 0: there is none, the call has failed. */
void ct_content_end(struct ct_content *content, uint32_t number);

#endif
