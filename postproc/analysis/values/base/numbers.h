/* SPDX-License-Identifier: Apache-2.0 */
/* Converts the bits of an element's value to a number of its type (CT_VALUES_TYPE). */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_BASE_NUMBERS_H
#define CT_POSTPROC_ANALYSIS_VALUES_BASE_NUMBERS_H

#include "postproc/analysis/values/base/figures.h"

bool ct_element_is_float(unsigned type);
/* False: the type is no number. */
bool ct_element_real(unsigned type, uint64_t bits, double *real);
/* Bits (1 << enum ct_values_width) of the narrower types that hold it exactly. */
uint32_t ct_element_widths(unsigned type, uint64_t bits);
bool ct_element_is_nan(unsigned type, uint64_t bits);
bool ct_element_is_zero(unsigned type, uint64_t bits);
/* Zero, or a float that is next to nothing: below 1e-6, of doubles 1e-14. */
bool ct_element_is_near_zero(unsigned type, uint64_t bits);

#define CT_ELEMENT_TEXT_BYTES 40u
/* As people read it: "-3", "0.25", "0x7f…"; returns buffer. */
const char *ct_element_text(unsigned type, uint64_t bits, char buffer[CT_ELEMENT_TEXT_BYTES]);
/* "int32", "float", "bfloat16", "8 bytes"; returns buffer. */
const char *ct_element_type_text(unsigned type, char buffer[CT_ELEMENT_TEXT_BYTES]);
/* "int8", "uint8", "half"; and its bytes. */
const char *ct_width_text(enum ct_values_width width);
unsigned ct_width_bytes(enum ct_values_width width);

#endif
