/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of error numbers: ours (cudatrace/error.h) and the system's. */
#ifndef CT_BASE_ERROR_H
#define CT_BASE_ERROR_H

#include <cudatrace/error.h>

/* error of either sign; a text that is not freed, of the system's valid until the next call. */
const char *ct_strerror(int error);

#endif
