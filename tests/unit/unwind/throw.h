/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions for C. */
#ifndef THROW_H
#define THROW_H

#ifdef __cplusplus
extern "C" {
#endif

void throw_number(int number);
/* Returns what function throws, or 0. */
int catch_number(void (*function)(int), int argument);

#ifdef __cplusplus
}
#endif

#endif
