# SPDX-License-Identifier: Apache-2.0
# The ratios of ctpost info's JSON: name, value; and its totals: name, value, standard error.
def ratio(a; b): if b then (if b > 0 then a / b else null end) else null end;
def all: .load + .store + .atomic;
def estimate: .estimated.all_accesses.total // (.accesses | all);
.totals as $t
| ($t | estimate) as $whole
| {
    kind: "info",
    ratios: ([
      ["loads of accesses", ratio($t.accesses.load; $t.accesses | all)],
      ["stores of accesses", ratio($t.accesses.store; $t.accesses | all)],
      ["atomics of accesses", ratio($t.accesses.atomic; $t.accesses | all)],
      ["loaded of all bytes", ratio($t.bytes.load; $t.bytes | all)],
      ["bytes per access", ratio($t.bytes | all; $t.accesses | all)],
      ["threads per record", ratio($t.accesses | all; $t.records)]
    ] + ([.kernels[] | select((.launches > 0) and (.accesses | all) > 0)
          | ["accesses in \(.kernel)", ratio(estimate; $whole)]])
      | map(select(.[1] != null and .[1] > 0))),
    totals: [
      ["accesses", ($t.estimated.all_accesses // {total: ($t.accesses | all), error: 0})],
      ["bytes", ($t.estimated.all_bytes // {total: ($t.bytes | all), error: 0})]
    ]
  }
