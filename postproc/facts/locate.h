/* SPDX-License-Identifier: Apache-2.0 */
/* Which object an access touches, remembering the last answers. */
#ifndef CT_POSTPROC_FACTS_LOCATE_H
#define CT_POSTPROC_FACTS_LOCATE_H

#include "trace/read/reader.h"

#define CT_LOCATE_RECENT 4

/* Zero-initialise all but trace. */
struct ct_locator {
	const struct ct_trace *trace;
	const struct ct_launch_info *launch; /* that recent holds for */
	const struct ct_object_info *recent[CT_LOCATE_RECENT];
	unsigned next;
};

/* The object that holds address in launch, or NULL. */
const struct ct_object_info *ct_locate(struct ct_locator *locator,
				       const struct ct_launch_info *launch, uint64_t address);

#endif
