/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the driver, wherever the program got them: linked, or asked for at run time. */
#ifndef CT_HOST_RT_CALLS_DRIVER_H
#define CT_HOST_RT_CALLS_DRIVER_H

#include <stdbool.h>

/* The driver's own function for a call of api.def (enum ct_call_number); linked: NULL if the
 * program does not link it. NULL if there is no driver. */
void *ct_driver_real(void *linked, unsigned number, bool per_thread);

/* Any function of the driver that the runtime has loaded, NULL if there is none. */
void *ct_driver_ask(const char *name);

/* The same for one that came with that version of CUDA (12040: 12.4). */
void *ct_driver_ask_since(const char *name, unsigned version);

/* The program was given *function for that name: it gets our wrapper, if api.def has the call. */
void ct_driver_replace(const char *name, bool per_thread, void **function);

#endif
