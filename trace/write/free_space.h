/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the file system of a trace has the space left that others are to keep. */
#ifndef CT_TRACE_WRITE_FREE_SPACE_H
#define CT_TRACE_WRITE_FREE_SPACE_H

#include "trace/write/folder.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Threads: any. All 0 but the first two to begin with. */
struct ct_free_space {
	uint64_t keep_bytes;    /* the larger of this, beside a share a quarter at most, ... */
	unsigned keep_percent;  /* ... and this of all its bytes is kept; both 0: nothing */
	_Atomic uint64_t bytes; /* at so many bytes written, ... */
	_Atomic uint64_t ns;    /* ... or at this time (monotonic) it is looked at again */
	atomic_bool is_short;   /* for ever */
};

/* written: bytes so far. folder: in the file system; one that does not tell what it has is
 * never short. It is looked at every 50 ms, and before half of what was left is written. */
bool ct_free_space_is_short(struct ct_free_space *space, struct ct_folder *folder,
			    uint64_t written);

#endif
