/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels wait for room in the ring no longer than for a host side that lives:
 * where the ring is full and no consumer takes anything for the option `patience`,
 * producers drop what they have and count it from then on (abort in ring.h), until
 * the drain finds that consumers are back (drain.c). One thread for all devices; it makes no CUDA
 * call.
 */
#ifndef CT_HOST_RT_DRAIN_WATCHDOG_H
#define CT_HOST_RT_DRAIN_WATCHDOG_H

#include <stdint.h>

struct ct_consumers;

/* Watch running consumers; they and abort (ring.h) stay until they are removed.
 * Without memory or a thread nothing watches. */
void ct_watchdog_add(struct ct_consumers *consumers, uint32_t *abort, uint64_t patience_ns);
/* When this returns, nothing looks at them. Harmless if they are not watched. */
void ct_watchdog_remove(const struct ct_consumers *consumers);

#endif
