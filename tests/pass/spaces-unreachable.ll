; Unreachable code may define values by themselves: the analysis ends.
; RUN: %opt -ct-target=cpu -passes=ct-trace-plain %s -o /dev/null
; RUN: %dump | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %g) #0 {
  store i32 0, ptr %g
  ret void
round:
  %a = getelementptr i8, ptr %a, i64 8
  store i32 1, ptr %a
  %v = insertvalue { ptr, ptr } %v, ptr %g, 0
  %b = extractvalue { ptr, ptr } %v, 1
  store i32 2, ptr %b
  %w = insertelement <2 x ptr> %w, ptr %g, i32 0
  %c = extractelement <2 x ptr> %w, i32 1
  store i32 3, ptr %c
  %i = add i64 %i, 4
  %d = inttoptr i64 %i to ptr
  store i32 4, ptr %d
  %slot = alloca ptr
  store ptr %slot, ptr %slot
  %e = load ptr, ptr %slot
  store i32 5, ptr %e
  br label %round
}
; CHECK: site 0 global store 4 bytes {{.*}} variable g
attributes #0 = { "target-cpu"="sm_80" }
