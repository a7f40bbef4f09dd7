// Kernels that are only launched by address, handle or graph are registered with their clones.
// RUN: %trace gpu -O2 --cuda-device-only -c %s -o %t.cubin
// RUN: %more gpu -O2 --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang %t.cubin -emit-llvm -S %s -o - | FileCheck %s
// construct: launch by a handle of the runtime
// construct: launch by the driver API
// construct: cluster of the launch
// construct: non-portable cluster size
// construct: dynamic shared memory beyond the default limit
// construct: preferred shared memory carve-out
// construct: cache configuration of a kernel
// construct: occupancy queries
// construct: cooperative launch sized by occupancy
// construct: stream capture
// construct: CUDA graph, kernel node
// construct: CUDA graph, child graph
// construct: CUDA graph, executable graph updated
// construct: CUDA graph, kernel node parameters changed
// construct: CUDA graph, conditional node
// construct: CUDA graph, launched from the device
// construct: CUDA graph, memory allocation node
// construct: launch through a function pointer
// construct: attributes of a kernel
// construct: stream capture forked and joined by events
// construct: CUDA graph, event record node
// construct: CUDA graph, clone
__global__ void plain(int *p) { *p = 1; }
__global__ void handled(int *p) { *p = 2; }
static __global__ void hidden(int *p) { *p = 3; }

const void *by_address() { return (const void *)plain; }

cudaError_t by_handle(cudaKernel_t *kernel)
{
	return cudaGetKernel(kernel, (const void *)handled);
}

cudaError_t by_graph(cudaGraphNode_t *node, cudaGraph_t graph, void **arguments)
{
	cudaKernelNodeParams params = {};

	params.func = (void *)hidden;
	params.gridDim = params.blockDim = dim3(1);
	params.kernelParams = arguments;
	return cudaGraphAddKernelNode(node, graph, nullptr, 0, &params);
}
// CHECK: call {{.*}}@__cudaRegisterFunction(ptr {{.*}}@__ct_handle__Z5plainPi,
// CHECK: call void @__ct_register_kernel(i64 {{-?[0-9]+}}, ptr {{.*}}@_Z20__device_stub__plainPi, ptr @__ct_handle__Z5plainPi,
// CHECK: call {{.*}}@__cudaRegisterFunction(ptr {{.*}}@__ct_handle__Z7handledPi,
// CHECK: call void @__ct_register_kernel(i64 {{-?[0-9]+}}, ptr {{.*}}@_Z22__device_stub__handledPi, ptr @__ct_handle__Z7handledPi,
// CHECK: call {{.*}}@__cudaRegisterFunction(ptr {{.*}}@__ct_handle__ZL6hiddenPi,
// CHECK: call void @__ct_register_kernel(i64 {{-?[0-9]+}}, ptr {{.*}}hidden{{.*}}, ptr @__ct_handle__ZL6hiddenPi,
