; Masked vectors are sites for what they access: one per run of elements; shared memory is none.
; RUN: %opt -ct-target=cpu -passes=ct-trace-plain %s -o - | FileCheck %s
; RUN: %dump | FileCheck %s --check-prefix=UNIT
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %g, ptr addrspace(3) %s, ptr addrspace(1) %o) #0 {
  %a = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) align 16 %g, <4 x i1> <i1 true, i1 true, i1 false, i1 true>, <4 x i32> poison)
  %b = call <4 x i32> @llvm.masked.load.v4i32.p3(ptr addrspace(3) align 16 %s, <4 x i1> <i1 true, i1 true, i1 false, i1 true>, <4 x i32> poison)
  call void @llvm.masked.store.v4i32.p1(<4 x i32> %a, ptr addrspace(1) align 16 %o, <4 x i1> <i1 false, i1 true, i1 true, i1 true>)
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
; CHECK: call void @__ct_at(i64 0, i64 {{%.*}}, i32 8)
; CHECK-NEXT: call <4 x i32> @llvm.masked.load
; CHECK: [[A:%.*]] = add i64 {{%.*}}, 12
; CHECK-NEXT: call void @__ct_access(i32 %ct.state, i64 1, i64 [[A]], i32 4)
; UNIT: site 0 global load 8 bytes integer32 x 2 {{.*}} variable g
; UNIT-NEXT: site 1 global load 4 bytes integer32 x 1 {{.*}} variable g
; UNIT-NEXT: site 2 global store 12 bytes integer32 x 3 {{.*}} variable o
; UNIT-NOT: {{site [0-9]+ [^e]}}
