/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams by handle, and those of a device that have something in common: a program may have tens
 * of thousands, and none of these looks at all of them. With the lock of streams held.
 */
#ifndef CT_CPU_TARGET_RUNTIME_STREAM_LISTS_H
#define CT_CPU_TARGET_RUNTIME_STREAM_LISTS_H

#include "cpu-target/runtime/stream/stream_state.h"

/* The handle is valid from now on; -1: no memory. */
int ct_stream_lists_add_handle(struct ct_stream *stream);
void ct_stream_lists_remove_handle(const struct ct_stream *stream);
/* NULL: there is no such stream. */
struct ct_stream *ct_stream_lists_find(const void *handle);

/* Harmless if it is in the list, or not in it. */
void ct_stream_lists_put(enum ct_stream_list list, struct ct_stream *stream);
void ct_stream_lists_take(enum ct_stream_list list, struct ct_stream *stream);
/* The first of the device; the others follow by in[list].next. */
struct ct_stream *ct_stream_lists_first(enum ct_stream_list list, int device);

#endif
