/* SPDX-License-Identifier: Apache-2.0 */
/* The section of the report on bank conflicts. */
#ifndef CT_BANKS_SECTION_H
#define CT_BANKS_SECTION_H

#include "postproc/analysis/banks/lines.h"
#include "postproc/facts/section.h"

#define CT_BANKS_SECTION "bank-conflicts"

/* All lines, also those without conflicts. */
void ct_banks_show(struct ct_sections *sections, const struct ct_banks_lines *lines);

#endif
