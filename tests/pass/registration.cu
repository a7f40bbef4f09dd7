// The host registers the clone beside each kernel, the blob before main, and variables.
// RUN: %trace gpu -O2 --cuda-device-only -c %s -o %t.cubin
// RUN: %more gpu -O2 --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang %t.cubin -emit-llvm -S %s -o - | FileCheck %s
struct Four {
	double x[4];
};
__device__ int counter;
__constant__ float table[8];
__global__ void kernel(int *p, Four f, char c) { p[counter] = f.x[0] + table[c]; }
int main() { kernel<<<1, 1>>>(nullptr, Four(), 'a'); }
// CHECK-DAG: @[[HANDLE:__ct_handle__Z6kernelPi4Fourc]] = internal global i8 0
// CHECK-DAG: @__ct_unit = internal {{.*}}constant [{{[0-9]+}} x i8] c"(\B5/\FD{{.*}}", align 8
// CHECK-DAG: c"__ct__Z6kernelPi4Fourc\00"
// CHECK-DAG: @llvm.global_ctors = {{.*}}{ i32 101, ptr @__ct_register_units, ptr null }
// CHECK: call {{.*}}@__cudaRegisterFunction(ptr [[BINARY:%[^,]+]], ptr {{.*}}@_Z21__device_stub__kernelPi4Fourc, ptr {{.*}}[[NAME:@[^,]+]], ptr
// CHECK-NEXT: call {{.*}}@__cudaRegisterFunction(ptr [[BINARY]], ptr @[[HANDLE]],
// CHECK-NEXT: call void @__ct_register_kernel(i64 {{-?[0-9]+}}, ptr {{.*}}@_Z21__device_stub__kernelPi4Fourc, ptr @[[HANDLE]], ptr {{.*}}[[NAME]], i32 3)
// CHECK: call void @__ct_register_variable(ptr {{.*}}@counter, ptr {{.*}}, i64 4, i32 0)
// CHECK: call void @__ct_register_variable(ptr {{.*}}@table, ptr {{.*}}, i64 32, i32 1)
// CHECK: define internal void @__ct_register_units()
// CHECK: load volatile i8, ptr @ct_abi_v6
// CHECK: call void @__ct_register_packed_unit(ptr {{.*}}@__ct_unit, i64 {{[0-9]+}}, i64 {{[0-9]+}})
