// API launches are described at the stream, or at the kernel where the stream is in a structure.
// RUN: %trace cpu -O0 --cuda-host-only -emit-llvm -S %s -o - | FileCheck %s
__global__ void kernel(int *p) {}
void all(void **arguments, int *p, cudaStream_t stream)
{
	cudaLaunchConfig_t config = {};
	cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), arguments, 0, stream);
	cudaLaunchKernel(kernel, dim3(1), dim3(1), arguments);
	cudaLaunchCooperativeKernel(&kernel, dim3(1), dim3(1), arguments);
	cudaLaunchKernelExC(&config, (const void *)kernel, arguments);
	cudaLaunchKernelEx(&config, kernel, p);
}
// CHECK-DAG: c"L\1F{{[^"]*}}launch-api.cu\1F7\1F2\1Fall\1Fkernel\00"
// CHECK-DAG: c"L\1F{{[^"]*}}launch-api.cu\1F8\1F2\1Fall\1Fkernel\00"
// CHECK-DAG: c"L\1F{{[^"]*}}launch-api.cu\1F9\1F2\1Fall\1Fkernel\00"
// CHECK-DAG: c"L\1F{{[^"]*}}launch-api.cu\1F10\1F2\1Fall\1Fkernel\00"
// CHECK-DAG: c"L\1F{{[^"]*}}launch-api.cu\1F11\1F2\1Fall\1Fkernel\00"
// CHECK: define {{.*}}@_Z3allPPvPiP11CUstream_st(
// CHECK-COUNT-3: call ptr @__ct_launch_site(
// CHECK-COUNT-2: call ptr @__ct_launch_site_function(
// CHECK-NOT: call ptr @__ct_launch_site
// construct: launch by cudaLaunchKernel
// construct: launch by cudaLaunchKernelExC
// construct: cooperative launch
