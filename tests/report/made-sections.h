/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of a made-up analysis. */
#ifndef CT_TEST_MADE_SECTIONS_H
#define CT_TEST_MADE_SECTIONS_H

#include "postproc/tables/sections.h"

/* One of so many rows, with a cell of each kind, every third without what may be missing; one more
 * without rows. Names are of functions. */
void made_sections(struct ct_sections *sections, const struct ct_unit *unit,
		   const char *const names[3], uint32_t rows);

#endif
