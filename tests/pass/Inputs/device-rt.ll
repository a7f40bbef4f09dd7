; SPDX-License-Identifier: Apache-2.0
; A device runtime just large enough to be linked: one hook to be inlined, an
; internal function, 1 KiB of shared memory, and something that nobody needs.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@__ct_state = addrspace(3) global [1024 x i8] undef, align 8
@ct_unused = addrspace(1) global i32 0

define i32 @__ct_enter(i64 %context, i32 %launch, i32 %flags) noinline convergent nounwind {
  store i32 %launch, ptr addrspace(3) @__ct_state
  ret i32 %launch
}

define void @__ct_access(i32 %state, i32 %site, i64 %address, i32 %bytes) noinline convergent nounwind {
  call void @ct_record(i32 %site, i64 %address)
  ret void
}

define void @__ct_access_checked(i32 %state, i32 %site, i64 %address, i32 %bytes) alwaysinline convergent nounwind {
  call void @ct_record(i32 %site, i64 %address)
  ret void
}

define void @__ct_exit(i32 %state) noinline convergent nounwind {
  call void @ct_record(i32 %state, i64 0)
  ret void
}

define void @ct_record(i32 %site, i64 %address) noinline convergent nounwind {
  %wide = zext i32 %site to i64
  %sum = add i64 %wide, %address
  store volatile i64 %sum, ptr addrspace(3) @__ct_state
  ret void
}

define void @ct_never_called() {
  store i32 1, ptr addrspace(1) @ct_unused
  ret void
}
