/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the trace at exit. */
#ifndef CT_HOST_RT_PROCESS_SHUTDOWN_H
#define CT_HOST_RT_PROCESS_SHUTDOWN_H

/* atexit handler: waits for the devices, takes what they have produced, closes the trace. */
void ct_shutdown(void);

#endif
