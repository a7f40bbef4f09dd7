; Other spaces are recorded when asked for: by their own hook where the pointer names them, else by a check.
; construct: accesses to shared, local and constant memory
; RUN: %opt -ct-target=cpu -ct-spaces=global,shared,constant -passes=ct-trace-plain %s -o - | FileCheck %s
; RUN: %dump | FileCheck %s --check-prefix=UNIT
target triple = "nvptx64-nvidia-cuda"
@s = addrspace(3) global [4 x i32] undef
@c = addrspace(4) global i32 3

define ptx_kernel void @k(i64 %n) #0 {
  %l = alloca i32
  store i32 1, ptr %l
  store i32 2, ptr addrspace(3) @s
  store i32 3, ptr addrspacecast (ptr addrspace(3) @s to ptr)
  %v = load i32, ptr addrspace(4) @c
  %q = inttoptr i64 %n to ptr
  store i32 %v, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
; CHECK: define ptx_kernel void @__ct_k(
; CHECK-NOT: call {{.*}}@__ct_access
; CHECK: store i32 1
; CHECK: call void @__ct_access_space(i32 %ct.state, i64 0, i64 {{.*}}, i32 4, i32 3)
; CHECK: call i32 @__ct_access_any(i32 %ct.state, i64 1, i64 {{.*}}, i32 4, i32 8)
; CHECK: call void @__ct_access_space(i32 %ct.state, i64 2, i64 {{.*}}, i32 4, i32 4)
; CHECK: call i32 @__ct_access_any(i32 %ct.state, i64 3, i64 {{.*}}, i32 4, i32 26)
; UNIT: site 0 definite store 4 bytes {{.*}} space shared
; UNIT-NEXT: site 1 definite store 4 bytes {{.*}} space shared
; UNIT-NEXT: site 2 definite load 4 bytes {{.*}} space constant
; UNIT-NEXT: site 3 checked store
; UNIT-NEXT: site 4 elsewhere store 4 bytes {{.*}} space local
; UNIT-NOT: site
