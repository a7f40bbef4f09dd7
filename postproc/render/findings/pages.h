/* SPDX-License-Identifier: Apache-2.0 */
/* Returns what docs/problems.md says of each id, which ctpost carries with it. */
#ifndef CT_POSTPROC_RENDER_FINDINGS_PAGES_H
#define CT_POSTPROC_RENDER_FINDINGS_PAGES_H

#include "postproc/facts/finding.h"

/* The section, without its heading, and its first paragraph on one line; to be freed. NULL: memory
 * is short. "" of an id that has none. */
char *ct_page(enum ct_finding_id id);
char *ct_page_first(enum ct_finding_id id);

/* Where the section is read: "file:///usr/share/doc/cudatrace/problems.md#tail". Returns buffer. */
const char *ct_page_uri(enum ct_finding_id id, char *buffer, size_t bytes);

#endif
