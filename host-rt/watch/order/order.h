/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which work is known to be done when a stream, or an event, is: for each stream how far each
 * other has come, as CUDA documents it ("Default Stream", cudaStreamWaitEvent). Work has a
 * sequence number of the process, from 1. With the watch's lock held.
 */
#ifndef CT_HOST_RT_WATCH_ORDER_ORDER_H
#define CT_HOST_RT_WATCH_ORDER_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#define CT_ORDER_SLOTS 512u /* streams; all further ones share the last */

int ct_watch_order_init(void);

/* The place of a stream; stream 0 has one for each device. */
uint32_t ct_watch_slot(int device, uint64_t stream);
void ct_watch_slot_is(uint32_t slot, bool is_blocking);

/* Work is queued in the stream; returns its number. */
uint64_t ct_watch_order_work(uint32_t slot);
/* The number of the last work. */
uint64_t ct_watch_order_now(void);
void ct_watch_order_record(uint32_t slot, const void *event);
void ct_watch_order_wait(uint32_t slot, const void *event);
void ct_watch_order_drop(const void *event);

/* How far each stream has come, [CT_ORDER_SLOTS], when all that is queued in this one now is done;
 * when the event's last record is. NULL: nothing is known. Until the next call. */
const uint64_t *ct_watch_order_of_stream(uint32_t slot);
const uint64_t *ct_watch_order_of_event(const void *event);
int ct_watch_slot_device(uint32_t slot);
/* Slots that there are, from 0. */
uint32_t ct_watch_slots(void);
/* Work of a slot that is done when the event's last record is; 0: none, or nothing is known. */
uint64_t ct_watch_order_point(const void *event, uint32_t *slot);

#endif
