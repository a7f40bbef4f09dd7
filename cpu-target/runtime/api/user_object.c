/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the CUDA runtime API on user objects. */
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/graph/object.h"

cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *pointer, cudaHostFn_t destroy,
				 unsigned references, unsigned flags)
{
	struct ct_user_object *object;

	if (!out || !destroy || !references || flags != cudaUserObjectNoDestructorSync)
		return ct_error_set(cudaErrorInvalidValue);
	object = ct_user_object_new(pointer, destroy, references);
	if (!object)
		return ct_error_set(cudaErrorMemoryAllocation);
	*out = (cudaUserObject_t)object;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count)
{
	if (!object || !count)
		return ct_error_set(cudaErrorInvalidValue);
	ct_user_object_retain((struct ct_user_object *)object, count);
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count)
{
	if (!object || !count)
		return ct_error_set(cudaErrorInvalidValue);
	ct_user_object_release((struct ct_user_object *)object, count);
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
				      unsigned flags)
{
	if (!graph || !object || !count || flags > cudaGraphUserObjectMove)
		return ct_error_set(cudaErrorInvalidValue);
	if (ct_graph_hold_object((struct ct_graph *)graph, (struct ct_user_object *)object, count))
		return ct_error_set(cudaErrorMemoryAllocation);
	if (flags != cudaGraphUserObjectMove)
		ct_user_object_retain((struct ct_user_object *)object, count);
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count)
{
	if (!graph || !object || !count ||
	    ct_graph_drop_object((struct ct_graph *)graph, (struct ct_user_object *)object, count))
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(cudaSuccess);
}
