/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the driver: those that launch, wherever the program got them: linked, or asked for at
 * run time. */
#ifndef CT_CALLS_DRIVER_H
#define CT_CALLS_DRIVER_H

#include <stdbool.h>

enum ct_driver_call {
	CT_DRIVER_LAUNCH,
	CT_DRIVER_LAUNCH_EX,
	CT_DRIVER_LAUNCH_COOPERATIVE,
	CT_DRIVER_GET_FUNCTION, /* cuKernelGetFunction */
	CT_DRIVER_CALLS,
};

/* The driver's own; NULL if there is no driver. */
void *ct_driver_real(enum ct_driver_call call, bool per_thread);

/* Any other call of the driver that the runtime has loaded, NULL if there is none. */
void *ct_driver_ask(const char *name);

/* linked, or if the program does not link it (NULL) what the driver has by that name; or NULL. */
void *ct_driver_find(void *linked, const char *name, bool per_thread);
/* Makes the real call of a wrapped one. */
#define CT_DRIVER_CALL(symbol, name, per_thread, arguments)                                        \
	(ct_driver_find(__real_##symbol, name, per_thread)                                         \
	     ? ((__typeof__(&__real_##symbol))ct_driver_find(__real_##symbol, name,                \
							     per_thread))arguments                 \
	     : CUDA_ERROR_NOT_SUPPORTED)

/* The program was given *function for that name: it gets our wrapper if there is one. */
void ct_driver_replace(const char *name, bool per_thread, void **function);

#endif
