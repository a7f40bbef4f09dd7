/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that code generation makes of one: what PTX can move at once is one access of the
 * source, though the compiler may divide it, as it knows less of its alignment than another one. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_PARTS_H
#define CT_POSTPROC_ANALYSIS_ACCESS_PARTS_H

#include "postproc/analysis/access/words.h"

#define CT_ACCESS_WIDEST 16u /* bytes that a thread loads or stores at once */
#define CT_ACCESS_PART 4u    /* bytes of a part: less is what has no alignment, byte by byte */

/* As how many accesses a small structure, a float4, is copied at the row's place; 1: as one, or it
 * is no such copy. A copy is loads and as many stores, one behind the other, at one place. */
uint32_t ct_access_parts(const struct ct_access_row *row);

/* Whether both are of one place of the source, column and all. */
bool ct_access_is_same_place(const struct ct_access_row *row, const struct ct_access_row *other);

/* Takes from a sum what the parts of an access do twice: what could be moved at once moves no
 * sector again. */
void ct_access_join_parts(struct ct_access_figures *sum, const struct ct_access_figures *part);

#endif
