/* SPDX-License-Identifier: Apache-2.0 */
/* Text of man pages. */
#ifndef CT_DRIVER_BASE_ROFF_H
#define CT_DRIVER_BASE_ROFF_H

#include <stdio.h>

/* Text in which dashes stay dashes, backslashes stay, and no line begins as a request. */
void ct_roff_put(FILE *out, const char *text);

#endif
