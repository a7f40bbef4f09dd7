/* SPDX-License-Identifier: Apache-2.0 */
/* The files of libcudatrace-uses.so share this. */
#ifndef CT_HOST_RT_PRELOAD_LIBRARY_H
#define CT_HOST_RT_PRELOAD_LIBRARY_H

#include <cudatrace/preload.h>

#define EXPORTED __attribute__((visibility("default")))

enum { LIBRARY = 6, SYSTEM = 7, FREE = 4 }; /* enum ct_use_kind */

/* The next library's function of that name. */
void *ct_preload_find(const char *name);

/* NULL: nothing is armed. */
struct ct_preload_watch *ct_preload_armed(void);

#endif
