/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The devices of the CPU target: one, or as many as CUDATRACE_CPU_DEVICES says,
 * for programs that use several. They share memory, device variables and
 * workers; default streams, streams and peers are each device's own.
 */
#ifndef CT_CPU_TARGET_RUNTIME_BASE_DEVICE_H
#define CT_CPU_TARGET_RUNTIME_BASE_DEVICE_H

#define CT_CPU_DEVICES_MAX 8

int ct_device_number(void); /* of devices */

/* The calling thread's; 0 at first. */
int ct_device_of_thread(void);
void ct_device_select(int device); /* checked by the caller */

#endif
