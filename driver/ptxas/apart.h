/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code of functions that are compiled apart. */
#ifndef CT_DRIVER_PTXAS_APART_H
#define CT_DRIVER_PTXAS_APART_H

#include "driver/ptxas/run.h"
#include "driver/ptxas/split.h"

/* Pushes relocatable cubins with these functions, compiled with so many registers. They are the
 * same in all units of a compiler's, so that each is kept in the user's cache (driver/base/cache.h)
 * as a cubin of its own, and compiled where it is not there. True on success. */
bool ct_apart_find(const struct ct_ptxas_request *request, const struct ct_ptx_functions *functions,
		   int registers, struct ct_args *cubins);

/* The same where nothing can be kept: compiled into one cubin, by way of the file source. */
bool ct_apart_compile(const struct ct_ptxas_request *request,
		      const struct ct_ptx_functions *functions, int registers, const char *source,
		      const char *cubin);

#endif
