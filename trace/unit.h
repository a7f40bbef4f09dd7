/* SPDX-License-Identifier: Apache-2.0 */
/* Check a unit blob and take views into it. */
#ifndef CT_TRACE_UNIT_H
#define CT_TRACE_UNIT_H

#include "reader.h"

/* View blob (aligned to 8 bytes, not copied) after checking that every count,
 * offset and index in it is in range and every string terminated. -CT_EFORMAT
 * if not, -CT_EVERSION if it is of a newer version. */
int ct_unit_view(struct ct_unit *unit, const void *blob, size_t bytes);

#endif
