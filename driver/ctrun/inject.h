/* SPDX-License-Identifier: Apache-2.0 */
/* The library that is loaded into programs: by the driver (--inject), and by NVTX. */
#ifndef CT_DRIVER_CTRUN_INJECT_H
#define CT_DRIVER_CTRUN_INJECT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether it is of use to a program that it was not asked for it for: the program's file has no
 * runtime of ours, there is a driver, and no other tool. */
bool ctrun_inject_is_due(const char *program);

/* Names it in the program's environment: for NVTX always, where no other tool stands there (then
 * that is said); for the driver if is_wanted. Returns 0, or -errno with one line in why. */
int ctrun_inject_prepare(bool is_wanted, char *why, size_t why_bytes);

#endif
