; SPDX-License-Identifier: Apache-2.0
; A device runtime just large enough to be linked: one hook to be inlined, an
; internal function of full traces, one that hardly ever runs, 1 KiB of shared memory, and
; something that is not needed.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@__ct_state = addrspace(3) global [1024 x i8] undef, align 8
@ct_unused = addrspace(1) global i32 0
@rare = private unnamed_addr constant [8 x i8] c"ct.rare\00", section "llvm.metadata"
@records = private unnamed_addr constant [11 x i8] c"ct.records\00", section "llvm.metadata"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @ct_ship, ptr @rare, ptr @rare, i32 1, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @ct_record, ptr @records, ptr @rare, i32 1, ptr null }], section "llvm.metadata"

define i32 @__ct_enter(i64 %context, i32 %launch, i32 %flags, i32 %period, i32 %offset) noinline convergent nounwind {
  store i32 %launch, ptr addrspace(3) @__ct_state
  ret i32 %launch
}

define i32 @__ct_enter_far(i64 %context, i32 %launch, i32 %flags, i32 %period, i32 %offset, i32 %states) noinline convergent nounwind {
  ret i32 %states
}

define i32 @__ct_block_sampled(i32 %period, i32 %offset) alwaysinline convergent nounwind {
  %all = icmp ult i32 %period, 2
  %result = zext i1 %all to i32
  ret i32 %result
}

define void @__ct_access(i32 %state, i64 %site, i64 %address, i32 %bytes) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret void
}

define void @__ct_access_far(i32 %state, i64 %site, i64 %address, i32 %bytes) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret void
}

define void @__ct_series(i32 %state, i64 %site, i64 %address, i32 %count, i64 %table) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret void
}

define void @__ct_group(i32 %state, i64 %site, i64 %address, i32 %bytes, i32 %group, i32 %count, i64 %d1, i64 %d2, i64 %d3, i64 %d4, i64 %d5) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret void
}

define void @__ct_group_far(i32 %state, i64 %site, i64 %address, i32 %bytes, i32 %group, i32 %count, i64 %d1, i64 %d2, i64 %d3, i64 %d4, i64 %d5) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret void
}

define void @__ct_group_values(i32 %state, i64 %site, i64 %address, i32 %bytes, i32 %group, i32 %count, i64 %d1, i64 %d2, i64 %d3, i64 %d4, i64 %d5, i64 %v0, i64 %v1, i64 %v2, i64 %v3, i64 %v4, i64 %v5, i32 %element) noinline convergent nounwind {
  ret void
}
define void @__ct_access_alone(i32 %state, i64 %site, i64 %address, i32 %bytes) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret void
}

define i32 @__ct_loop(i32 %state, i64 %site, i32 %count, i64 %iterations, i64 %table) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %table)
  ret i32 0
}

define i32 @__ct_access_checked(i32 %state, i64 %site, i64 %address, i32 %bytes) alwaysinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret i32 %state
}

define i32 @__ct_access_any(i32 %state, i64 %site, i64 %address, i32 %bytes, i32 %spaces) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret i32 %state
}

define void @__ct_access_space(i32 %state, i64 %site, i64 %address, i32 %bytes, i32 %space) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret void
}

define i32 @__ct_range_content(i32 %state, i64 %site, i64 %address, i64 %bytes, i64 %from) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret i32 %state
}

define i32 @__ct_tile_content(i32 %state, i64 %site, i64 %address, i32 %row_bytes, i32 %rows, i64 %stride) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret i32 %state
}

define i32 @__ct_access_range(i32 %state, i64 %site, i64 %address, i64 %bytes) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret i32 %state
}

define i32 @__ct_access_tile(i32 %state, i64 %site, i64 %address, i32 %row_bytes, i32 %rows, i64 %stride) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret i32 %state
}

define void @__ct_value(i32 %state, i64 %site, i32 %part, i32 %bytes, i64 %low, i64 %high, i64 %address, i32 %element) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %low)
  ret void
}

define void @__ct_event(i32 %state, i64 %site, i32 %phase) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 0)
  ret void
}

define void @__ct_exit(i32 %state) noinline convergent nounwind {
  call void @ct_record(i64 0, i64 0)
  ret void
}

define void @ct_record(i64 %site, i64 %address) noinline convergent nounwind {
  %sum = add i64 %site, %address
  store volatile i64 %sum, ptr addrspace(3) @__ct_state
  call void @ct_ship()
  ret void
}

define void @ct_ship() noinline convergent nounwind {
  store volatile i64 0, ptr addrspace(3) @__ct_state
  ret void
}

define void @ct_never_called() {
  store i32 1, ptr addrspace(1) @ct_unused
  ret void
}

define i64 @__ct_blocks_begin(i64 %context, i32 %launch, i32 %flags, i32 %period, i32 %offset, i64 %counters, i64 %row) {
  ret i64 %counters
}

define void @__ct_block(i64 %counters, i32 %site, i64 %others) {
  ret void
}

define void @__ct_block_times(i64 %counters, i32 %site, i64 %times) {
  ret void
}

define i64 @__ct_block_step(i64 %counters, i32 %site) {
  ret i64 1
}

define void @__ct_block_sum(i64 %counters, i32 %site, i64 %steps) {
  ret void
}

; Of bodies for one tier (llvm-pass/clone/tier_body.h).
define i32 @__ct_tier_enter(i64 %context, i32 %launch, i32 %flags, i32 %period, i32 %offset) noinline convergent nounwind {
  store i32 %flags, ptr addrspace(3) @__ct_state
  ret i32 %flags
}
define i32 @__ct_tier_enter_far(i64 %context, i32 %launch, i32 %flags, i32 %period, i32 %offset, i32 %states) noinline convergent nounwind {
  ret i32 %states
}
define i32 @__ct_values_enter_far(i64 %context, i32 %launch, i32 %flags, i32 %period, i32 %offset, i32 %states) noinline convergent nounwind {
  ret i32 %states
}
define i32 @__ct_values_enter(i64 %context, i32 %launch, i32 %flags, i32 %period, i32 %offset) noinline convergent nounwind {
  store i32 %flags, ptr addrspace(3) @__ct_state
  ret i32 %flags
}

define void @__ct_counts_access(i32 %state, i64 %site, i64 %address, i32 %bytes) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret void
}

define void @__ct_counts_group(i32 %state, i64 %site, i64 %address, i32 %bytes, i32 %group, i32 %count, i64 %d1, i64 %d2, i64 %d3, i64 %d4, i64 %d5) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret void
}

define void @__ct_values_value(i32 %state, i64 %site, i32 %part, i32 %bytes, i64 %low, i64 %high, i64 %address, i32 %element) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %low)
  ret void
}

define void @__ct_values_group(i32 %state, i64 %site, i64 %address, i32 %bytes, i32 %group, i32 %count, i64 %d1, i64 %d2, i64 %d3, i64 %d4, i64 %d5, i64 %v0, i64 %v1, i64 %v2, i64 %v3, i64 %v4, i64 %v5, i32 %element) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %v0)
  ret void
}

define void @__ct_counts_access_called(i32 %state, i64 %site, i64 %address, i32 %bytes) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret void
}

define void @__ct_counts_group_called(i32 %state, i64 %site, i64 %address, i32 %bytes, i32 %group, i32 %count, i64 %d1, i64 %d2, i64 %d3, i64 %d4, i64 %d5) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %address)
  ret void
}

define void @__ct_values_value_called(i32 %state, i64 %site, i32 %part, i32 %bytes, i64 %low, i64 %high, i64 %address, i32 %element) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %low)
  ret void
}

define void @__ct_values_group_called(i32 %state, i64 %site, i64 %address, i32 %bytes, i32 %group, i32 %count, i64 %d1, i64 %d2, i64 %d3, i64 %d4, i64 %d5, i64 %v0, i64 %v1, i64 %v2, i64 %v3, i64 %v4, i64 %v5, i32 %element) noinline convergent nounwind {
  call void @ct_record(i64 %site, i64 %v0)
  ret void
}
