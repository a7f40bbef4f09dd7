/* SPDX-License-Identifier: Apache-2.0 */
/* Choose accesses by launch, kernel, site, CTA, warp, operation and space. */
#ifndef CT_MODEL_FILTER_H
#define CT_MODEL_FILTER_H

#include "trace/read/reader.h"

struct ct_filter;

/* The empty filter lets everything pass. */
int ct_filter_open(struct ct_filter **out, const struct ct_trace *trace);
void ct_filter_close(struct ct_filter *filter); /* NULL is allowed */

void ct_filter_launches(struct ct_filter *filter, uint64_t first, uint64_t last);

/* Extended regular expression on the display name or the symbol. Returns 0,
 * or -EINVAL with its error text in why. */
int ct_filter_kernel(struct ct_filter *filter, const char *regex, char *why, size_t why_bytes);

/* "N" (site index) or "FILE:LINE", where FILE may leave out leading
 * directories. The calls that a site was inlined through count too. Returns -EINVAL if text is
 * neither. */
int ct_filter_site(struct ct_filter *filter, const char *text);

/* "N" (linear id), "X,Y" or "X,Y,Z". Returns -EINVAL if text is none of them. */
int ct_filter_cta(struct ct_filter *filter, const char *text);

void ct_filter_warp(struct ct_filter *filter, uint64_t warp);

/* Name of an operation or of a class. Returns -EINVAL if text is neither. */
int ct_filter_operation(struct ct_filter *filter, const char *text);

/* "global", "shared", "constant" or "local". */
void ct_filter_space(struct ct_filter *filter, const char *text);

/* The only launch id that can pass, for ct_scan.launch; 0 if there are several. */
uint32_t ct_filter_single_launch(const struct ct_filter *filter);

/* All but the space, which an access without addresses does not have. */
int ct_filter_passes(const struct ct_filter *filter, const struct ct_access *access);

/* Whether a lane's address is in the space. access NULL: it has no addresses. */
int ct_filter_passes_space(const struct ct_filter *filter, const struct ct_access *access);

#endif
