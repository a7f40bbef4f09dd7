; Without -ct-unit-dir the pass does nothing.
; RUN: opt -load %pass -load-pass-plugin %pass -passes=ct-trace -S %s -o - | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p) #0 {
  store i32 1, ptr %p
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
; CHECK: define ptx_kernel void @k(
; CHECK-NOT: __ct_
