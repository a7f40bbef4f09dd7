; Loads and atomics behind NVVM intrinsics are sites; address spaces decide on their own.
; RUN: %opt -ct-target=cpu -passes=ct-trace-plain %s -o - | FileCheck %s
; RUN: %dump | FileCheck %s --check-prefix=UNIT
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p, ptr addrspace(1) %g, ptr addrspace(3) %s, ptr addrspace(4) %c, i64 %n) #0 {
  %a = call i32 @llvm.nvvm.ldu.global.i.i32.p1(ptr addrspace(1) %g, i32 4)
  %b = load i32, ptr addrspace(3) %s
  %d = load i32, ptr addrspace(4) %c
  %e = load i32, ptr addrspace(1) %g, !invariant.load !0
  %f = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %p, i32 %e)
  %unknown = inttoptr i64 %n to ptr
  store i8 1, ptr %unknown
  ret void
}

declare i32 @llvm.nvvm.ldu.global.i.i32.p1(ptr addrspace(1), i32)
declare i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr, i32)

attributes #0 = { "target-cpu"="sm_80" }
!0 = !{}
; CHECK: define ptx_kernel void @__ct_k(
; CHECK: [[G:%.*]] = ptrtoint ptr addrspace(1) %g to i64
; CHECK-NEXT: call void @__ct_at(i64 0, i64 [[G]], i32 4)
; CHECK-NEXT: call i32 @llvm.nvvm.ldu.global.i.i32.p1(
; CHECK-NEXT: [[SAME:%.*]] = ptrtoint ptr addrspace(1) %g to i64
; CHECK-NEXT: call void @__ct_access(i32 %ct.state, i64 0, i64 [[SAME]], i32 4)
; CHECK: call i32 @__ct_access_checked(i32 %ct.state, i64 3, i64 {{.*}}, i32 1)
; UNIT: sm_80
; UNIT: site 0 global load 4 bytes integer32 {{.*}} variable g
; UNIT-NEXT: site 1 global load 4 bytes integer32 {{.*}} variable g
; UNIT-NEXT: site 2 global atomic_add 4 bytes integer32 {{.*}} variable p
; UNIT-NEXT: site 3 checked store 1 bytes integer8
; UNIT-NOT: {{site [0-9]+ [^e]}}
