/* SPDX-License-Identifier: Apache-2.0 */
/* Names of spans, by number: programs make the same ones again and again. */
#ifndef CT_HOST_RT_SPANS_NAMES_H
#define CT_HOST_RT_SPANS_NAMES_H

#include <stdint.h>

#define CT_SPAN_NAMES_MAX (1u << 20) /* later ones share one name */

/* From 1; 0 if memory is short. Any thread. */
uint32_t ct_span_name(const char *text);
/* NULL of a number that was not given. Lives as long as the process. Any thread. */
const char *ct_span_name_text(uint32_t number);

#endif
