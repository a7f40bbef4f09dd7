/* SPDX-License-Identifier: Apache-2.0 */
/* A selection (selection.h) applied to a trace. Filters do not change once they are open, so
 * that any number of threads may ask them. */
#ifndef CT_POSTPROC_FACTS_FILTER_H
#define CT_POSTPROC_FACTS_FILTER_H

#include "postproc/facts/locate.h"
#include "postproc/facts/selection.h"
#include "trace/read/reader.h"
#include <stdbool.h>

struct ct_filter;

/* The trace must outlive the filter, and the selection what is said of it. 0, -ENOMEM, or -EINVAL:
 * the kernels' expression. */
int ct_filter_open(struct ct_filter **out, const struct ct_trace *trace,
		   const struct ct_selection *selection);
void ct_filter_close(struct ct_filter *filter); /* NULL is allowed */

/* By launch of the trace, and by unit and site of it: 1 passes. NULL: all do. As long as the
 * filter. */
const uint8_t *ct_filter_launches(const struct ct_filter *filter);
const uint8_t *const *ct_filter_sites(const struct ct_filter *filter);

/* Launches of the trace that pass. */
size_t ct_filter_launch_count(const struct ct_filter *filter);
/* A selection that leaves nothing is a mistake: -EINVAL with a line in why; else 0. trace: the
 * filter's. */
int ct_filter_check(const struct ct_filter *filter, const struct ct_trace *trace, char *why,
		    size_t why_bytes);

/* launch, object: of the trace. object NULL: memory of no known object. */
bool ct_filter_launch(const struct ct_filter *filter, const struct ct_launch_info *launch);
bool ct_filter_object(const struct ct_filter *filter, const struct ct_object_info *object);
bool ct_filter_all_objects(const struct ct_filter *filter);

/* Launch, CTA and site of an access, event or value. */
bool ct_filter_passes_at(const struct ct_filter *filter, const struct ct_launch_info *launch,
			 uint64_t cta, const struct ct_unit *unit, uint32_t site);
static inline bool ct_filter_passes(const struct ct_filter *filter, const struct ct_access *access)
{
	return ct_filter_passes_at(filter, access->launch, access->cta, access->unit, access->site);
}

bool ct_filter_has_ctas(const struct ct_filter *filter);

/* Whether what tier counts says passes; filter NULL: it does. Of neither CTAs nor objects can
 * it tell anything. */
bool ct_filter_passes_count(const struct ct_filter *filter, const struct ct_count_info *count);

/* Its lanes that pass in all; locator: of the thread. */
uint32_t ct_filter_lanes(const struct ct_filter *filter, const struct ct_access *access,
			 struct ct_locator *locator);

#endif
