/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory pools: who has which attributes, and how much of each is in use. A
 * pool keeps nothing that is freed, so what is reserved is what is in use.
 */
#ifndef CT_CPU_TARGET_RUNTIME_MEMORY_POOL_H
#define CT_CPU_TARGET_RUNTIME_MEMORY_POOL_H

#include <cuda_runtime_api.h>
#include <stddef.h>

/* A device's own pool, which cannot be destroyed, and its current one; NULL if there is no such
 * device. */
cudaMemPool_t ct_pool_default(int device);
cudaMemPool_t ct_pool_current(int device);
cudaError_t ct_pool_select(int device, cudaMemPool_t pool);

/* Memory that is still allocated of a destroyed pool stays. */
cudaError_t ct_pool_new(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties);
cudaError_t ct_pool_delete(cudaMemPool_t pool);
cudaError_t ct_pool_check(cudaMemPool_t pool);

cudaError_t ct_pool_set(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, const void *value);
cudaError_t ct_pool_get(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
cudaError_t ct_pool_set_access(cudaMemPool_t pool, const struct cudaMemAccessDesc *access);
cudaError_t ct_pool_get_access(cudaMemPool_t pool, int device, enum cudaMemAccessFlags *flags);

/* Device memory that counts as the pool's until it is given back; ct_pool_forget takes any address.
 */
cudaError_t ct_pool_allocate(cudaMemPool_t pool, void **address, size_t bytes);
void ct_pool_forget(void *address);

#endif
