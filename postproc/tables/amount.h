/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers with their units, in words. */
#ifndef CT_POSTPROC_TABLES_AMOUNT_H
#define CT_POSTPROC_TABLES_AMOUNT_H

#include "postproc/facts/finding.h"

/* Both return buffer. A value that is not finite is "–". */
#define CT_AMOUNT_BYTES 64

/* "12.3 MB", "3.25 ms", "96.9 %", "123 456 wavefronts"; unit NULL: "123 456" */
const char *ct_amount_text(const struct ct_amount *amount, char buffer[CT_AMOUNT_BYTES]);

/* Likewise where a head says what is counted: "123 456". */
const char *ct_amount_number(const struct ct_amount *amount, char buffer[CT_AMOUNT_BYTES]);

#endif
