/* SPDX-License-Identifier: Apache-2.0 */
/* Reports what this device does, and who asked for it, to whoever records it
 * (cudatrace/activity.h). */
#ifndef CT_CPU_TARGET_RUNTIME_BASE_ACTIVITY_H
#define CT_CPU_TARGET_RUNTIME_BASE_ACTIVITY_H

#include <cuda_runtime_api.h>
#include <cudatrace/activity.h>

/* The cause of work that the calling thread asks for, of that device. */
struct ct_cause ct_activity_cause(cudaStream_t stream, int device);

/* This thread runs work of that cause (borrowed); NULL: of none. */
void ct_activity_enter(const struct ct_cause *cause);

/* This thread does nothing but devices' work. */
void ct_activity_be_device(void);

/* As memmove. */
void ct_activity_move(void *to, const void *from, size_t bytes);

/* Around what is done; of a work with an unknown cause nothing comes of it. */
void ct_activity_begin(struct ct_activity *activity);
void ct_activity_end(struct ct_activity *activity);

#endif
