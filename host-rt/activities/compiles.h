/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver has compiled at run time, until the journal takes it. */
#ifndef CT_COMPILES_H
#define CT_COMPILES_H

#include <cudatrace/format.h>
#include <stddef.h>

/* One more. Any thread; takes no lock that is held while somebody waits for a device. Without
 * memory it is left out. */
void ct_compiles_happened(const struct ct_row_compile *row);

/* For the journal alone: all that came since the last time, until the next. */
size_t ct_compiles_take(struct ct_row_compile **rows);

#endif
