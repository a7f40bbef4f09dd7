; Every construct that carries pointers: aggregates, vectors, intrinsics, casts of spaces, tables.
; construct: pointers in vectors and aggregates
; RUN: %opt -ct-target=cpu -passes=ct-trace-plain %s -o /dev/null
; RUN: %dump | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@tile = internal addrspace(3) global [64 x i32] undef
@here = internal addrspace(1) global [64 x i32] zeroinitializer
@fixed = internal addrspace(4) constant [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @here to ptr), ptr addrspacecast (ptr addrspace(3) @tile to ptr)]
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare ptr @llvm.nvvm.mapa(ptr, i32)

define ptx_kernel void @k(ptr %g, i32 %i, ptr byval({ i32, [2 x ptr] }) %by) #0 {
  %shared = addrspacecast ptr addrspace(3) @tile to ptr
; aggregate, element by element
  %a = insertvalue { ptr, ptr } undef, ptr %g, 0
  %b = insertvalue { ptr, ptr } %a, ptr %shared, 1
  %first = extractvalue { ptr, ptr } %b, 0
; CHECK: site 0 global store 1 bytes
  store i8 1, ptr %first
; vector, any element
  %v = insertelement <2 x ptr> undef, ptr %g, i32 0
  %w = insertelement <2 x ptr> %v, ptr %shared, i32 1
  %x = shufflevector <2 x ptr> %w, <2 x ptr> undef, <2 x i32> <i32 1, i32 0>
  %any = extractelement <2 x ptr> %x, i32 %i
; CHECK: site 1 checked store 2 bytes
  store i16 2, ptr %any
; mask of an address, copies of structures
  %mask = call ptr @llvm.ptrmask.p0.i64(ptr %g, i64 -16)
  %frozen = freeze ptr %mask
; CHECK: site 2 global store 4 bytes {{.*}} variable g
  store i32 3, ptr %frozen
; a table of fixed pointers: one entry, and any
  %one = load ptr, ptr addrspace(4) @fixed
; CHECK: site 3 global store 4 bytes {{.*}} variable here
  store i32 4, ptr %one
  %slot = getelementptr [2 x ptr], ptr addrspace(4) @fixed, i32 0, i32 %i
  %some = load ptr, ptr addrspace(4) %slot
; CHECK: site 4 checked store 4 bytes
  store i32 5, ptr %some
; a pointer in an array in a structure passed by value
  %field = getelementptr { i32, [2 x ptr] }, ptr %by, i32 0, i32 1, i32 %i
  %inner = load ptr, ptr %field
; CHECK: site 5 global store 4 bytes {{.*}} variable by
  store i32 6, ptr %inner
; shared memory of another block of the cluster
  %peer = call ptr @llvm.nvvm.mapa(ptr %shared, i32 1)
  store i32 7, ptr %peer
; a loop of casts
  br label %loop
loop:
  %p = phi ptr [ %g, %0 ], [ %q, %loop ]
  %c = addrspacecast ptr %p to ptr addrspace(1)
  %d = getelementptr i32, ptr addrspace(1) %c, i32 1
  %q = addrspacecast ptr addrspace(1) %d to ptr
; CHECK: site 6 global store 4 bytes {{.*}} depth 1
  store i32 8, ptr %p
  %more = icmp ne ptr %q, null
  br i1 %more, label %loop, label %done
done:
  ret void
}
; CHECK: elsewhere store 4 bytes {{.*}} space shared
attributes #0 = { "target-cpu"="sm_90" }
