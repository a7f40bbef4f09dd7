/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --ct-doctor: what a compile needs, whether it is there, and what to do where it is not. A line
 * each:
 *
 *   ok       it is there, and where
 *   without  it is not, and what cannot be done without it
 *   MISSING  it is not, nothing compiles without it, and what to do
 */
#ifndef CT_DRIVER_COMPILER_DOCTOR_H
#define CT_DRIVER_COMPILER_DOCTOR_H

#include "driver/compiler/parts.h"

#include <stdio.h>

/* Look at everything, compile a program for each target and run that of the CPU target. Returns 0
 * if both could be done, else 1. */
int ct_doctor(const struct ct_parts *parts, FILE *out);

#endif
