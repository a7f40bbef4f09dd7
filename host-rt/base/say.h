/* SPDX-License-Identifier: Apache-2.0 */
/* One line on stderr, prefixed with the name the user knows us by. */
#ifndef CT_HOST_RT_BASE_SAY_H
#define CT_HOST_RT_BASE_SAY_H

/* Writes "cuda-trace: <text>\n" with one write. Keeps errno. */
void ct_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
