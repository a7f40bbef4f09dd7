; With values each access is followed by the parts it moves, with what they are elements of (of atomics what they are given), after loads (of several in a row after the last) and atomics, before stores.
; construct: values of loads, stores and atomics
; construct: values of vectors, halves, pointers and wide integers
; RUN: %opt -ct-target=cpu -ct-values -passes=ct-trace-plain %s -o - | FileCheck %s
; RUN: %dump | FileCheck %s --check-prefix=UNIT
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %g, ptr %u, i64 %n) #0 {
  %a = load i32, ptr addrspace(1) %g
  store i32 %a, ptr addrspace(1) %g
  %v = load <4 x float>, ptr addrspace(1) %g
  %h = load <2 x half>, ptr addrspace(1) %g
  %w = load i128, ptr addrspace(1) %g
  %b = load i1, ptr addrspace(1) %g
  %p = load ptr, ptr addrspace(1) %g
  %o = atomicrmw add ptr addrspace(1) %g, i32 5 monotonic
  %c = cmpxchg ptr addrspace(1) %g, i64 %n, i64 9 monotonic monotonic
  %q = inttoptr i64 %n to ptr
  %x = load i16, ptr %q
  %s = load { i32, float }, ptr addrspace(1) %g
  call void @llvm.memset.p1.i64(ptr addrspace(1) %g, i8 7, i64 2, i1 false)
  ret void
}
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
attributes #0 = { "target-cpu"="sm_90" }
; CHECK: define ptx_kernel void @__ct_k(
; CHECK: %a = load i32
; CHECK-NEXT: [[P:%.*]] = ptrtoint
; CHECK-NEXT: call void @__ct_access(i32 %ct.state, i64 0, i64 [[P]], i32 4)
; CHECK-NEXT: [[Z:%.*]] = zext i32 %a to i64
; CHECK-NEXT: call void @__ct_value(i32 %ct.state, i64 0, i32 0, i32 4, i64 [[Z]], i64 0, i64 [[P]], i32 3346)
; CHECK: call void @__ct_access(i32 %ct.state, i64 1, i64 [[P:%[^,]+]],
; CHECK-NEXT: [[Z:%.*]] = zext i32 %a to i64
; CHECK-NEXT: call void @__ct_value(i32 %ct.state, i64 1, i32 0, i32 4, i64 [[Z]], i64 0, i64 [[P]], i32 3602)
; CHECK-NEXT: store i32 %a
; CHECK: [[V:%.*]] = load <4 x float>
; CHECK: [[I:%.*]] = bitcast <4 x float> [[V]] to <2 x i64>
; CHECK-NEXT: [[L:%.*]] = extractelement <2 x i64> [[I]], i64 0
; CHECK-NEXT: [[H:%.*]] = extractelement <2 x i64> [[I]], i64 1
; CHECK-NEXT: call void @__ct_value(i32 %ct.state, i64 2, i32 0, i32 16, i64 [[L]], i64 [[H]], i64 {{[^,]+}}, i32 3362)
; CHECK: bitcast <2 x half> {{.*}} to i32
; CHECK: call void @__ct_value(i32 %ct.state, i64 3, i32 0, i32 4, {{.*}}, i32 3361)
; CHECK: call void @__ct_value(i32 %ct.state, i64 4, i32 0, i32 16, {{.*}}, i32 3331)
; CHECK: zext i1 {{.*}} to i64
; CHECK-NEXT: call void @__ct_value(i32 %ct.state, i64 5, i32 0, i32 1, {{.*}}, i32 3344)
; CHECK: ptrtoint ptr {{.*}} to i64
; CHECK: call void @__ct_value(i32 %ct.state, i64 6, i32 0, i32 8, {{.*}}, i32 3379)
; CHECK: atomicrmw add
; CHECK: call void @__ct_access(i32 %ct.state, i64 7,
; CHECK-NEXT: call void @__ct_value(i32 %ct.state, i64 7, i32 0, i32 4, i64 5, i64 0, i64 {{[^,]+}}, i32 3346)
; CHECK: call void @__ct_value(i32 %ct.state, i64 7, i32 8, i32 4, {{.*}}, i32 0)
; CHECK: cmpxchg
; CHECK: call void @__ct_value(i32 %ct.state, i64 8, i32 0, i32 8, i64 9, i64 0, i64 {{[^,]+}}, i32 3347)
; CHECK-NEXT: call void @__ct_value(i32 %ct.state, i64 8, i32 4, i32 8, i64 %n, i64 0, i64 {{[^,]+}}, i32 0)
; CHECK: extractvalue { i64, i1 } {{.*}}, 0
; CHECK: call void @__ct_value(i32 %ct.state, i64 8, i32 8, i32 8, {{.*}}, i32 0)
; CHECK: load { i32, float }
; CHECK: [[S:%.*]] = call i32 @__ct_access_checked(i32 %ct.state, i64 9,
; CHECK: call void @__ct_value(i32 [[S]], i64 9, i32 0, i32 2, {{.*}}, i32 3345)
; CHECK: extractvalue { i32, float } {{.*}}, 0
; CHECK: call void @__ct_value(i32 %ct.state, i64 10, i32 0, i32 4,
; CHECK: call void @__ct_value(i32 %ct.state, i64 11, i32 0, i32 4,
; CHECK: call void @__ct_value(i32 %ct.state, i64 12, i32 0, i32 1, i64 7, i64 0, i64 {{[^,]+}}, i32 3600)
; CHECK: call void @llvm.memset
; UNIT: values
; UNIT: site 0 global load {{.*}} values
; UNIT: site 7 global atomic_add 4 bytes {{.*}} reduction,values
; UNIT: site 10 global load 4 bytes integer32
; UNIT-NEXT: site 11 global load 4 bytes float32
; UNIT-NEXT: site 12 global store 1 bytes integer8
