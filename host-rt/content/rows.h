/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what copies have moved, until the journal takes it. Any thread, but for what is the
 * journal's. */
#ifndef CT_HOST_RT_CONTENT_ROWS_H
#define CT_HOST_RT_CONTENT_ROWS_H

#include <cudatrace/format.h>
#include <stddef.h>

void ct_contents_add(const struct ct_row_content *row);
/* So many copies could not be looked at. */
void ct_contents_lose(uint64_t count);

/* For the journal alone: what has come since the last time, until the next. */
size_t ct_contents_take(struct ct_row_content **rows);
uint64_t ct_contents_lost(void);

#endif
