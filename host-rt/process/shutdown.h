/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the trace at exit. */
#ifndef CT_SHUTDOWN_H
#define CT_SHUTDOWN_H

/* From now on exit waits for the devices, takes what they have produced, closes the trace. Once,
 * when it has been opened. */
void ct_shutdown_prepare(void);

#endif
