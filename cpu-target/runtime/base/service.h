/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the runtime: the pool's and the streams'. */
#ifndef CT_CPU_TARGET_RUNTIME_BASE_SERVICE_H
#define CT_CPU_TARGET_RUNTIME_BASE_SERVICE_H

/* These threads and the tracer's have this name. */
#define CT_SERVICE_NAME "cuda-trace"

/* Starts a detached thread that takes none of the program's signals, only those of its own faults.
 * Returns 0 or -errno. */
int ct_service_start(void *(*main)(void *), void *argument);

#endif
