// Bulk copies are ranges; tensor copies, matrix operations on shared memory and prefetches are events.
// construct: cp.async.bulk from global to shared memory
// construct: cp.async.bulk from shared to global memory
// construct: cp.reduce.async.bulk
// construct: TMA tensor copy
// RUN: %trace gpu -O2 -c %s -o %t.o
// RUN: %dump | FileCheck %s
// RUN: %trace gpu -O2 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=IR
// RUN: %trace gpu -O2 -Xclang -mllvm -Xclang -ct-values --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=VALUES
// RUN: %more gpu -O0 -c %s -o %t.o
__global__ void bulk(char *g, int n)
{
	__shared__ __align__(128) char s[1024];
	__shared__ unsigned long long barrier;
	unsigned to = (unsigned)__cvta_generic_to_shared(s), b = (unsigned)__cvta_generic_to_shared(&barrier);
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
		     ::"r"(to), "l"(g), "r"(n), "r"(b) : "memory");
	asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(g + 512), "r"(to) : "memory");
	asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(g), "r"(to), "r"(n) : "memory");
	asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(g), "r"(n) : "memory");
	asm volatile("cp.async.bulk.commit_group;" ::: "memory");
	asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
__global__ void tensor(const __grid_constant__ unsigned long long map, int x)
{
	__shared__ __align__(128) char s[1024];
	__shared__ unsigned long long barrier;
	unsigned to = (unsigned)__cvta_generic_to_shared(s), b = (unsigned)__cvta_generic_to_shared(&barrier);
	asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];"
		     ::"r"(to), "l"(&map), "r"(x), "r"(b) : "memory");
}
// CHECK: site 0 global copy_bulk_load 0 bytes {{.*}} kernel 0 variable g range
// CHECK-NEXT: site 1 global copy_bulk_store 0 bytes {{.*}} kernel 0 variable g range
// CHECK-NEXT: site 2 global copy_bulk_reduce 0 bytes {{.*}} kernel 0 variable g range
// CHECK-NEXT: site 3 definite prefetch {{.*}} kernel 0 reason: cp.async.bulk.prefetch.L2.global [$0], $1
// CHECK-NEXT: site 4 definite copy_tensor {{.*}} kernel 1 reason: cp.async.bulk.tensor.1d
// CHECK-NOT: {{site [0-9]+ [^e]}}
// IR: define {{.*}}@__ct__Z4bulkPci(
// IR: [[N:%.*]] = zext i32 {{.*}} to i64
// IR: call i32 @__ct_access_range(i32 {{%[^,]+}}, i64 0, i64 {{%[^,]+}}, i64 [[N]])
// IR: call i32 @__ct_access_range(i32 {{%[^,]+}}, i64 1, i64 {{%[^,]+}}, i64 256)
// IR: call i32 @__ct_access_range(i32 {{%[^,]+}}, i64 2, i64 {{%[^,]+}}, i64 [[N]])
// IR: call void @__ct_event(i32 {{%[^,]+}}, i64 3, i32 0)
// A copy reads where it comes from, in shared memory by its generic address.
// VALUES: define {{.*}}@__ct__Z4bulkPci(
// VALUES: call i32 @__ct_range_content(i32 {{%[^,]+}}, i64 0, i64 [[G:%[^,]+]], i64 {{%[^,]+}}, i64 [[G]])
// VALUES: [[S:%.*]] = call i64 asm "cvta.shared.u64 $0, $1;", "=l,l"(
// VALUES: call i32 @__ct_range_content(i32 {{%[^,]+}}, i64 1, i64 {{%[^,]+}}, i64 256, i64 [[S]])
// VALUES: [[S:%.*]] = call i64 asm "cvta.shared.u64 $0, $1;", "=l,l"(
// VALUES: call i32 @__ct_range_content(i32 {{%[^,]+}}, i64 2, i64 {{%[^,]+}}, i64 {{%[^,]+}}, i64 [[S]])
