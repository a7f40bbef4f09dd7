/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work of the API's calls: queued in a stream, or added to the graph that the
 * stream captures. Checked before; nothing happens on an error.
 */
#ifndef CT_CPU_TARGET_RUNTIME_API_SUBMIT_H
#define CT_CPU_TARGET_RUNTIME_API_SUBMIT_H

#include "cpu-target/runtime/launch/launch.h"
#include "cpu-target/runtime/memory/copy.h"

cudaError_t ct_submit_launch(const struct ct_launch_request *request);
/* wait: return when it is done, unless it is captured. */
cudaError_t ct_submit_copy(const struct ct_copy *copy, cudaStream_t stream, int wait);
cudaError_t ct_submit_fill(const struct ct_fill *fill, cudaStream_t stream);

#endif
