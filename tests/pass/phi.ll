; A pointer that walks through a loop keeps its origin and its name.
; RUN: %opt -ct-target=cpu -passes=ct-trace-plain %s -o /dev/null
; RUN: %dump | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %list, i32 %n) #0 {
entry:
  %slot = alloca i32
  store i32 0, ptr %slot
  br label %loop
loop:
  %p = phi ptr [ %list, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  store i32 %i, ptr %p
  %next = getelementptr i8, ptr %p, i64 4
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
; CHECK: site 0 global store 4 bytes integer32 {{.*}} in k depth 1 kernel 0 variable list
; CHECK-NOT: {{site [0-9]+ [^e]}}
