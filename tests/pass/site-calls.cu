// Every call of api.def that has a site is reported by its address, by either of its names, and <<<>>> launches by the
// one that CUDA's headers choose.
// construct: option -fgpu-default-stream
// construct: per-thread default stream
// RUN: %trace gpu -O0 --cuda-host-only -emit-llvm -S %s -o %t.ll
// RUN: FileCheck %s <%t.ll
// RUN: sed -n 's/.*@__ct_[a-z_]*site[a-z_]*(.*, ptr noundef @\([A-Za-z0-9_]*\)).*/\1/p' %t.ll | sort -u >%t.noted
// RUN: %plain -E -P -x c %S/../cli/runtime/calls.c | tr '|\n' '\n ' | awk '$4 ~ /[A-Z]/ && $4 != "NONE"' >%t.calls
// RUN: awk '$3 == "call" { print $1 }' %t.calls | sort | diff - %t.noted
// RUN: %trace gpu -O0 --cuda-host-only -emit-llvm -S -DCUDA_API_PER_THREAD_DEFAULT_STREAM %s -o %t.ll
// RUN: FileCheck %s --check-prefix=OWN <%t.ll
// RUN: sed -n 's/.*@__ct_[a-z_]*site[a-z_]*(.*, ptr noundef @\([A-Za-z0-9_]*\)).*/\1/p' %t.ll | sort -u >%t.noted
// RUN: awk '{ name = $1; sub("_ptsz$", "", name); last[name] = $1 } END { for (name in last) print last[name] }' %t.calls | sort | diff - %t.noted
#include <cuda.h>
#include <cudatrace/signature.h>

#define MAKE(returns, symbol, ...) returns by_##symbol CT_PARAMETERS(__VA_ARGS__) { return symbol CT_ARGUMENTS(__VA_ARGS__); }
#define IF_NONE(...)
#define IF_ALLOCATES(memory, size) MAKE
#define IF_LAUNCHES(kernel, stream) MAKE
#define IF_LAUNCHES_CONFIGURED(kernel) MAKE
#define CT_API(returns, name, version, thread, where, site, ...) IF_##site(returns, name##version, __VA_ARGS__)
#include <cudatrace/api.def>

__global__ void kernel(int *p) {}
// CHECK-LABEL: define {{.*}}@{{_Z[0-9]+__device_stub__kernel[^(]*}}(
// CHECK: call {{.*}} @cudaLaunchKernel(
// OWN-LABEL: define {{.*}}@{{_Z[0-9]+__device_stub__kernel[^(]*}}(
// OWN: call {{.*}} @cudaLaunchKernel_ptsz(

// The C++ headers make some calls by other names.
void overloads(int *p, cudaStream_t stream, cudaMemPool_t pool)
{
	cudaLaunchConfig_t config = {};
	cudaMallocHost(&p, 1);
	cudaMallocHost((void **)&p, 2);
	cudaMalloc(&p, 3);
	cudaMallocAsync(&p, 4, pool, stream);
	cudaMallocAsync(&p, 5, stream);
	cudaLaunchKernelEx(&config, kernel, p);
	kernel<<<1, 1>>>(p);
}
// CHECK-LABEL: define {{.*}}@{{_Z9overloads[^(]*}}(
// CHECK: @__ct_alloc_site({{.*}}, ptr noundef @cudaHostAlloc)
// CHECK: @__ct_alloc_site({{.*}}, ptr noundef @cudaMallocHost)
// CHECK: @__ct_alloc_site({{.*}}, ptr noundef @cudaMalloc)
// CHECK: @__ct_alloc_site({{.*}}, ptr noundef @cudaMallocFromPoolAsync)
// CHECK: @__ct_alloc_site({{.*}}, ptr noundef @cudaMallocAsync)
// CHECK: @__ct_launch_site_function({{.*}}, ptr noundef @cudaLaunchKernelExC)
// CHECK: @__ct_launch_site({{.*}}, ptr noundef @cudaLaunchKernel)
// OWN-LABEL: define {{.*}}@{{_Z9overloads[^(]*}}(
// OWN: @__ct_launch_site_function({{.*}}, ptr noundef @cudaLaunchKernelExC_ptsz)
// OWN: @__ct_launch_site({{.*}}, ptr noundef @cudaLaunchKernel_ptsz)
