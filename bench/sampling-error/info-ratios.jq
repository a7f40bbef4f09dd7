# SPDX-License-Identifier: Apache-2.0
# The ratios of ctpost info's JSON: name, value; and its totals: name, value, standard error.
# Ratios over several kernels are of estimated totals, as kernels differ in how many of their
# CTAs happen to be recorded.
def ratio(a; b): if b and b > 0 then a / b else null end;
# Takes counts and estimates of one kernel, or of all: estimated, else counted; {load, store, atomic, all}.
def accesses($counts; $estimates):
  if $estimates | length > 0 then [$estimates[] | {(.class): .estimated_accesses}] | add
  else [{load: 0, store: 0, atomic: 0}, ($counts[] | {(.class): .threads})] | add | .all = .load + .store + .atomic end;
def bytes($counts; $estimates):
  if $estimates | length > 0 then [$estimates[] | {(.class): .estimated_bytes}] | add
  else [{load: 0, store: 0, atomic: 0}, ($counts[] | {(.class): .bytes})] | add | .all = .load + .store + .atomic end;
def global: map(select(.space == "global" and .class != "reduction"));
(.total_counts | global) as $counts
| [.estimates[] | select(.kernel == null)] as $estimates
| ($estimates | map(select(.class == "all"))[0]) as $all
| accesses($counts; $estimates) as $accesses
| bytes($counts; $estimates) as $bytes
| . as $info
| (.kernel_counts | global | group_by(.kernel_number)) as $kernels
| {
    kind: "info",
    ratios: ([
      ["loads of accesses", ratio($accesses.load; $accesses.all)],
      ["stores of accesses", ratio($accesses.store; $accesses.all)],
      ["atomics of accesses", ratio($accesses.atomic; $accesses.all)],
      ["loaded of all bytes", ratio($bytes.load; $bytes.all)],
      ["bytes per access", ratio($bytes.all; $accesses.all)],
      ["threads per record", ratio([$counts[].threads] | add; [$counts[].warps] | add)]
    ] + [$kernels[] | . as $kernel
          | accesses($kernel; [$info.estimates[] | select(.kernel_number == $kernel[0].kernel_number)]).all as $here
          | select($here > 0) | ["accesses in \($kernel[0].kernel)", ratio($here; $accesses.all)]]
      | map(select(.[1] != null and .[1] > 0))),
    totals: [
      ["accesses", {total: $accesses.all, error: ($all.error_accesses // 0)}],
      ["bytes", {total: $bytes.all, error: ($all.error_bytes // 0)}]
    ]
  }
